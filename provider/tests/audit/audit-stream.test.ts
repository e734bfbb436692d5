import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startAuditStream } from '#provider/operation/audit-stream/audit-stream.ts';
import { startWork } from '#provider/operation/server/settings.ts';
import { systemClock } from '#provider/base/platform.ts';
import { accepts, eventsOf, holesIn } from '../kit/audit-collector.ts';
import { AUDIT_PATIENCE, SECRET, streaming } from '../kit/audit-streaming.ts';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const DAY = 24 * 60 * MINUTE;

describe.each(EITHER_DATABASE)('the stream of the audit log, on %s', (_, url) => {
  const at = streaming(url);

  it('delivers every event in order, in requests that a foreign verifier accepts', async () => {
    const start = await at.drained();
    const { user_id } = await at.provider().signIn('ada.lovelace@example.com');
    await at.write(2);
    at.start({ authorization: 'Bearer collector-token' });
    await at.until(() => expect(eventsOf(at.collector().batches).length).toBeGreaterThanOrEqual(3));
    for (const { body, headers } of at.collector().batches) {
      expect(new Webhook(SECRET).verify(body, headers)).toEqual(JSON.parse(body));
      expect(() => new Webhook(SECRET).verify(body.replace('user', 'usex'), headers)).toThrow();
      expect(headers['authorization']).toBe('Bearer collector-token');
    }
    const events = eventsOf(at.collector().batches);
    expect(events.filter(({ class_uid }) => class_uid === 3002)).toMatchObject([
      { type_uid: 300_201, status_id: 1, user: { uid: user_id } },
    ]);
    expect(holesIn(events, start)).toBe(0);
    expect(holesIn(events.slice(1), start)).toBe(1);
    expect(holesIn([...events.slice(0, 1), ...events.slice(2)], start)).toBe(1);
  });

  it('is part of the work of a server whose project file has it', async () => {
    await at.drained();
    await at.write(1);
    const { services } = at.provider();
    const audit_stream = { url: at.collector().url, secret: SECRET, authorization: null, private: true };
    const project = { ...services.project, audit_stream };
    const work = startWork({ ...services, project, publicOrigin: null }, {}, systemClock);
    await at.until(() => expect(eventsOf(at.collector().batches)).toHaveLength(1));
    await work.stop();
  });

  soakIt('leaves out events of the last half minute, before which others may still get in', async () => {
    await at.drained();
    await at.write(1);
    await at.provider().signIn('late@example.com');
    at.start();
    await at.until(() => expect(at.collector().batches).toHaveLength(1));
    expect(eventsOf(at.collector().batches).map(({ metadata }) => metadata.event_code as string)).toEqual([
      'user_changed',
    ]);
    at.provider().clock.time += MINUTE;
    await at.until(() => expect(at.collector().batches.length).toBeGreaterThan(1));
  });

  soakIt('delivers many events in batches, one request at a time', async () => {
    const start = await at.drained();
    await at.writeMany(1200);
    at.start();
    await at.until(() => expect(eventsOf(at.collector().batches)).toHaveLength(1200));
    const { batches, mostAtOnce } = at.collector();
    expect(batches.map(({ events }) => events.length)).toEqual([500, 500, 200]);
    expect(mostAtOnce).toBe(1);
    expect(holesIn(eventsOf(batches), start)).toBe(0);
    const numbers = batches.map(({ id }) => Number(id.split('-')[1]));
    expect(numbers.map((number) => number - (numbers[0] ?? 0))).toEqual([0, 1, 2]);
  });

  it('says that events may be missing after an outage that was longer than the log keeps them', async () => {
    await at.drained();
    await at.write(1);
    at.provider().clock.time += 31 * DAY;
    at.start();
    await at.until(() => expect(at.collector().batches).toHaveLength(1));
    const [first, second] = eventsOf(at.collector().batches);
    expect(first).toMatchObject({
      class_uid: 6003,
      status_id: 2,
      metadata: { event_code: 'audit_log_incomplete' },
      unmapped: { details: { outcome: 'refused', since: expect.stringMatching(/^20/u) } },
    });
    expect(second).toMatchObject({ metadata: { event_code: 'user_changed' } });
    // The next look after the batch finds nothing, and moves the time until which all was delivered.
    const caughtUpAt = at.provider().clock.time - MINUTE / 2;
    await at.cursor((row) => (row?.['reached_at'] as Date).getTime() === caughtUpAt);
    at.collector().reset();
    await at.write(1);
    await at.until(() => expect(at.collector().batches).toHaveLength(1));
    expect(eventsOf(at.collector().batches)).toMatchObject([{ metadata: { event_code: 'user_changed' } }]);
  });

  it('reports what was delivered, until when, and what failed', async () => {
    await at.drained();
    const batches: [string, number][] = [];
    let reached: Date | null = null;
    const metrics = {
      ...at.provider().services.metrics,
      auditBatch: (outcome: string, events: number) => void batches.push([outcome, events]),
      auditReached: (time: Date | null) => void (reached = time),
    };
    at.collector().answer = (response) => {
      at.collector().answer = accepts;
      response.writeHead(503).end();
    };
    await at.write(2);
    const { services } = at.provider();
    const audit_stream = { url: at.collector().url, secret: SECRET, authorization: null, private: true };
    const project = { ...services.project, audit_stream };
    const stream = startAuditStream({ ...services, metrics, project }, systemClock, AUDIT_PATIENCE);
    await at.until(() => expect([batches, reached?.getTime()]).toEqual([[['failed', 0], ['sent', 2]], at.provider().clock.time - MINUTE / 2])); // prettier-ignore
    await stream?.stop();
    expect(reached).toBeNull();
  });
});

