/** Programs of other languages with their usual library of JWTs, from Debian's packages. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { aptInstall, mayInstall } from './apt.ts';
import { hasProgram } from './front-proxies.ts';

export const runs = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Debian's packages belong to Debian's Python, which may not be the first one in PATH. */
export const pythonWith = (...modules: readonly string[]): string | undefined =>
  ['python3', '/usr/bin/python3'].find((python) => runs(python, '-c', `import ${modules.join(', ')}`));

export const pythonWithJwt = (): string | undefined => pythonWith('jwt', 'cryptography');

interface GoModule {
  readonly folder: string;
  /** With its major version: `github.com/golang-jwt/jwt/v4`. */
  readonly path: string;
}

const GO_SOURCES = '/usr/share/gocode/src/github.com/golang-jwt/jwt';

/** Debian 12 has version 4, later ones have version 5, too. */
export function goJwt(): GoModule | undefined {
  if (!hasProgram('go')) return undefined;
  return [`${GO_SOURCES}/v5`, GO_SOURCES].flatMap((folder) => {
    if (!existsSync(`${folder}/go.mod`)) return [];
    const path = /^module (\S+)$/mu.exec(readFileSync(`${folder}/go.mod`, 'utf8'))?.[1];
    return path === undefined ? [] : [{ folder, path }];
  })[0];
}

export const LANGUAGES = {
  python: {
    package: 'python3-jwt and python3-cryptography',
    tests: 'a server in Python',
    isInstalled: () => pythonWithJwt() !== undefined,
  },
  go: {
    package: 'golang-go and golang-github-golang-jwt-jwt-dev',
    tests: 'a server in Go',
    isInstalled: () => goJwt() !== undefined,
  },
  ruby: {
    package: 'ruby-jwt and ruby-webrick',
    tests: 'a server in Ruby',
    isInstalled: () => hasProgram('ruby') && runs('ruby', '-rjwt', '-rwebrick', '-e', ''),
  },
} as const;

/** Installs what is missing, if this process can. */
export function ensureLanguages(): void {
  const missing = Object.values(LANGUAGES).filter((language) => !language.isInstalled());
  if (missing.length === 0 || !mayInstall()) return;
  const failure = aptInstall(...missing.flatMap((language) => language.package.split(' and ')));
  if (failure !== null) console.log(failure);
}
