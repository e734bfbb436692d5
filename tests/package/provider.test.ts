import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { outsideEnv, packPackage, type PackageTarball } from '#scripts/lib/pack.ts';
import { newerSyntax } from '../newer-syntax.ts';
import { unpackPackage } from './pack.ts';
import { SOAK } from '../soak.ts';
import { soakIt } from '../soak-tests.ts';

const NAME = 'portico-provider';
const BIN = join('node_modules/.bin', NAME);
/** An empty folder, in which the packed provider alone was installed. */
const folder = mkdtempSync(join(tmpdir(), 'portico-empty-'));
let packed: PackageTarball;
let installed = '';
let manifest: {
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

beforeAll(async () => {
  packed = await packPackage('provider');
  installed = await unpackPackage(packed.tarball, folder, NAME);
  manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as typeof manifest;
  const modules = join(folder, 'node_modules');
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  mkdirSync(join(modules, '.bin'));
  for (const [name, path] of Object.entries(manifest.bin)) {
    symlinkSync(join('..', NAME, path), join(modules, '.bin', name));
    await chmod(join(installed, path), 0o755);
  }
});
afterAll(() => {
  packed.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface ProcessResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in the folder, without the environment of this repository. */
function run(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  seen: (out: string, pid: number) => void = () => undefined,
) {
  const own = Object.fromEntries(Object.entries(outsideEnv).filter(([name]) => !name.startsWith('PORTICO_')));
  const child = spawn(command[0], command.slice(1), { cwd: folder, env: { ...own, ...env }, detached: true });
  let out = '';
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString();
    seen(out, child.pid ?? 0);
  });
  let err = '';
  child.stderr.on('data', (part: Buffer) => (err += part.toString()));
  return new Promise<ProcessResult>((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

describe('the packed provider', () => {
  it('holds the build, its documents and what deploys it, and no source or test', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
      lstatSync(join(installed, name)).isFile(),
    );
    const known =
      /^(?:package\.json|openapi\.json|project\.json|README\.md|LICENSE|dist\/[\w-]+\.m?js|deploy\/[\w.-]+)$/u;
    expect(files.filter((name) => !known.test(name))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'openapi.json', 'project.json', 'dist/main.js']),
    );
    expect(files.filter((name) => readFileSync(join(installed, name), 'utf8').includes(ROOT))).toEqual([]);
  });

  it('depends on exact versions, and imports no package that it does not name', () => {
    for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/u);
    const named = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }));
    const built = readdirSync(join(installed, 'dist')).map((name) =>
      readFileSync(join(installed, 'dist', name), 'utf8'),
    );
    const imports = built.flatMap((text) =>
      [...text.matchAll(/(?:^import\b[^'"`;]*?|\bfrom |\bimport\()["']([^"'.][^"']*)["']/gmu)].map(
        ([, name = '']) => name,
      ),
    );
    const packages = imports
      .filter((name) => !name.startsWith('node:'))
      .map((name) => /^(?:@[^/]+\/)?[^/]+/u.exec(name)?.[0] ?? '');
    expect(packages.length).toBeGreaterThan(20);
    // `init` prints the lines that mount a login, with their import.
    expect(packages.filter((name) => !named.has(name) && name !== 'portico')).toEqual([]);
  });

  it('begins with a file that an older Node reads, which imports nothing before it has refused it', async () => {
    const main = readFileSync(join(installed, 'dist/main.js'), 'utf8');
    expect(await newerSyntax(main)).toBeNull();
    expect(main).not.toMatch(/^import\b(?!\()/mu);
    expect(main).toContain('import("./program.js")');
  });

  it('has a manifest that publint finds nothing to say against', async () => {
    const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it('starts in an empty folder without options, and reports where it is and what a page needs', async () => {
    let url = '';
    const health: Promise<Response>[] = [];
    const { code, out } = await run(SOAK ? ['npx', '--offline', NAME] : [BIN], { PORTICO_PORT: '0' }, (out, pid) => {
      const found = /^listening on (\S+)\npublic token \S+\nproject id \S+\n/u.exec(out)?.[1];
      if (found === undefined || url !== '') return;
      url = found;
      health.push(fetch(`${found}/readyz`).finally(() => process.kill(-pid, 'SIGTERM')));
    });
    expect((await health[0])?.status).toBe(200);
    expect(out).toMatch(
      /\nproject id project-test-[\da-f-]+\nemails and text messages \S+\/dev\/inbox\ndevelopment mode for this machine only, because there is no project file/u,
    );
    expect(existsSync(join(folder, '.data/provider/keys.json'))).toBe(true);
    expect(code === 0 || code === null || code === 143).toBe(true);
  });

  soakIt('reports which packages traces need, where they are not installed', async () => {
    const { code, err } = await run([BIN], {
      PORTICO_DATA: 'memory',
      PORTICO_PORT: '0',
      PORTICO_OTEL: '1',
      PORTICO_DEV: '1',
    });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^Traces need packages that are not installed: npm install @opentelemetry\/sdk-trace-base .*\n$/u,
    );
  });

  soakIt('writes a project file with init, and serves it', async () => {
    const made = await run([BIN, 'init'], {});
    expect(made.code).toBe(0);
    expect(readFileSync(join(folder, 'portico.jsonc'), 'utf8')).toContain('// The project of a Portico provider');
    const token = /public-token-live-[\da-f-]{36}/u.exec(made.out)?.[0] ?? 'none';
    const env = {
      PORTICO_PROJECT: 'portico.jsonc',
      PORTICO_PORT: '0',
      PORTICO_DATA: 'memory',
      PORTICO_DRAIN_SECONDS: '0',
    };
    const { out } = await run([BIN], env, (out, pid) => {
      if (/^project id \S+\n/mu.test(out)) process.kill(-pid, 'SIGTERM');
    });
    expect(out).toMatch(/^listening on http:\/\/localhost:\d+\n/u);
    expect(out).toContain(`public token ${token}\n`);
    expect(out).not.toContain('development mode');
  });
});
