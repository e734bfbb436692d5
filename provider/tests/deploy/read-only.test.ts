import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { buildServer, killServers, request, spawnIn, whenListening } from '../kit/server-process.ts';

const USER = 1000;
/** What a container may write to. */
const data = mkdtempSync(join(tmpdir(), 'portico-data-'));

/** A command begins so: it runs as the user of the image, without rights, and can only write to the folder of the data. */
const IN_CONTAINER = [
  'unshare',
  '--mount',
  '--propagation=private',
  'sh',
  '-c',
  `mount --bind "$0" "$0" && mount --rbind '${tmpdir()}' '${tmpdir()}' && mount -o remount,bind,ro '${tmpdir()}' &&
    mount -o remount,bind,ro / && cd "$0" &&
    exec setpriv --reuid=${USER} --regid=${USER} --clear-groups --no-new-privs --bounding-set=-all "$@"`,
  data,
] as const;
const inContainer = (...words: readonly string[]) => {
  const [command, ...args] = IN_CONTAINER;
  return spawnSync(command, [...args, ...words], { encoding: 'utf8' });
};

if (process.getuid?.() === 0) chownSync(data, USER, USER);
const mayRun = process.platform === 'linux' && inContainer('test', '-r', join(ROOT, 'package.json')).status === 0;

describe.runIf(mayRun)('a server whose files belong to root, on a read-only file system', () => {
  beforeAll(buildServer);
  afterAll(() => {
    killServers();
    rmSync(data, { recursive: true, force: true });
  });

  it('cannot write to any other folder than that of the data', () => {
    // Every user may write to this folder where the file system is not read-only.
    expect(inContainer('touch', join(tmpdir(), 'portico-written')).stderr).toContain('Read-only file system');
    expect(inContainer('touch', join(ROOT, 'provider/dist/main.js')).status).not.toBe(0);
    expect(inContainer('touch', join(data, 'written')).status).toBe(0);
    expect(inContainer('sh', '-c', 'grep ^CapEff /proc/self/status; id -u').stdout).toBe(
      `CapEff:\t0000000000000000\n${USER}\n`,
    );
  });

  it('serves requests with the embedded database in that folder', async () => {
    const server = await whenListening(spawnIn(IN_CONTAINER, '--dev', '--port', '0', '--data', join(data, 'db')));
    expect(server.url, server.output()).not.toBe('');
    const sent = await request(server.url, 'POST', '/sdk/v1/otps/email/login_or_create', { email: 'ada@example.com' });
    expect(sent['data'], JSON.stringify(sent)).toMatchObject({ status_code: 200 });
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(readdirSync(data).filter((name) => !['db', 'written'].includes(name))).toEqual([]);
  });

  it('writes no file without an embedded database on disk', async () => {
    const before = readdirSync(data);
    const server = await whenListening(spawnIn(IN_CONTAINER, '--dev', '--port', '0', '--data', 'memory'));
    expect(server.url, server.output()).not.toBe('');
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(readdirSync(data)).toEqual(before);
  });
});
