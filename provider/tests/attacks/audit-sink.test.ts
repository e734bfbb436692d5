import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DEV_SECRET, makeProjectSecret } from '#provider/api/backend/credentials.ts';
import { accepts, eventsOf, holesIn } from '../kit/audit-collector.ts';
import { streaming } from '../kit/audit-streaming.ts';
import { basic, EITHER_DATABASE, otherThan, type Fields } from '../kit/harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-audit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(EITHER_DATABASE)('T209: a sink of the audit log that dies and returns, on %s', (_, url) => {
  const at = streaming(url);

  it('gets every event in order, whatever it did meanwhile, and the log says how long it was away', async () => {
    const start = await at.drained();
    const { logged } = at.provider();
    const before = logged.length;
    let attempts = 0;
    at.collector().answer = (response) => {
      attempts += 1;
      if (attempts === 1) response.destroy();
      else if (attempts === 2) response.writeHead(500).end('x'.repeat(100_000));
      else if (attempts === 3) response.writeHead(429, { 'Retry-After': '3600' }).end();
      else if (attempts === 4) response.writeHead(302, { Location: '/elsewhere' }).end();
      // The time limit of a request ends the fifth.
      else if (attempts > 5) accepts(response);
    };
    await at.writeMany(700);
    at.start({}, { timeoutMs: 500 });
    await at.until(() => expect(eventsOf(at.collector().batches)).toHaveLength(700));
    const { batches } = at.collector();
    expect(new Set(batches.slice(0, 6).map(({ id, body }) => id + body)).size).toBe(1);
    expect(holesIn(eventsOf(batches), start)).toBe(0);
    const lines = logged.slice(before).filter((line) => line.includes('audit log'));
    expect(lines).toEqual([
      expect.stringMatching(/the audit log is not delivered sink="127\.0\.0\.1" reason="(?:unreachable|timed out)"/u),
      expect.stringMatching(/the audit log is delivered again sink="127\.0\.0\.1" failures=\d+ seconds=\d/u),
    ]);
  });

  it('gets whole lines in a file, that is rotated, torn by a crash, and not writable for a while', async () => {
    const start = await at.drained();
    const file = join(folder, `${_}.jsonl`);
    const linesOf = (path: string): readonly Fields[] =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line) as Fields);
    mkdirSync(file);
    await at.write(2);
    const stream = at.start({ file });
    await at.until(() => expect(at.provider().logged.some((line) => line.includes('reason="EISDIR"'))).toBe(true));
    rmSync(file, { recursive: true });
    await at.until(() => expect(linesOf(file)).toHaveLength(2));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await stream.stop();
    renameSync(file, `${file}.1`);
    writeFileSync(file, '{"metadata":{"seq');
    await at.write(2);
    at.start({ file });
    await at.until(() => expect(linesOf(file)).toHaveLength(2));
    expect(readFileSync(file, 'utf8')).toMatch(/^\{"metadata":\{"seq\n\{"metadata":\{"version".+\n\{.+\n$/u);
    expect(holesIn([...linesOf(`${file}.1`), ...linesOf(file)], start)).toBe(0);
  });

  it('writes to no device or pipe, which would swallow the events', async () => {
    await at.drained();
    await at.write(1);
    at.start({ file: '/dev/null' });
    await at.until(() => expect(at.provider().logged.join()).toContain('reason="not a regular file"'));
  });
});

describe.each(EITHER_DATABASE)('T210: what a sink of the audit log learns, and who else, on %s', (_, url) => {
  const at = streaming(url);

  it('are ids, also of a user who is deleted, and never an address, a secret or a code', async () => {
    const start = await at.drained();
    const provider = at.provider();
    const { method_id, code } = await provider.sendCode('ada.lovelace@example.com');
    await provider.post('/otps/authenticate', { method_id, token: otherThan(code), session_duration_minutes: 60 });
    const login = await provider.post('/otps/authenticate', { method_id, token: code, session_duration_minutes: 60 });
    const { user_id = '', session_token, session_jwt } = login.data as Record<string, string>;
    const { secret } = await makeProjectSecret(provider.services, 'for the stream');
    await at.write(0);
    at.start();
    await at.until(() => expect(eventsOf(at.collector().batches).length).toBeGreaterThanOrEqual(2));
    const deleted = await provider.app.request(`/v1/users/${user_id}`, {
      method: 'DELETE',
      headers: { authorization: basic(provider.services.project.project_id, DEV_SECRET) },
    });
    await at.write(1);
    await at.until(() => expect(JSON.stringify(at.collector().batches)).toContain('user_changed'));
    const events = eventsOf(at.collector().batches);
    expect(holesIn(events, start)).toBe(0);
    expect([deleted.status, events.filter(({ metadata }) => metadata.event_code === 'user_deleted')]).toEqual([
      200,
      [expect.objectContaining({ user: { uid: user_id } })],
    ]);
    const all = at
      .collector()
      .batches.map(({ body }) => body)
      .join();
    for (const hidden of ['lovelace', session_token, session_jwt, secret, `"${code}"`, '127.0.0.1']) {
      expect(all).not.toContain(hidden);
    }
  });

  it('is no server that a name or a redirect leads to inside the network, unless the operator says so', async () => {
    await at.drained();
    let visits = 0;
    const inside = createServer((_request, response) => {
      visits += 1;
      response.end();
    });
    await new Promise<void>((ready) => void inside.listen(0, '127.0.0.1', ready));
    const port = (inside.address() as AddressInfo).port;
    at.collector().answer = (response) => {
      response.writeHead(307, { Location: `http://127.0.0.1:${port}/` }).end();
    };
    await at.write(1);
    at.start();
    await at.until(() => expect(at.collector().batches.length).toBeGreaterThan(2));
    const { logged } = at.provider();
    at.start({ url: `https://localhost:${port}/`, private: false });
    await at.until(() => expect(logged.join('\n')).toMatch(/sink="localhost" reason="forbidden address"/u));
    expect(visits).toBe(0);
    inside.close();
  });
});

describe.each(EITHER_DATABASE)('T211: a sink of the audit log that never answers, on %s', (_, url) => {
  const at = streaming(url);

  it('keeps no login, no statement and no second batch waiting', async () => {
    await at.drained();
    at.collector().answer = () => undefined;
    await at.writeMany(2000);
    const stream = at.start();
    await at.until(() => expect(at.collector().batches).toHaveLength(1));
    const { session_token } = await at.provider().signIn('patient@example.com');
    expect(session_token).toEqual(expect.any(String));
    // There is one batch in memory, and the server stops at once.
    expect(at.collector().batches.map(({ events }) => events.length)).toEqual([500]);
    await stream.stop();
  });
});
