import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { afterAll, describe, expect, it } from 'vitest';
import { isInstalled } from '#scripts/lib/programs.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { OPTIONS, type OptionSpec } from '#provider/operation/options/option-table.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { soakIt } from '#tests/soak-tests.ts';
import { readContainerfile } from '../kit/containerfile.ts';

const read = (name: string): string => readFileSync(join(ROOT, 'provider/deploy', name), 'utf8');
const VARIABLES = new Set(
  Object.values(OPTIONS).flatMap(({ variable = '', isSecret }: OptionSpec) =>
    isSecret === true ? [variable, `${variable}_FILE`] : [variable],
  ),
);

describe('the Containerfile', () => {
  const { text, instructions, last, valueOf, env, command } = readContainerfile('provider/deploy/Containerfile');

  it('passes its linter', () => {
    expect(validate(text)).toEqual([]);
    expect(instructions.length).toBeGreaterThan(12);
  });

  it('builds on an image of an exact version, in stages', () => {
    expect(instructions[0]).toEqual({
      name: 'ARG',
      value: expect.stringMatching(/^NODE_IMAGE=[\w./-]+\/node:\d+\.\d+\.\d+-[\w-]+$/u),
    });
    const bases = instructions.filter(({ name }) => name === 'FROM').map(({ value }) => value);
    // oxlint-disable-next-line no-template-curly-in-string
    expect(bases).toEqual(['${NODE_IMAGE} AS install', '${NODE_IMAGE}']);
  });

  it('runs as a user who is not root, for production, by a command without a shell', () => {
    expect(valueOf('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/u);
    expect(valueOf('ENV')).toContain('NODE_ENV=production');
    const { bin } = JSON.parse(readFileSync(join(ROOT, 'provider/package.json'), 'utf8')) as { bin: object };
    const [[name, path] = []] = Object.entries(bin) as [string, string][];
    expect(command).toEqual(['node', `/app/node_modules/${name}/${path}`]);
    expect(last.map(({ name }) => name)).not.toContain('RUN');
  });

  it('sets only options that there are', () => {
    const set = Object.keys(env).filter((name) => name.startsWith('PORTICO_'));
    expect(set.length).toBeGreaterThan(2);
    expect(set.filter((name) => !VARIABLES.has(name))).toEqual([]);
    expect(optionsFrom([], env)).toMatchObject({ host: '0.0.0.0', port: 4100, bare: false, log: { format: 'json' } });
  });

  it('has the labels of OCI images, with the version, licence and repository of the package', () => {
    const { version, license, repository } = JSON.parse(
      readFileSync(join(ROOT, 'provider/package.json'), 'utf8'),
    ) as Readonly<Record<string, string>> & { readonly repository: { readonly url: string } };
    const labels = [...valueOf('LABEL').matchAll(/org\.opencontainers\.image\.([\w.]+)="([^"]+)"/gu)].map(
      ([, name, value]) => [name, value],
    );
    expect(Object.fromEntries(labels)).toEqual({
      title: 'portico-provider',
      description: expect.any(String),
      version,
      licenses: license,
      source: repository.url.replace(/^git\+|\.git$/gu, ''),
      // oxlint-disable-next-line no-template-curly-in-string
      'base.name': '${NODE_IMAGE}',
    });
    // An argument from before the first stage is empty in a stage that does not repeat it.
    expect(last[1]).toEqual({ name: 'ARG', value: 'NODE_IMAGE' });
  });

  it('copies files that belong to root, except the folder of the embedded database', () => {
    const copies = text.match(/^COPY --from=.*$/gmu);
    expect(copies).toEqual(['COPY --from=install /app /app', 'COPY --from=install --chown=1000:1000 /data /data']);
    expect(valueOf('USER')).toBe('1000:1000');
  });

  soakIt('has a check of health that follows /healthz, without another program', async () => {
    const [, command = ''] = /CMD (\[.*\])$/su.exec(valueOf('HEALTHCHECK')) ?? [];
    const [program, ...args] = JSON.parse(command) as readonly string[];
    expect(program).toBe('node');
    let status = 200;
    const server = createServer(({ url }, reply) => reply.writeHead(url === '/healthz' ? status : 404).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const env = { ...process.env, PORTICO_PORT: String((server.address() as AddressInfo).port) };
    const check = (): Promise<number> =>
      new Promise((resolve) => {
        execFile(process.execPath, args, { env }, (error) => resolve(error === null ? 0 : Number(error.code)));
      });
    expect(await check()).toBe(0);
    status = 503;
    expect(await check()).toBe(1);
    server.close();
  });
});

describe('the unit of systemd', () => {
  const text = read('portico-provider.service');
  const folder = mkdtempSync(join(tmpdir(), 'portico-unit-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const values = (name: string): readonly string[] =>
    [...text.matchAll(new RegExp(`^(?:# )?${name}=(.*)$`, 'gmu'))].map(([, value = '']) => value);

  it('sets only options that there are, and secrets as credentials alone', () => {
    const set = values('Environment').map((line) => /^(\w+)=(.*)$/u.exec(line)?.slice(1) ?? []);
    const ours = set.filter(([name = '']) => name.startsWith('PORTICO_'));
    expect(ours.length).toBeGreaterThan(4);
    expect(ours.filter(([name = '']) => !VARIABLES.has(name))).toEqual([]);
    const credentials = values('LoadCredential').map((line) => line.split(':')[0]);
    const files = ours.flatMap(([name = '', value = '']) => (name.endsWith('_FILE') ? [value] : []));
    expect(files).toEqual(credentials.map((name) => `%d/${name}`));
    const secrets = new Set(
      Object.values(OPTIONS).flatMap(({ variable, isSecret }: OptionSpec) =>
        isSecret === true ? [variable] : ['PORTICO_KEY'],
      ),
    );
    expect(ours.filter(([name = '']) => secrets.has(name))).toEqual([]);
    expect(set).toContainEqual(['NODE_ENV', 'production']);
  });

  it('gives a stop more time than the drain and the requests in progress take', () => {
    const { drainSeconds } = optionsFrom(['--project', 'p.json'], {});
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThan(drainSeconds + 30);
  });

  it.runIf(isInstalled('systemdAnalyze'))('passes systemd-analyze: it is a unit, and exposes little', () => {
    const path = join(folder, 'portico-provider.service');
    writeFileSync(path, text.replace('/usr/bin/node', process.execPath));
    const analyze = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, path], { encoding: 'utf8' });
      return { status, text: stdout + stderr };
    };
    expect(analyze('verify')).toEqual({ status: 0, text: '' });
    // From 0 (safe) to 100: a service without any protection has 96.
    expect(analyze('security', '--offline=true', '--threshold=20', '--no-pager').status).toBe(0);
  });
});
