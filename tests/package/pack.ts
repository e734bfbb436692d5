import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { packPackage } from '#scripts/lib/pack.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The packed package. */
    readonly tarball: string;
  }
}

const run = promisify(execFile);

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
