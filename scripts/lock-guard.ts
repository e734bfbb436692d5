/**
 * The lock gate: `npm ci` will work on every platform, and every package is the one that was locked.
 *
 * - every optional platform package that a package names is in the lock (npm leaves them out silently when the registry
 *   lags, and `npm ci` then stops);
 * - every package from a registry carries its integrity.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, ROOT } from './lib/root.mjs';

interface Locked {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly inBundle?: boolean;
  readonly resolved?: string;
  readonly optionalDependencies?: object;
}

export function checkLock(root = ROOT): { ok: boolean; packages: number; problems: readonly string[] } {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages = {} } = JSON.parse(text) as { packages?: Readonly<Record<string, Locked>> };
  const nameOf = (path: string): string => path.replace(/.*node_modules\//, '');
  const have = new Set(Object.keys(packages).map(nameOf));
  const problems: string[] = [];
  let fromRegistry = 0;
  for (const [path, entry] of Object.entries(packages)) {
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!have.has(name)) problems.push(`${nameOf(path)}: ${name} is missing from the lock; npm ci will fail`);
    }
    if (!path.includes('node_modules/') || entry.link) continue;
    fromRegistry += 1;
    if (!entry.integrity && !entry.inBundle) problems.push(`${nameOf(path)}: no integrity in the lock`);
    if (entry.resolved && !entry.resolved.startsWith('https://')) {
      problems.push(`${nameOf(path)}: comes from ${entry.resolved}, which is no https registry`);
    }
  }
  if (fromRegistry === 0) problems.push('the lock names no package');
  return { ok: problems.length === 0, packages: fromRegistry, problems };
}

if (isMain(import.meta.url)) {
  const { ok, packages, problems } = checkLock();
  console.log(ok ? `${packages} packages, all locked` : problems.join('\n'));
  process.exit(ok ? 0 : 1);
}
