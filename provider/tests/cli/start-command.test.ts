import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort, { clearLockedPorts } from 'get-port';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { PATIENCE_MS } from '#tests/patience-ms.ts';
import type { Fields } from '../kit/harness.ts';
import { buildServer, request } from '../kit/server-process.ts';

const COMMAND = [join(ROOT, 'scripts/lib/jiti.mjs'), join(ROOT, 'provider/tests/kit/start-all.ts')];
const EMAIL = 'ada@example.com';
const folder = mkdtempSync(join(tmpdir(), 'portico-start-'));
const children = new Set<ChildProcess>();

beforeAll(buildServer);
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface StartedCommand {
  readonly child: ChildProcess;
  /** The address of its provider; empty when it ended before. */
  readonly url: string;
  readonly output: () => string;
  readonly ended: Promise<unknown>;
}

/** Starts `npm start` for one data folder, on free ports; resolves when it shows its addresses, or has ended. */
async function start(args: readonly string[] = [], before: readonly string[] = []): Promise<StartedCommand> {
  const names = ['PORT', 'PROVIDER_PORT', 'APP_PORT'];
  const ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, String(await getPort())])));
  const env = { ...process.env, ...ports, PORTICO_DATA: join(folder, 'data'), npm_lifecycle_event: 'start' };
  const child = spawn(process.execPath, [...before, ...COMMAND, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let output = '';
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as unknown);
  const shown = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('Ctrl-C stops them all.')) resolve(`http://localhost:${ports['PROVIDER_PORT']}`);
      });
    }
  });
  const url = await Promise.race([shown, once(child, 'close').then(() => '')]);
  return { child, url, output: () => output, ended };
}

async function signIn(url: string): Promise<string> {
  const sent = await request(url, 'POST', '/sdk/v1/otps/email/login_or_create', { email: EMAIL });
  const [message] = (await request(url, 'GET', '/dev/inbox.json')) as unknown as Fields[];
  const fields = { token: message?.['code'], method_id: sent['data'].method_id, session_duration_minutes: 60 };
  return String((await request(url, 'POST', '/sdk/v1/otps/authenticate', fields))['data'].session_token);
}

const isKnown = async (url: string, session: string): Promise<boolean> =>
  (await request(url, 'GET', '/sdk/v1/users/me', undefined, session))['data'] !== undefined;

/** Waits until nothing of a start is there: no lock in the folder, no server at its port. */
async function expectNothingLeft({ url }: StartedCommand): Promise<void> {
  const patience = { timeout: PATIENCE_MS, interval: 100 };
  const port = Number(new URL(url).port);
  // A port that it gave out is not given again for half a minute.
  clearLockedPorts();
  await expect.poll(async () => getPort({ port }), patience).toBe(port);
  const locks = () => readdirSync(join(folder, 'data')).filter((name) => name.startsWith('lock'));
  await expect.poll(locks, patience).toEqual([]);
}

describe('npm start', () => {
  it('leaves the data of a running start alone, and leaves nothing behind, also when it is killed', async () => {
    const first = await start();
    const session = await signIn(first.url);
    const second = await start(['--fresh']);
    expect(second.url).toBe('');
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/is in use by process \d+ .*\nPORTICO_DATA names another data folder/u);
    expect(await isKnown(first.url, session)).toBe(true);
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);
    await expectNothingLeft(first);
    const third = await start(['--fresh']);
    expect(await isKnown(third.url, session)).toBe(false);
    third.child.kill('SIGKILL');
    await expectNothingLeft(third);
  });

  it('ends when npm is killed', async () => {
    const npm = `const { spawn } = require('node:child_process');
      spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' });`;
    const started = await start([], ['--eval', npm]);
    expect(started.url).not.toBe('');
    started.child.kill('SIGKILL');
    await expectNothingLeft(started);
  });
});
