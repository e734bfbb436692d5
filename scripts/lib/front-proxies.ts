/**
 * The proxies whose configurations are tested. They are installed before the tests run: a test worker that waited for apt-get
 * would not answer its runner.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptInstall, mayInstall } from './apt.ts';

const PACKAGES = { nginx: 'nginx-light', haproxy: 'haproxy', caddy: 'caddy' } as const;
export type ProxyName = keyof typeof PACKAGES;

/** Debian keeps servers where an ordinary user's PATH does not lead. */
export const hasProgram = (name: string): boolean =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].some((folder) => existsSync(join(folder, name)));

const absent = (): readonly ProxyName[] => (Object.keys(PACKAGES) as ProxyName[]).filter((name) => !hasProgram(name));

/** What the run says of them. */
export function ensureProxies(): string {
  const wanted = absent();
  if (wanted.length > 0 && mayInstall()) aptInstall(...wanted.map((name) => PACKAGES[name]));
  const still = absent();
  return still.length === 0 ? 'nginx, haproxy and Caddy' : `without ${still.join(', ')}, which cannot be had`;
}
