/**
 * The names of the reference's packages: those of the React package at run time, for tests/compat/react-names.json, and those
 * of the types of all of them, for tests/compat/type-names.ts. Only names are taken.
 *
 * The packages are not dependencies of this one: install the versions into a folder elsewhere, each under a separate name, such
 * as `npm i vanilla5@npm:@stytch/vanilla-js@5.37.1 vanilla6@npm:@stytch/vanilla-js@6.3.0 react5@npm:@stytch/react@19.18.1
 * react6@npm:@stytch/react@20.1.0`, and run `npx jiti scripts/compat-names.ts FOLDER`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { ROOT } from './lib/root.mjs';

const folder = resolve(process.argv[2] ?? '.');
const load = createRequire(join(folder, 'names.cjs')) as (id: string) => object;
const installed = (path: string): string => join(folder, 'node_modules', path);

/** The type declarations of their consumer product. */
const DECLARATIONS = [
  '@stytch/core/dist/public/index.d.ts',
  'vanilla5/dist/index.d.ts',
  'vanilla6/dist/types/index.d.ts',
  'vanilla6/dist/types/index.headless.d.ts',
  'react5/dist/index.d.ts',
  'react6/dist/types/index.d.ts',
];

/** The names that are not offered: the B2B product, React Native with its biometrics, and types of the wire only. */
const NOT_OFFERED =
  /B2B|SCIM|^SSO|Member|Organization|^I?RN|Biometrics(?:Auth|Delete|Get|Register)|BiometricsC|Biometry|SAML|OIDC|External|Encryption|X509|MfaRequired|PrimaryRequired|DirectLogin|SearchQuery|RecoveryCode(?:Get|Rotate|Recover)|RetiredEmail|Discover|IHeadlessBio|^OAuthStartOptions$|^WebAuthn\w+StartResponse$/;

/** The names in every entry of a package for apps of its consumer product. */
function namesOf(name: string): [string, object] {
  const { name: real, version } = JSON.parse(readFileSync(installed(`${name}/package.json`), 'utf8')) as {
    name: string;
    version: string;
  };
  const entries = ['', '/headless', '/ui'].flatMap((path) => {
    try {
      return [[path === '' ? '.' : `.${path}`, Object.keys(load(`${name}${path}`)).sort()]];
    } catch {
      // Some versions lack some entries.
      return [];
    }
  });
  return [`${real}@${version}`, Object.fromEntries(entries)];
}

/** The names that a file of declarations exports. */
function declared(path: string): readonly string[] {
  if (!existsSync(installed(path))) throw new Error(`${installed(path)} is missing`);
  const lists = readFileSync(installed(path), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  // The last word of `type A as B` is its public name.
  return [...lists].flatMap(([, list = '']) => list.split(',').map((one) => one.trim().split(/\s+/).at(-1) ?? ''));
}

const write = (path: string, text: string): void => writeFileSync(join(ROOT, path), text);
const names = Object.fromEntries(['react5', 'react6'].map(namesOf));
write('tests/compat/react-names.json', `${JSON.stringify(names, null, 2)}\n`);

const types = [...new Set(DECLARATIONS.flatMap(declared))]
  .filter((name) => name !== '' && !NOT_OFFERED.test(name))
  .sort();
const head =
  '/** Every name that an app of the reference can import as a type: written by scripts/compat-names.ts. It compiles, or one is missing. */';
write(
  'tests/compat/type-names.ts',
  `${head}\nexport type {\n${types.map((name) => `  ${name},\n`).join('')}} from 'portico/compat';\n`,
);
