/**
 * Programs of others that single tests run where they are installed. Only `npm run test:soak` installs those of other languages, and nobody
 * the others. The report of a run names those that are missing.
 */
import { existsSync } from 'node:fs';
import { hasProgram } from './front-proxies.ts';
import { LANGUAGES, pythonWith, runs } from './languages.ts';

const PROGRAMS = {
  promtool: { package: 'prometheus', tests: 'the alert rules', isInstalled: () => hasProgram('promtool') },
  systemdAnalyze: {
    package: 'systemd',
    tests: 'the unit file',
    isInstalled: () => runs('systemd-analyze', '--version'),
  },
  modAuthOpenidc: {
    package: 'apache2 and libapache2-mod-auth-openidc',
    tests: 'a connected app in Apache',
    isInstalled: () => hasProgram('apache2') && existsSync('/usr/lib/apache2/modules/mod_auth_openidc.so'),
  },
  oidcAgent: {
    package: 'oidc-agent-cli',
    tests: 'a connected app on a command line',
    isInstalled: () => hasProgram('oidc-gen'),
  },
  fastmcp: {
    package: 'fastmcp of Python',
    tests: 'an agent in Python',
    isInstalled: () => runs('python3', '-c', 'import fastmcp.client.auth'),
  },
  fido2: {
    package: 'python3-fido2',
    tests: 'a second opinion on attestations',
    isInstalled: () => pythonWith('fido2.attestation') !== undefined,
  },
  ...LANGUAGES,
} as const;

export const isInstalled = (name: keyof typeof PROGRAMS): boolean => PROGRAMS[name].isInstalled();

export const pythonWithFido2 = (): string | undefined => pythonWith('fido2.attestation');

/** One line for each program that is not installed. */
export const missingPrograms = (): readonly string[] =>
  Object.values(PROGRAMS)
    .filter((program) => !program.isInstalled())
    .map((program) => `Not installed: ${program.package}, for ${program.tests}`);
