/** The provider's bill of materials. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import names from '../../names.json' with { type: 'json' };
import { outsideEnv } from './pack.ts';
import { ROOT } from './root.mjs';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly link?: boolean }>>;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

/**
 * The packages that the provider runs with, in the format CycloneDX, from the lock and without a network.
 *
 * npm reads a folder that has the provider alone: of a workspace, `npm sbom --omit=dev` leaves out packages that other workspaces have too.
 *
 * @throws {Error} if npm fails; it prints the reason to stderr
 */
export function billOfMaterials(): string {
  const { name, version, license, dependencies } = readJson('provider/package.json') as Readonly<
    Record<string, unknown>
  >;
  const manifest = { name, version, license, dependencies };
  const { packages } = readJson('package-lock.json') as Lock;
  const installed = Object.entries(packages).filter(
    ([path, { link = false }]) => path.startsWith('node_modules/') && !link,
  );
  const parent = mkdtempSync(join(tmpdir(), 'portico-materials-'));
  // npm names the subject by its folder.
  const folder = join(parent, names.provider);
  const npm = (...args: readonly string[]): string =>
    execFileSync('npm', [...args, '--package-lock-only', '--offline'], {
      cwd: folder,
      env: outsideEnv,
      encoding: 'utf8',
    });
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const lock = { lockfileVersion: 3, packages: { '': manifest, ...Object.fromEntries(installed) } };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    // Removes the packages that the provider does not need.
    npm('install', '--ignore-scripts', '--no-audit', '--no-fund');
    return npm('sbom', '--omit=dev', '--sbom-format=cyclonedx');
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
