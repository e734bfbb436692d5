import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DATABASES, freshStore } from '../kit/harness.ts';
import { buildServer, killServers, startServer, type ServerProcess } from '../kit/server-process.ts';

const postgres = DATABASES.find(([name]) => name === 'postgres')?.[1];
const folder = mkdtempSync(join(tmpdir(), 'portico-delivery-'));

/** Waits for the end of a claim, so it takes half a minute. */
describe.runIf(postgres !== undefined)('two servers that deliver', () => {
  const seen: { readonly id: string; readonly type: string }[] = [];
  const held: ServerResponse[] = [];
  let holding = true;
  const receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const { type } = JSON.parse(body) as { type: string };
      seen.push({ id: String(request.headers['webhook-id']), type });
      if (holding) held.push(response);
      else response.writeHead(204).end();
    });
  });
  let servers: readonly ServerProcess[];
  let database: pg.Client;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    await buildServer();
    await new Promise<void>((resolve) => {
      receiver.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const project = join(folder, 'project.json');
    const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
    writeFileSync(project, JSON.stringify({ webhooks: [{ url, secret }] }));
    const { store, drop: dropStore } = await freshStore(postgres);
    drop = dropStore;
    const databaseUrl = store.kind === 'postgres' ? store.url : '';
    const args = ['--port', '0', '--database-url', databaseUrl, '--project', project];
    servers = [await startServer(...args), await startServer(...args)];
    database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    for (const { child } of servers) child.kill('SIGTERM');
    await Promise.all(servers.map(({ ended }) => ended));
    killServers();
    receiver.closeAllConnections();
    receiver.close();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('deliver again, under the same id, what a killed one delivered and could not mark', async () => {
    const insert = `insert into users (user_id, created_at, status, name, trusted_metadata, untrusted_metadata, roles)
      values ('user-1', now(), 'active', '{}', '{}', '{}', '[]')`;
    await database.query(insert);
    await vi.waitFor(() => expect(held.length).toBe(1), { interval: 20 });
    // Which of the two has it cannot be seen from here: both are stopped in the middle, and one starts again.
    for (const { child } of servers) child.kill('SIGKILL');
    await Promise.all(servers.map(({ ended }) => ended));
    holding = false;
    const [first] = servers;
    const args = first?.child.spawnargs.slice(3) ?? [];
    servers = [await startServer(...args)];
    await vi.waitFor(() => expect(seen.length).toBe(2), { timeout: 45_000, interval: 100 });
    expect(seen[1]).toEqual(seen[0]);
    await vi.waitFor(
      async () => {
        const after = await database.query('select state, attempts from outbox');
        expect(after.rows).toEqual([{ state: 'sent', attempts: 2 }]);
      },
      { interval: 50 },
    );
  });
});
