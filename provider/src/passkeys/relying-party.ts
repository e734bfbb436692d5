import { allowsOrigin, isLoopbackOrigin, type Project } from '../project/project.ts';

const LOCALHOST = /^(?:[a-z0-9-]+\.)*localhost$/u;
const IP = /^(?:\[.*\]|[\d.]+)$/u;

function hostOf(origin: string): string {
  return new URL(origin).hostname;
}

/** True when passkeys may be scoped to the domain: the host of a registered origin, never an address. */
export function isRelyingParty(project: Project, domain: string): boolean {
  if (IP.test(domain)) return false;
  return (
    project.origins.some((origin) => hostOf(origin) === domain) || (project.allow_loopback && LOCALHOST.test(domain))
  );
}

/** True for a registered origin whose host is the domain or below it (WebAuthn Level 3, section 5.1.3, step 8). */
export function mayUse(project: Project, domain: string, origin: string): boolean {
  if (!allowsOrigin(project, origin)) return false;
  const host = hostOf(origin);
  const secure = origin.startsWith('https:') || isLoopbackOrigin(origin);
  return secure && (host === domain || host.endsWith(`.${domain}`));
}
