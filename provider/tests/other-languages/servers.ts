import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goJwt, pythonWithJwt } from '#scripts/lib/languages.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { start } from '#scripts/lib/run.ts';

/** The snippets that the page shows. */
const SNIPPETS = join(ROOT, 'examples/other-languages');

/** Makes the server of a language ready in an empty folder, and returns its command. */
type Preparation = (folder: string) => Promise<readonly string[]>;

async function buildGo(folder: string): Promise<readonly string[]> {
  const library = goJwt();
  if (library === undefined) throw new Error('Go has no library of JWTs');
  cpSync(join(SNIPPETS, 'go'), folder, { recursive: true });
  // The snippet is the same with version 4, but for its path.
  const snippet = readFileSync(join(folder, 'portico.go'), 'utf8');
  writeFileSync(join(folder, 'portico.go'), snippet.replace('github.com/golang-jwt/jwt/v5', library.path));
  const version = `v${library.path.at(-1)}.0.0`;
  const module = `module server\n\nrequire ${library.path} ${version}\n\nreplace ${library.path} => ${library.folder}\n`;
  writeFileSync(join(folder, 'go.mod'), module);
  const env = { ...process.env, GO111MODULE: 'on', GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' };
  const build = start('go', ['build', '-o', 'server'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  build.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(build, 'close')) as [number];
  if (code !== 0) throw new Error(output);
  return [join(folder, 'server')];
}

export const SERVERS: Readonly<Record<'python' | 'go' | 'ruby', Preparation>> = {
  python: async () => [pythonWithJwt() ?? '', join(SNIPPETS, 'python/server.py')],
  go: buildGo,
  ruby: async () => ['ruby', join(SNIPPETS, 'ruby/server.rb')],
};

/** Starts the server on loopback, with these settings. It ends with this process. */
export function startServer([command = '', ...args]: readonly string[], settings: object): ChildProcess {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...settings };
  return start(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
