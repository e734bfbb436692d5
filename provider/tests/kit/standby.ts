import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import pg from 'pg';
import { start, stop, untilSays } from '#scripts/lib/run.ts';

export interface Standby {
  /** The same database as `primaryUrl`, which accepts reads alone. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A copy of a running server (`pg_basebackup`) that replays its write-ahead log as it arrives (streaming replication). */
export async function startStandby(primaryUrl: string): Promise<Standby> {
  const admin = new pg.Client(primaryUrl);
  await admin.connect();
  const { rows } = await admin.query<{ setting: string; most: string }>(
    `select setting, current_setting('max_connections') as most from pg_config where name = 'BINDIR'`,
  );
  await admin.end();
  const program = (name: string): string => join(rows[0]?.setting ?? '', name);
  const dir = mkdtempSync(join(tmpdir(), 'portico-standby-'));
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']));
  const root = process.getuid?.() === 0;
  const user = root ? { uid: id('-u'), gid: id('-g') } : {};
  if (root) chownSync(dir, id('-u'), id('-g'));
  const data = join(dir, 'data');
  const { hostname, port: primaryPort, pathname, username } = new URL(primaryUrl);
  const from = ['-h', hostname, '-p', primaryPort, '-U', username];
  const copied = spawnSync(program('pg_basebackup'), [...from, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'], {
    cwd: dir,
    encoding: 'utf8',
    ...user,
  }); // prettier-ignore
  if (copied.status !== 0) throw new Error(`pg_basebackup: ${copied.stderr}`);
  const port = await getPort();
  // A standby must allow for as many connections as its primary.
  const most = `max_connections=${rows[0]?.most}`;
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', most];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const server = start(program('postgres'), args, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'], ...user });
  await untilSays(server, /ready to accept read-only connections/);
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    async stop() {
      await stop(server, 'SIGINT');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
