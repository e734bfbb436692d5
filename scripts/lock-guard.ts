/**
 * The gate for the lock files: `npm ci` works on every platform and installs exactly the locked packages.
 *
 * - every optional platform package that a package names is in the lock (npm leaves them out silently when the registry
 *   lags, and `npm ci` then stops);
 * - every package from a registry has its integrity hash.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/root.mjs';

interface LockedPackage {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly inBundle?: boolean;
  readonly resolved?: string;
  readonly optionalDependencies?: object;
}

interface LockReport {
  readonly ok: boolean;
  readonly packages: number;
  readonly problems: readonly string[];
}

/** The folders with a lock: the repository's, and those whose packages are installed apart. */
export function lockedFolders(root = ROOT): readonly string[] {
  const examples = readdirSync(join(root, 'examples')).map((name) => `examples/${name}`);
  const tests = ['runtimes', 'clients', 'clients-soak', 'checkers-soak', 'hermes', 'openapi'].map(
    (name) => `tests/${name}`,
  );
  return ['.', ...tests, ...examples].filter((folder) => existsSync(join(root, folder, 'package-lock.json')));
}

export function checkLocks(root = ROOT): LockReport {
  const checked = lockedFolders(root).map((folder) => ({ folder, ...checkLock(join(root, folder)) }));
  return {
    ok: checked.length > 0 && checked.every(({ ok }) => ok),
    packages: checked.reduce((sum, { packages }) => sum + packages, 0),
    problems: checked.flatMap(({ folder, problems }) => problems.map((problem) => `${folder}: ${problem}`)),
  };
}

export function checkLock(root: string): LockReport {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const all = Object.entries((JSON.parse(text) as { packages: Readonly<Record<string, LockedPackage>> }).packages);
  const nameOf = (path: string): string => path.replace(/.*node_modules\//, '');
  const have = new Set(all.map(([path]) => nameOf(path)));
  const installed = all.filter(([path, { link }]) => path.includes('node_modules/') && !link);
  const problems = all.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !have.has(name))
      .map((name) => `${nameOf(path)}: ${name} is missing from the lock; npm ci will fail`),
  );
  for (const [path, { integrity, inBundle, resolved = 'https://' }] of installed) {
    if (!integrity && !inBundle) problems.push(`${nameOf(path)}: no integrity in the lock`);
    if (!resolved.startsWith('https://')) problems.push(`${nameOf(path)}: comes from ${resolved}, no https registry`);
  }
  if (installed.length === 0) problems.push('the lock names no package');
  return { ok: problems.length === 0, packages: installed.length, problems };
}
