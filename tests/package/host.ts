import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { outsideEnv as env } from '#scripts/lib/pack.ts';
import { unpackPackage } from './pack.ts';

const run = promisify(execFile);

/** A host project that has installed the packed tarball, and nothing of this repository beside it. */
export interface Host {
  readonly folder: string;
  /** Where the package is in it. */
  readonly installed: string;
  readonly tarball: string;
  readonly node: (args: readonly string[]) => Promise<{ readonly stdout: string }>;
  /** Runs Vite's build in the project. */
  readonly vite: (...args: readonly string[]) => Promise<{ readonly stdout: string }>;
  readonly remove: () => void;
}

/** @param own packages in place of the repository's, by name: their folders */
export async function installHost(own: Readonly<Record<string, string>> = {}): Promise<Host> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-host-'));
  const tarball = inject('tarball');
  const installed = await unpackPackage(tarball, folder);

  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'peerDependencies',
    Record<string, string>
  >;
  for (const name of [...Object.keys({ ...dependencies, ...peerDependencies }), '@types/react', '@types/react-dom']) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(own[name] ?? join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'host', private: true, type: 'module' }));
  const node = (args: readonly string[]) => run(process.execPath, args, { cwd: folder, env });
  return {
    folder,
    installed,
    tarball,
    node,
    vite: (...args) => node([join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn', ...args]),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
