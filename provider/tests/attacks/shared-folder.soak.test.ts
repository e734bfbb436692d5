import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import getPort from 'get-port';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { mayUnshare, OWN_PROCESSES } from '../kit/namespaces.ts';
import { buildServer, killServers, spawnIn, startServer, whenListening } from '../kit/server-process.ts';

const root = mkdtempSync(join(tmpdir(), 'portico-shared-'));
const folder = join(root, 'data');
const project = join(root, 'project.json');
const PAGE = 'https://shop.example';
const SETTINGS = {
  issuer: PAGE,
  origins: [PAGE],
  redirect_urls: [`${PAGE}/`],
  default_login_redirect_url: `${PAGE}/`,
  default_signup_redirect_url: `${PAGE}/`,
};
const NAMESPACES = mayUnshare() ? [OWN_PROCESSES] : [];

beforeAll(async () => {
  await buildServer();
  writeFileSync(project, JSON.stringify(SETTINGS));
});
afterEach(killServers);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Starts a server with processes of its own, as in a container. */
async function container() {
  const port = await getPort();
  const child = spawnIn(
    OWN_PROCESSES,
    '--project',
    project,
    '--data',
    folder,
    '--port',
    String(port),
    '--drain-seconds',
    '0',
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (output += String(part)));
  const signal = (name: NodeJS.Signals): void => {
    // The process that `unshare` waits for: it passes signals on to nobody.
    const [server] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
    process.kill(Number(server), name);
  };
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
  return { signal, isReady, output: () => output, listening: whenListening(child) };
}

/** Runs a command on the folder. */
function command(words: readonly string[], before: readonly string[] = []): string {
  const server = join(ROOT, 'provider/.test-server/patient.js');
  const [program = '', ...args] = [...before, process.execPath, server, ...words];
  const done = spawnSync(program, [...args, '--data', folder, '--project', project], { encoding: 'utf8' });
  return done.stdout + done.stderr;
}

function importUsers(names: readonly string[], before?: readonly string[]): string {
  const file = join(root, 'users.jsonl');
  writeFileSync(
    file,
    names.map((name) => `${JSON.stringify({ emails: [{ email: `${name}@example.com` }] })}\n`).join(''),
  );
  return command(['users', 'import', file], before);
}

const IN_USE = /is in use by process 1 on /u;

describe.each(NAMESPACES.map((words) => [words] as const))('two containers on one data folder', () => {
  // db/folder-lock.test.ts has the lock between such processes in every run.
  it('are never served together: the second one waits, a command is refused, and no acknowledged user is lost', async () => {
    const first = await container();
    await first.listening;
    expect(await first.isReady(), first.output()).toBe(true);
    const second = await container();
    await vi.waitFor(() => expect(second.output()).toMatch(IN_USE));

    // A command beside the server goes through it; one in a container of its own cannot reach it.
    expect(importUsers(['ada', 'ben'])).toContain('2 imported');
    expect(importUsers(['cat'], [...OWN_PROCESSES, '--net'])).toMatch(IN_USE);

    // A server that stands still has the folder, too.
    first.signal('SIGSTOP');
    const third = await startServer('--port', '0', '--data', folder);
    expect(await third.ended).toBe(1);
    expect(third.output()).toMatch(IN_USE);
    expect(await second.isReady()).toBe(false);
    first.signal('SIGCONT');
    expect(importUsers(['dan'])).toContain('1 imported');

    first.signal('SIGTERM');
    await second.listening;
    expect(second.output().match(/in use by/gu)).toHaveLength(1);
    expect(importUsers(['eve'])).toContain('1 imported');
    const users = command(['users', 'list']);
    expect(['ada', 'ben', 'cat', 'dan', 'eve'].filter((name) => users.includes(`${name}@`))).toEqual([
      'ada',
      'ben',
      'dan',
      'eve',
    ]);
  });
});
