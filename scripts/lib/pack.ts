import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './root.mjs';

/** npm and its tools must not inherit the environment of this test run. Their output is parsed, so colours are off. */
export const outsideEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(NODE_ENV|VITEST.*|npm_.*|TEST|FORCE_COLOR)$/.test(name)),
  ),
  NO_COLOR: '1',
};

export interface PackageTarball {
  readonly tarball: string;
  remove(): void;
}

/** Packs the package, or the one in that folder, as npm would publish it. */
export async function packPackage(of = '.'): Promise<PackageTarball> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-pack-'));
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder, of === '.' ? of : `./${of}`];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, env: outsideEnv });
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>);
  return {
    tarball: join(folder, packed?.filename ?? ''),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
