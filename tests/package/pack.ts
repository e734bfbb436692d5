import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
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

/** Packs the package once for all test files. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-pack-'));
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, env: outsideEnv });
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>);
  provide('tarball', join(folder, packed?.filename ?? ''));
  return () => rmSync(folder, { recursive: true, force: true });
}
