/** Installs Debian's packages if this process can: as root, with apt-get. */
import { spawnSync, type SpawnSyncOptionsWithStringEncoding } from 'node:child_process';

export const mayInstall = (): boolean =>
  process.getuid?.() === 0 && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;

/** @returns the reason of the failure, or null */
export function aptInstall(...names: readonly string[]): string | null {
  console.log(`Installing Debian's ${names.join(', ')} (apt-get) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options: SpawnSyncOptionsWithStringEncoding = {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: 300_000,
    env,
  };
  // Package lists as old as the machine's image name removed or outdated packages.
  spawnSync('apt-get', ['update'], options);
  const result = spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...names], options);
  if (result.status === 0) return null;
  const lines = (result.stderr ?? '').trim().split('\n');
  return `apt-get could not install ${names.join(', ')}: ${lines.at(-1) || result.error?.message || 'no reason given'}`;
}
