import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { ROOT } from '../../scripts/lib/root.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The packed package. */
    readonly tarball: string;
  }
}

/** npm and tools must not take this repository's test run for theirs, and what they print is read: it has no colours. */
export const outsideEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(NODE_ENV|VITEST.*|npm_.*|TEST|FORCE_COLOR)$/.test(name)),
  ),
  NO_COLOR: '1',
};

const run = promisify(execFile);

export interface Packed {
  readonly tarball: string;
  remove(): void;
}

/** Packs the package, or the one in that folder, as npm would publish it. */
export async function packPackage(of = '.'): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-pack-'));
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder, of === '.' ? of : `./${of}`];
  const { stdout } = await run('npm', args, { cwd: ROOT, env: outsideEnv });
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>);
  return {
    tarball: join(folder, packed?.filename ?? ''),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Unpacks the tarball in the node_modules of a project; answers where. */
export async function unpackPackage(tarball: string, folder: string, name = 'portico'): Promise<string> {
  const installed = join(folder, 'node_modules', name);
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  return installed;
}

/** Packs the package once for all test files. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  const { tarball, remove } = await packPackage();
  provide('tarball', tarball);
  return remove;
}
