/** aiosmtpd, an SMTP server for the tests that is independent of the client. Debian's package is installed if it is missing. */
import { spawnSync } from 'node:child_process';
import { aptInstall, mayInstall } from './apt.ts';

/** Debian's packages belong to Debian's Python, which may not be the first one in PATH. */
const PYTHONS = ['python3', '/usr/bin/python3'];

interface MailServer {
  /** The Python that has the package. */
  readonly python: string;
  readonly version: string;
}

export function findMailServer(): MailServer | null {
  for (const python of PYTHONS) {
    const found = spawnSync(python, ['-c', 'import aiosmtpd; print(aiosmtpd.__version__)'], { encoding: 'utf8' });
    if (found.status === 0) return { python, version: found.stdout.trim() };
  }
  return null;
}

export function ensureMailServer(): MailServer | { readonly reason: string } {
  const failure = findMailServer() === null && mayInstall() ? aptInstall('python3-aiosmtpd') : null;
  return findMailServer() ?? { reason: failure ?? 'python3 has no package aiosmtpd' };
}
