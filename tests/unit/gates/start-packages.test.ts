import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { PRODUCT } from '#scripts/lib/product.ts';
import { ROOT } from '#scripts/lib/root.mjs';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = (path: string): Manifest => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, { readonly dev?: boolean }>>;
};
const isForTests = (name: string): boolean => packages[`node_modules/${name}`]?.dev === true;

/** Every module in a folder. */
const modulesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:m?[jt]s|tsx)$/u.test(file) && !file.includes('node_modules') && !file.includes('dist/'))
    .map((file) => join(folder, file));

/** What `npm start`, `npm run dev` and the builds run or bundle, beside what these import. */
const ENTRIES = [
  'scripts/start.ts',
  'scripts/build.ts',
  'scripts/docs.ts',
  'scripts/openapi.ts',
  'vite.config.ts',
  ...[...PRODUCT, 'demo', 'site', 'tests/gallery', 'tests/compat'].flatMap(modulesIn),
];

/** Left to the host by every build. */
const PEERS = new Set(['@playwright/test', 'next']);
/** The build puts another module in its place. */
const REPLACED = new Set(['vitest']);
/** The provider works without, and says so. */
const ON_DEMAND = /^@opentelemetry\//u;

const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** What a module imports when it runs. */
function importsOf(path: string): readonly string[] {
  const { module } = parseSync(path, readFileSync(join(ROOT, path), 'utf8'));
  const isTypeOnly = (entries: readonly { readonly isType: boolean }[]): boolean =>
    entries.length > 0 && entries.every(({ isType }) => isType);
  return [
    ...module.staticImports.flatMap(({ entries, moduleRequest }) => (isTypeOnly(entries) ? [] : moduleRequest.value)),
    ...module.staticExports.flatMap(({ entries }) =>
      isTypeOnly(entries) ? [] : entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ];
}

function packagesBehind(entries: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visited = new Set<string>();
  const queue = [...entries];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (visited.has(path)) continue;
    visited.add(path);
    for (const specifier of importsOf(path)) {
      if (!specifier.startsWith('.')) found.set(packageOf(specifier), path);
      else if (/\.(?:m?[jt]s|tsx)$/u.test(specifier)) queue.push(join(dirname(path), specifier));
    }
  }
  return found;
}

describe('the packages of npm start and of the builds', () => {
  it('is installed without the packages of the tests', () => {
    const needed = packagesBehind(ENTRIES);
    expect(needed.get('vitepress')).toBeDefined();
    expect(needed.get('react')).toBeDefined();
    const isMissing = (name: string): boolean =>
      isForTests(name) && !PEERS.has(name) && !REPLACED.has(name) && !ON_DEMAND.test(name);
    expect([...needed].filter(([name]) => isMissing(name))).toEqual([]);
  });

  it('is listed with the versions of the devDependencies, so that nothing is installed twice', () => {
    const { devDependencies } = manifest('package.json');
    const { dependencies } = manifest('scripts/start/package.json');
    expect(devDependencies).toMatchObject(dependencies);
    expect(existsSync(join(ROOT, 'scripts/start/node_modules'))).toBe(false);
  });

  it('leaves out what is large and for the tests alone', () => {
    const large = ['next', 'vitest', 'playwright', 'oxlint', 'oxfmt', 'knip', '@stytch/vanilla-js', 'happy-dom'];
    expect(large.filter((name) => !isForTests(name))).toEqual([]);
    expect(Object.keys(packages).filter((path) => /workerd|bun-linux|@deno/u.test(path))).toEqual([]);
  });
});