describe.each(EITHER_DATABASE)('several processes that deliver the audit log, on %s', (_, url) => {
  const at = streaming(url);

  soakIt('deliver each event once, one process at a time', async () => {
    const start = await at.drained();
    await at.writeMany(1000);
    for (let n = 0; n < 4; n += 1) at.start();
    await at.until(() => expect(eventsOf(at.collector().batches)).toHaveLength(1000));
    await at.write(1);
    await at.until(() => expect(eventsOf(at.collector().batches)).toHaveLength(1001));
    const { batches, mostAtOnce } = at.collector();
    expect([batches.length, new Set(batches.map(({ id }) => id)).size, mostAtOnce]).toEqual([3, 3, 1]);
    expect(holesIn(eventsOf(batches), start)).toBe(0);
  });

  soakIt('deliver the same batch with the same id, if one was taken for dead, and lose nothing', async () => {
    const start = await at.drained();
    const waiting: ServerResponse[] = [];
    at.collector().answer = (response) => void waiting.push(response);
    await at.writeMany(600);
    at.start();
    await at.until(() => expect(waiting).toHaveLength(1));
    // The first process stands still for longer than its lease lasts, while new events settle.
    await sql`update leases set held_until = now() - interval '1 day' where name = 'audit_stream'`.execute(at.provider().services.db); // prettier-ignore
    await at.writeMany(300);
    at.start();
    await at.until(() => expect(waiting).toHaveLength(2));
    at.collector().answer = accepts;
    for (const response of waiting) accepts(response);
    await at.until(() => expect(eventsOf(at.collector().batches)).toHaveLength(900));
    const { batches } = at.collector();
    const [first, second] = batches;
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body]);
    expect(holesIn(eventsOf(batches), start)).toBe(0);
    // At most the batch that was under way is there twice.
    await at.cursor((row, newest) => row?.['last'] === newest);
    const twice = batches.length - new Set(batches.map(({ id }) => id)).size;
    expect(twice).toBe(1);
  });

  it('repeat a batch of which a process did not learn that it was accepted', async () => {
    const start = await at.drained();
    at.collector().answer = () => undefined;
    await at.writeMany(10);
    const first = at.start();
    await at.until(() => expect(at.collector().batches).toHaveLength(1));
    await first.stop();
    at.collector().answer = accepts;
    await at.writeMany(10);
    at.start();
    await at.until(() => expect(eventsOf(at.collector().batches)).toHaveLength(20));
    const { batches } = at.collector();
    expect(batches.map(({ events }) => events.length)).toEqual([10, 10, 10]);
    expect([batches[1]?.id, batches[1]?.body]).toEqual([batches[0]?.id, batches[0]?.body]);
    expect(holesIn(eventsOf(batches), start)).toBe(0);
  });
});
