import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import type { Db } from '#provider/base/db/database.ts';
import { openDatabase, poolCountsOf } from '#provider/base/db/open.ts';
import { PrometheusMetrics } from '#provider/base/metrics/prometheus.ts';
import { CHANNELS } from '#provider/messages/channel.ts';
import {
  ANY_DATABASE,
  basic,
  EITHER_DATABASE,
  freshStore,
  makeProvider,
  otherThan,
  PUBLIC_TOKEN,
  type Provider,
} from '../kit/harness.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';

const counts = { draining: false, inProgress: 0, hashes: { running: 0, waiting: 0 } };

describe.each(EITHER_DATABASE)('the metrics, on %s', (_, url) => {
  let provider: Provider;
  let app: Provider['app'];
  let metrics: PrometheusMetrics;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const fresh = await freshStore(url);
    drop = fresh.drop;
    const db = await openDatabase(fresh.store);
    provider = await makeProvider(url, { db });
    metrics = new PrometheusMetrics({
      db,
      pool: poolCountsOf(db),
      version: '1.2.3',
      channels: CHANNELS,
      countries: ['DE'],
      process: () => counts,
    });
    app = createApp({ ...provider.services, metrics });
  });
  afterAll(async () => {
    await provider.close();
    await provider.services.db.destroy();
    await drop();
  });

  const post = (path: string, body: object) =>
    app.request(`/sdk/v1${path}`, {
      method: 'POST',
      headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  /** The series of a metric: labels and value. */
  const series = async (name: string): Promise<readonly string[]> =>
    (await metrics.text()).body
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

  it('begin with 0 what alerts and objectives compare, so that the first failure is an increase', async () => {
    expect(await series('portico_deliveries_total')).toContain('portico_deliveries_total{channel="email",outcome="dead"} 0');
    expect(await series('portico_texts_over_budget_total')).toEqual(['portico_texts_over_budget_total{country="DE"} 0', 'portico_texts_over_budget_total{country="all"} 0']);
    expect(await series('portico_logins_total')).toContain('portico_logins_total{method="otp",outcome="failed"} 0');
    expect(await series('portico_outbox_messages')).toContain('portico_outbox_messages{channel="email",state="waiting"} 0');
    expect(await series('portico_outbox_oldest_waiting_seconds')).toContain('portico_outbox_oldest_waiting_seconds{channel="email"} 0');
  }); // prettier-ignore

  it('count logins by method and outcome, refusals by type, and requests by route and status', async () => {
    const { code, method_id } = await provider.sendCode('counted@example.com');
    const fields = { method_id, session_duration_minutes: 60 };
    await post('/otps/authenticate', { ...fields, token: otherThan(code) });
    await post('/otps/authenticate', { ...fields, token: code });
    await post('/passwords/authenticate', { email: 'nobody@example.com', password: 'x', session_duration_minutes: 60 });
    expect((await series('portico_logins_total')).filter((line) => !line.endsWith(' 0')).sort()).toEqual([
      'portico_logins_total{method="otp",outcome="ok"} 1',
      'portico_logins_total{method="otp",outcome="refused"} 1',
      'portico_logins_total{method="password",outcome="refused"} 1',
    ]);
    expect(await series('portico_refusals_total')).toEqual([
      'portico_refusals_total{type="otp_code_not_found"} 1',
      'portico_refusals_total{type="unauthorized_credentials"} 1',
    ]);
    expect(await series('portico_http_requests_total')).toContain(
      'portico_http_requests_total{method="POST",pattern="/sdk/v1/otps/authenticate",status="200"} 1',
    );
    expect(await series('portico_http_request_duration_seconds_count')).toContain(
      'portico_http_request_duration_seconds_count{pattern="/sdk/v1/otps/authenticate"} 2',
    );
  });

  it('have no series for what callers choose', async () => {
    const names = async (): Promise<readonly string[]> =>
      (await metrics.text()).body.split('\n').filter((line) => line.startsWith('portico_')).map((line) => line.replace(/ \S+$/u, '')); // prettier-ignore
    const visit = async (canary: string): Promise<void> => {
      await app.request(`/${canary}`);
      await app.request(`/sdk/v1/users/${canary}?${canary}`);
      await app.request(`/errors/${canary}`, { method: `X${canary}`.toUpperCase() });
      await app.request(`/accounts/${canary}`);
      await app.request('/healthz', { method: canary.toUpperCase() });
    };
    await visit('canary-0');
    const before = await names();
    for (let turn = 1; turn < 20; turn += 1) await visit(`canary-${turn}`);
    expect([...(await names())].sort()).toEqual([...before].sort());
    expect(before.join('\n')).not.toMatch(/canary/iu);
    expect(before.join('\n')).toContain('method="OTHER"');
  });

  it('report the messages that wait, and the age of the oldest', async () => {
    const { db } = provider.services;
    await db.deleteFrom('outbox').execute();
    await provider.sendCode('waits@example.com');
    await provider.sendCode('sent@example.com');
    await db.updateTable('outbox').set({ state: 'waiting' }).execute();
    await db.updateTable('outbox').set({ state: 'sent' }).where('recipient', '=', 'sent@example.com').execute();
    await db
      .updateTable('outbox')
      .set({ at: new Date(Date.now() - 90_000) })
      .execute();
    expect((await series('portico_outbox_messages')).filter((line) => !line.endsWith(' 0'))).toEqual([
      'portico_outbox_messages{channel="email",state="waiting"} 1',
    ]);
    const [oldest = ''] = await series('portico_outbox_oldest_waiting_seconds');
    const age = Number(/^portico_outbox_oldest_waiting_seconds\{channel="email"\} (\S+)$/u.exec(oldest)?.[1]);
    expect(age).toBeGreaterThanOrEqual(90);
    expect(age).toBeLessThan(90 + PATIENCE_MS / 1000);
  });

  it('count what sweeps deleted, and when a part was last done', async () => {
    metrics.swept({ part: 'sessions', rows: 500, seconds: 30, outcome: 'behind' });
    expect(await series('portico_sweep_done_timestamp_seconds')).toEqual([]);
    metrics.swept({ part: 'sessions', rows: 7, seconds: 1, outcome: 'done' });
    metrics.swept({ part: 'users', rows: 0, seconds: 4, outcome: 'failed' });
    expect(await series('portico_sweep_rows_total')).toEqual([
      'portico_sweep_rows_total{part="sessions"} 507',
      'portico_sweep_rows_total{part="users"} 0',
    ]);
    expect(await series('portico_sweep_seconds_total')).toContain('portico_sweep_seconds_total{part="sessions"} 31');
    expect(await series('portico_sweep_turns_total')).toEqual([
      'portico_sweep_turns_total{part="sessions",outcome="behind"} 1',
      'portico_sweep_turns_total{part="sessions",outcome="done"} 1',
      'portico_sweep_turns_total{part="users",outcome="failed"} 1',
    ]);
    expect(await series('portico_sweep_done_timestamp_seconds')).toHaveLength(1);
  });

  it('say how far the schema is from that of this version', async () => {
    const { db } = provider.services;
    expect(await series('portico_migrations')).toEqual([
      'portico_migrations{state="pending"} 0',
      'portico_migrations{state="newer"} 0',
    ]);
    await sql`insert into kysely_migration values ('9001_nicknames', '2030-01-01')`.execute(db);
    expect(await series('portico_migrations')).toContain('portico_migrations{state="newer"} 1');
    await sql`delete from kysely_migration where name = '9001_nicknames'`.execute(db);
  });

  it('count the steps of passkeys, by the family of the browser', async () => {
    metrics.passkey('made', { browser: 'Safari', mobile: true });
    metrics.passkey('made', { browser: 'Safari', mobile: true });
    metrics.passkey('failed', { browser: 'other', mobile: false });
    expect(await series('portico_passkeys_total')).toEqual([
      'portico_passkeys_total{step="made",browser="Safari",mobile="yes"} 2',
      'portico_passkeys_total{step="failed",browser="other",mobile="no"} 1',
    ]);
  });

  it('count what was delivered of the audit log, and say until when, while this process delivers it', async () => {
    metrics.auditBatch('sent', 500);
    metrics.auditBatch('failed', 0);
    metrics.auditReached(new Date(7_000));
    expect(await series('portico_audit_stream_batches_total')).toEqual([
      'portico_audit_stream_batches_total{outcome="sent"} 1',
      'portico_audit_stream_batches_total{outcome="failed"} 1',
    ]);
    expect(await series('portico_audit_stream_events_total')).toEqual(['portico_audit_stream_events_total 500']);
    const reached = 'portico_audit_stream_reached_timestamp_seconds';
    expect(await series(reached)).toEqual([`${reached}{stream="audit_log"} 7`]);
    metrics.auditReached(null);
    expect(await series(reached)).toEqual([]);
  });

  it('describe the process, and the connections to PostgreSQL if there are any', async () => {
    const { body } = await metrics.text();
    expect(body).toMatch(/^nodejs_eventloop_lag_p99_seconds /mu);
    expect(body).toMatch(/^process_resident_memory_bytes /mu);
    expect(/^portico_database_connections\{state="idle"\} [1-9]/mu.test(body)).toBe(url !== undefined);
    expect(/^portico_database_waiting 0$/mu.test(body)).toBe(url !== undefined);
  });
});

