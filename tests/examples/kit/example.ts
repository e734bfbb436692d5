import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import getPort from 'get-port';
import { ensureDeps } from '#scripts/ensure-deps.mjs';
import { ROOT } from '#scripts/lib/root.mjs';
import { runNode, start, stop } from '#scripts/lib/run.ts';
import { outsideEnv } from '#scripts/lib/pack.ts';
import { unpackPackage } from '../../package/pack.ts';
import { surviveHostileRequests } from '../../hostile-requests.ts';
import { PATIENCE_MS } from '../../patience-ms.ts';
import { appAfter, starterFiles, type Files, type StarterName } from '../../unit/docs/guide-files.ts';

/** A script of an installed package, such as `next/dist/bin/next`, or of the example, such as `./server.mjs`; then its arguments. */
export type Command = readonly string[];

type Variables = Readonly<Record<string, string>>;

interface Server {
  readonly command: Command;
  readonly env?: Variables;
}

/** How one of `examples/` is built and served. */
export interface Recipe {
  /** Run one after the other: type checks, builds. */
  readonly builds?: readonly Command[];
  /** Another example whose `page.mjs` and `public/` are served beside this one. */
  readonly pageOf?: string;
  /** `api` is a second server of the example, on a port of its own. */
  readonly serve: (port: number) => Server & { readonly api?: Server & { readonly port: number } };
  /** The binary of a package of `tests/runtimes` that runs the command. Default: this Node. */
  readonly runtime?: string;
  /** What the app is told of the provider, in the builds too. */
  readonly env: Variables;
}

export interface RunningExample {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Copies examples out of the repository's sources, each into a folder of its own, with the packed tarball as their `portico`.
 * Their other packages are the repository's, which are found in the folders above. For those without a lock of their own.
 */
export async function copyExamples(...names: readonly string[]): Promise<{ folder: string; remove(): void }> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.cache/examples-'));
  for (const name of names) cpSync(join(ROOT, 'examples', name), join(folder, name), { recursive: true });
  await unpackPackage(process.env['PORTICO_TARBALL'] ?? '', folder);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * The example in the place where its packages stay from run to run, when it has a lock of its own; or null. The lock leaves out
 * `portico`, which is the packed tarball.
 */
export async function installExample(name: string): Promise<string | null> {
  const from = join(ROOT, 'examples', name);
  if (!existsSync(join(from, 'package-lock.json'))) return null;
  const folder = join(ROOT, '.cache/examples', name);
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder)) {
    if (file !== 'node_modules') rmSync(join(folder, file), { recursive: true });
  }
  cpSync(from, folder, { recursive: true, filter: (path) => !relative(from, path).includes('node_modules') });
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const { portico: _tarball, ...dependencies } = manifest.dependencies;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, dependencies }));
  await ensureDeps(folder);
  rmSync(join(folder, 'node_modules/portico'), { recursive: true, force: true });
  await unpackPackage(process.env['PORTICO_TARBALL'] ?? '', folder);
  return folder;
}

/** Runs a command to its end. Throws with what it printed when it fails. */
export async function runCommand(folder: string, command: Command, env: Variables): Promise<string> {
  const { code, output } = await runNode(located(folder, command), { cwd: folder, env: { ...outsideEnv, ...env } });
  if (code !== 0) throw new Error(`${command.join(' ')} ended with code ${code}\n${output}`);
  return output;
}

/** Builds a copy of an example and serves it on a free port. */
export async function startExample(name: string, recipe: Recipe): Promise<RunningExample> {
  const installed = await installExample(name);
  const copied = installed === null ? await copyExamples(name) : null;
  const folder = installed ?? join(copied?.folder ?? '', name);
  if (recipe.pageOf !== undefined) {
    const page = join(ROOT, 'examples', recipe.pageOf);
    for (const part of ['page.mjs', 'public']) cpSync(join(page, part), join(folder, part), { recursive: true });
  }
  return startApp(folder, recipe, () => copied?.remove());
}

const withReplaced = (text: string, replacements: Files): string =>
  Object.entries(replacements).reduce((all, [from, to]) => all.replaceAll(from, to), text);

/** The starters' type settings extend those of packages that the repository does not have. No build checks types. */
const withoutPackages = (name: string, text: string): string =>
  name.startsWith('tsconfig') ? text.replace(/^\s*"extends": "@.*\n/mu, '') : text;

/**
 * Builds and serves what readers have after a guide: a new app of its starter, with the guide's files.
 *
 * @param replacements addresses of the guide that are others here, by what the guide says
 * @param starter another starter, where the packages of the guide's own are not installed here
 */
export async function startGuide(
  page: string,
  recipe: Recipe,
  replacements: Readonly<Record<string, string>> = {},
  starter?: StarterName,
): Promise<RunningExample> {
  const { folder, remove } = await newApp(appAfter(page, starter), replacements);
  return startApp(folder, recipe, remove);
}

/**
 * A new app that finds the packed tarball and the repository's packages in the folders above.
 *
 * @param packagesOf an example with a lock, whose packages it has instead
 */
async function newApp(
  files: Files,
  replacements: Files = {},
  packagesOf?: string,
): Promise<{ readonly folder: string; remove(): void }> {
  const installed = packagesOf === undefined ? null : await installExample(packagesOf);
  const { folder: parent, remove } =
    installed === null ? await copyExamples() : { folder: installed, remove: () => undefined };
  const folder = join(parent, 'app');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), withoutPackages(name, withReplaced(text, replacements)));
  }
  return { folder, remove };
}

