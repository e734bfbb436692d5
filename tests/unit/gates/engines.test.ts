import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NEEDED, oldNode } from '#provider/base/node-version.mjs';
import { ROOT } from '#scripts/lib/root.mjs';
import { newerSyntax } from '../../newer-syntax.ts';

interface Manifest {
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** From here on a module can be required, which hosts in CommonJS do; the tarball's tests do it. */
const REQUIRES_MODULES = '^20.19.0 || >=22.12.0';

/** The first version with which the documents promise that the provider runs: its packages alone would also take older ones. */
const DOCUMENTED = `>=${NEEDED}.0`;

type Version = readonly [number, number, number];

const versionOf = (text: string): Version => {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map(Number);
  return [major, minor, patch];
};
const compare = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** The alternatives of a range: from, and the major version within which it stays. Throws for what it cannot read. */
function alternatives(range: string): readonly { readonly from: Version; readonly within: number | null }[] {
  return range.split('||').map((part) => {
    const found = /^\s*(>=|\^)?\s*v?(\d+(?:\.\d+){0,2})(?:\.[x*])*\s*$/u.exec(part);
    if (found?.[2] === undefined) throw new Error(`cannot read the range ${range}`);
    const from = versionOf(found[2]);
    return { from, within: found[1] === '>=' ? null : from[0] };
  });
}

const takes = (range: string, version: Version): boolean =>
  alternatives(range).some(
    ({ from, within }) => compare(version, from) >= 0 && (within === null || version[0] === within),
  );

/** Every version at which one of the ranges begins, ends, or does not yet begin. */
const probesOf = (ranges: readonly string[]): readonly Version[] =>
  ranges
    .flatMap(alternatives)
    .flatMap(({ from: [major, minor, patch] }) => [
      [major, minor, patch] as const,
      [major + 1, 0, 0] as const,
      patch > 0
        ? ([major, minor, patch - 1] as const)
        : minor > 0
          ? ([major, minor - 1, 999] as const)
          : ([major - 1, 999, 999] as const),
    ]);

const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'));
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Manifest>>;
};

/** Where Node finds a package from a folder of the lock. */
function locate(name: string, from: string): string {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (at === '') throw new Error(`${name}, which ${from} needs, is not in the lock`);
  }
}

/** What the packages that run with a workspace say of Node, theirs too; not what develops it. */
function needed(workspace: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visited = new Set<string>();
  const visit = (path: string): void => {
    if (visited.has(path)) return;
    visited.add(path);
    const { dependencies = {}, engines } = path === workspace ? manifestOf(path) : (packages[path] ?? {});
    if (path !== workspace && engines?.node !== undefined) found.set(path, engines.node);
    for (const name of Object.keys(dependencies)) visit(locate(name, path));
  };
  visit(workspace);
  return found;
}

const differences = (declared: string, ranges: readonly string[]): readonly string[] =>
  probesOf([declared, ...ranges])
    .filter((version) => takes(declared, version) !== ranges.every((range) => takes(range, version)))
    .map((version) => version.join('.'));

describe.each([
  ['', [REQUIRES_MODULES]],
  ['provider', [DOCUMENTED]],
])('the engines of the workspace "%s"', (workspace, own) => {
  const ranges = needed(workspace);

  it('are exactly the versions of Node that all its dependencies take, and the documents name', () => {
    expect(ranges.size).toBeGreaterThan(0);
    const declared = manifestOf(workspace).engines?.node ?? '';
    expect(differences(declared, [...ranges.values(), ...own]), JSON.stringify([...ranges])).toEqual([]);
  });

  it('are the same in the lock', () => {
    expect(packages[workspace]?.engines).toEqual(manifestOf(workspace).engines);
  });
});

it('the commands and the documents name the first version from which on every workspace runs', () => {
  const ranges = ['', 'provider'].map((workspace) => manifestOf(workspace).engines?.node ?? '');
  const [last = [0, 0, 0]] = ranges
    .flatMap((range) =>
      alternatives(range)
        .slice(-1)
        .map(({ from }) => from),
    )
    .sort(compare)
    .reverse();
  expect(NEEDED).toBe(last.slice(0, 2).join('.'));
  for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/self-hosting.md', 'provider/README.md']) {
    const named = /You need [^.]*?Node (\d+\.\d+) or newer/u.exec(readFileSync(join(ROOT, page), 'utf8'));
    expect([page, named?.[1]]).toEqual([page, NEEDED]);
  }
});

it('an older Node reads the files that refuse it, and gets one sentence', async () => {
  const first = ['scripts/ensure-deps.mjs', 'scripts/lib/root.mjs', 'provider/src/base/node-version.mjs'];
  for (const file of first) expect(await newerSyntax(readFileSync(join(ROOT, file), 'utf8')), file).toBeNull();
  expect(await newerSyntax('export const a = b?.c ?? d;')).not.toBeNull();
  expect(oldNode('18.20.8')).toBe(`Portico needs Node ${NEEDED} or newer; this is Node 18.20.8.`);
  expect(oldNode(process.versions.node)).toBeNull();
});

it('a range that is wider or narrower than the dependencies is found by a version between', () => {
  expect(differences('>=20.19', ['>= 20.19.0', '>=22.0.0'])).toContain('20.19.0');
  expect(differences('>=24', ['>=22.0.0', '>=18'])).toContain('22.0.0');
  expect(differences('>=20.19', ['^20.19.0 || >=22.12.0'])).toContain('21.0.0');
  expect(differences('>=22', ['>= 20.19.0', '>=22.0.0'])).toEqual([]);
  expect(() => takes('20 - 22', [20, 0, 0])).toThrow('cannot read the range 20 - 22');
});
