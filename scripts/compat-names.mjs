/**
 * The runtime names of the reference's React package, for tests/compat/react-names.json.
 *
 * The package is no dependency of ours: install the versions into a folder elsewhere, each under a name of its own
 * (`npm i react5@npm:@stytch/react@19.18.1 …`), and run `node scripts/compat-names.mjs FOLDER react5 react6`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { ROOT } from './lib/root.mjs';

const [folder = '.', ...packages] = process.argv.slice(2);
const load = createRequire(join(resolve(folder), 'names.cjs'));

/** The names of every entry that the package has for apps of its consumer product. */
function namesOf(name) {
  const root = join(resolve(folder), 'node_modules', name);
  const { name: real, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = ['', '/headless', '/ui'].flatMap((path) => {
    try {
      return [[path === '' ? '.' : `.${path}`, Object.keys(load(`${name}${path}`)).sort()]];
    } catch {
      // Not every version has every entry.
      return [];
    }
  });
  return [`${real}@${version}`, Object.fromEntries(entries)];
}

const names = Object.fromEntries(packages.map(namesOf));
writeFileSync(join(ROOT, 'tests/compat/react-names.json'), `${JSON.stringify(names, null, 2)}\n`);
