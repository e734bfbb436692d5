/** The gate of names: an import that leaves its layer, its wing or its folder begins with `#`, and its path does not climb. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesOf } from './circles.ts';
import { NAMED_FOLDERS } from './import-names.ts';
import { specifiersIn } from './imports.ts';
import { ROOT } from './root.mjs';

interface NamedImportsReport {
  readonly ok: boolean;
  readonly count: number;
  readonly output: string;
}

const CHECKED = ['src', 'server-rules', 'kit', 'provider/src', 'tests', 'provider/tests'];
/** Files that Node reads as they are, or that are copied out of the repository. */
const OWN_RULES = /\.mjs$|^provider\/src\/main\.ts$|\/node_modules\//u;

/** The folder that an import leaves by its name: a layer, a wing of the provider, or another folder with a name. */
function roomOf(file: string): string {
  const parts = file.split('/');
  if (file.startsWith('provider/')) return parts.slice(0, parts[1] === 'src' ? 3 : 2).join('/');
  return NAMED_FOLDERS.find(([, folder]) => file.startsWith(`${folder}/`))?.[1] ?? '';
}

function nameOf(file: string): string | undefined {
  const [name, folder = ''] = NAMED_FOLDERS.find(([, each]) => file.startsWith(`${each}/`)) ?? [];
  return name === undefined ? undefined : `${name}${file.slice(folder.length)}`;
}

export function checkNamedImports(root = ROOT): NamedImportsReport {
  const files = CHECKED.flatMap((folder) => filesOf(root, folder)).filter((file) => !OWN_RULES.test(file));
  const problems = files.flatMap((file) =>
    specifiersIn(file, readFileSync(join(root, file), 'utf8'))
      .filter((specifier) => specifier.startsWith('.'))
      .flatMap((specifier) => {
        const target = join(dirname(file), specifier);
        const name = nameOf(target);
        if (name === undefined || roomOf(target) === roomOf(file)) return [];
        return [`${file}: import '${specifier}' as '${name}'`];
      }),
  );
  return { ok: files.length > 0 && problems.length === 0, count: files.length, output: problems.join('\n') };
}
