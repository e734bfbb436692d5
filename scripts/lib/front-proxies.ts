/**
 * The proxies whose configurations are tested. They are installed before the tests run, because a test worker that waits for apt-get
 * would not respond to its runner.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptInstall, mayInstall } from './apt.ts';

const PACKAGES = { nginx: 'nginx-light', haproxy: 'haproxy', caddy: 'caddy' } as const;
export type ProxyName = keyof typeof PACKAGES;

/** Debian installs servers into folders outside an ordinary user's PATH. */
export const hasProgram = (name: string): boolean =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].some((folder) => existsSync(join(folder, name)));

const absent = (): readonly ProxyName[] => (Object.keys(PACKAGES) as ProxyName[]).filter((name) => !hasProgram(name));

/** The summary for the test report. */
export function ensureProxies(): string {
  const wanted = absent();
  if (wanted.length > 0 && mayInstall()) aptInstall(...wanted.map((name) => PACKAGES[name]));
  const still = absent();
  return still.length === 0 ? 'nginx, haproxy and Caddy' : `without ${still.join(', ')}, which cannot be installed`;
}