/** The command `portico`, as a script of an app. */
export const COMMAND = './../node_modules/portico/dist/cli.js';

interface FreshRecipe extends Recipe {
  /** The example with a lock whose packages the starter has. Default: those of the repository. */
  readonly packagesOf?: string;
  /** The packages that people install before the command, beside `portico`. */
  readonly packages?: readonly string[];
  /** The existing files that the command changes. */
  readonly replaced: readonly string[];
  /** Addresses in files of the app's root that another server of this machine may have, by what the guide says. */
  readonly addresses?: Files;
}

/** Builds and serves a fresh starter after `npx portico init`. */
export async function startFresh(
  starter: StarterName,
  { packagesOf, packages = [], replaced, addresses = {}, ...recipe }: FreshRecipe,
): Promise<RunningExample> {
  const files = starterFiles(starter);
  const manifest = JSON.parse(files['package.json'] ?? '{}') as { readonly dependencies: object };
  const installed = Object.fromEntries(['portico', ...packages].map((name) => [name, '*']));
  const withPackages = { ...manifest, dependencies: { ...manifest.dependencies, ...installed } };
  const { folder, remove } = await newApp({ ...files, 'package.json': JSON.stringify(withPackages) }, {}, packagesOf);
  const provider = process.env['PORTICO_PROVIDER_URL'] ?? '';
  try {
    const consents = replaced.flatMap((file) => ['--replace', file]);
    await runCommand(folder, [COMMAND, 'init', '--api-url', provider, ...consents], {});
    for (const entry of readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile())) {
      const path = join(folder, entry.name);
      writeFileSync(path, withReplaced(readFileSync(path, 'utf8'), addresses));
    }
  } catch (error) {
    remove();
    throw error;
  }
  return startApp(folder, recipe, remove);
}

async function startApp(
  folder: string,
  { builds = [], serve, runtime, env }: Recipe,
  remove: () => void,
): Promise<RunningExample> {
  /** The scripts of the app itself: what a build writes, and the servers of frameworks, are not its own. */
  const scripts = new Set(readdirSync(folder).filter((name) => /\.[cm]?js$/u.test(name)));
  const isOwn = (command: Command): boolean => command.some((part) => scripts.has(part.replace('./', '')));
  const inProduction = { ...env, NODE_ENV: 'production' as const };
  const children: ChildProcess[] = [];
  const run = (binary: string, args: readonly string[], variables?: Variables): ChildProcess => {
    const child = start(binary, args, {
      cwd: folder,
      env: { ...outsideEnv, ...inProduction, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    return child;
  };
  const end = async (): Promise<void> => {
    await Promise.all(children.map(async (child) => stop(child)));
    remove();
  };
  try {
    for (const command of builds) await runCommand(folder, command, inProduction);
    const port = await getPort();
    const served = serve(port);
    const [binary, args] =
      runtime === undefined
        ? [process.execPath, located(folder, served.command)]
        : [join(ROOT, 'tests/runtimes/node_modules', runtime), served.command];
    const child = run(binary, args, served.env);
    const url = `http://localhost:${port}`;
    const servers = [{ server: child, at: url, command: served.command }];
    if (served.api !== undefined) {
      const { command, env: variables, port: apiPort } = served.api;
      const api = run(process.execPath, located(folder, command), variables);
      servers.push({ server: api, at: `http://localhost:${apiPort}`, command });
    }
    for (const { server, at, command } of servers) {
      await untilAnswered(server, at);
      if (isOwn(command)) await surviveHostileRequests(at);
    }
    return { url, stop: end };
  } catch (error) {
    await end();
    throw error;
  }
}

function located(folder: string, [file = '', ...args]: Command): readonly string[] {
  if (file.startsWith('./')) return [join(folder, file), ...args];
  const places = [folder, dirname(folder), ROOT].map((place) => join(place, 'node_modules', file));
  return [places.find((path) => existsSync(path)) ?? file, ...args];
}

/** Not every server says that it listens. */
async function untilAnswered(child: ChildProcess, url: string): Promise<void> {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-20_000)));
  }
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}\n${said}`);
    const reply = await fetch(url).catch(() => null);
    if (reply !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`The server was not ready within ${PATIENCE_MS} ms.\n${said}`);
}