describe('metrics of the process', () => {
  it('say whether it stops, and how many requests and hashes it has', async () => {
    const provider = await makeProvider(ANY_DATABASE);
    const { db } = provider.services;
    const seen = { draining: true, inProgress: 3, hashes: { running: 2, waiting: 7 } };
    const metrics = new PrometheusMetrics({
      db,
      pool: null,
      version: '1.2.3',
      channels: CHANNELS,
      countries: ['DE'],
      process: () => seen,
    });
    await provider.signIn('ada@example.com');
    const { body } = await metrics.text();
    expect(body).toMatch(/^portico_draining 1$/mu);
    expect(body).toMatch(/^portico_http_in_progress 3$/mu);
    expect(body).toMatch(
      /^portico_password_hashes\{state="running"\} 2\nportico_password_hashes\{state="waiting"\} 7$/mu,
    );
    expect(body).toMatch(/^portico_signing_key_age_seconds\{purpose="sessions"\} -?\d/mu);
    await provider.close();
  });
});

describe('metrics without a database that answers', () => {
  it('leave the queue out, and tell the rest', async () => {
    const selectFrom = (): never => {
      throw new Error('gone');
    };
    const gone = { selectFrom } as unknown as Db;
    const metrics = new PrometheusMetrics({
      db: gone,
      pool: null,
      version: '1.2.3',
      channels: CHANNELS,
      countries: ['DE'],
      process: () => counts,
    });
    metrics.delivery('email', 'sent');
    const { body } = await metrics.text();
    expect(body).toMatch(/^portico_deliveries_total\{channel="email",outcome="sent"\} 1$/mu);
    expect(body).not.toMatch(/^portico_(?:outbox_messages|signing_key_age_seconds|migrations)\{/mu);
  });
});
