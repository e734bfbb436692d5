import { sql } from 'kysely';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Db } from '../db/database.ts';
import { schemaState } from '../db/migrate.ts';
import type { PoolCounts } from '../db/engine/postgres.ts';
import { retriesOf } from '../db/statements/transaction.ts';
import { LOGIN_METHODS, loginMethodOf } from './login-methods.ts';
import type { Metrics } from './metrics.ts';

const DELIVERIES = ['sent', 'retry', 'dead', 'expired'] as const;
const LOGINS = ['ok', 'refused', 'failed'] as const;

/** In seconds. A session check takes a few milliseconds, a password login a tenth of a second. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export interface MetricsSource {
  readonly db: Db;
  /** Null for the embedded database, which has one connection. */
  readonly pool: (() => PoolCounts) | null;
  readonly version: string;
  /** The channels of the outbox. */
  readonly channels: readonly string[];
  /** The countries to which text messages are sent. */
  readonly countries: readonly string[];
  readonly process: () => ProcessCounts;
}

/** The state of this process. */
export interface ProcessCounts {
  readonly draining: boolean;
  /** Requests without a complete reply. */
  readonly inProgress: number;
  /** Password hashes that are being computed, and that are waiting. */
  readonly hashes: { readonly running: number; readonly waiting: number };
}

/** Metrics for Prometheus. Every server has a separate registry, because tests and hosts run several in one process. */
export class PrometheusMetrics implements Metrics {
  private readonly registry = new Registry();
  private readonly requests = this.counter('portico_http_requests_total', 'Answered requests.', ['method', 'pattern', 'status']); // prettier-ignore
  private readonly refusals = this.counter('portico_refusals_total', 'Refused requests, by the error_type of the reply.', ['type']); // prettier-ignore
  private readonly logins = this.counter(
    'portico_logins_total',
    'Logins, by what was proved and how they ended: ok, refused (4xx) or failed (5xx).',
    ['method', 'outcome'],
  );
  private readonly deliveries = this.counter('portico_deliveries_total', 'Attempts to deliver messages.', ['channel', 'outcome']); // prettier-ignore
  private readonly overBudget = this.counter(
    'portico_texts_over_budget_total',
    'Texts that were refused because the hourly budget of their country, or of the project (country all), is spent.',
    ['country'],
  );
  private readonly sweptRows = this.counter('portico_sweep_rows_total', 'Rows that a sweep deleted or checked.', ['part']); // prettier-ignore
  private readonly sweepSeconds = this.counter('portico_sweep_seconds_total', 'Time that sweeps took.', ['part']);
  private readonly sweepTurns = this.counter('portico_sweep_turns_total', 'Turns of tables in sweeps, by outcome: done, behind or failed.', ['part', 'outcome']); // prettier-ignore
  private readonly sweptAt = new Gauge({
    name: 'portico_sweep_done_timestamp_seconds',
    help: 'When a sweep by this process last left nothing to delete.',
    labelNames: ['part'],
    registers: [this.registry],
  });
  private readonly passkeys = this.counter('portico_passkeys_total', 'Passkeys that were offered, made or used, or failed, by the family of the browser.', ['step', 'browser', 'mobile']); // prettier-ignore
  private readonly auditBatches = this.counter('portico_audit_stream_batches_total', 'Batches of the audit log, by outcome: sent or failed.', ['outcome']); // prettier-ignore
  private readonly auditEvents = this.counter('portico_audit_stream_events_total', 'Delivered events of the audit log.', []); // prettier-ignore
  private readonly auditReachedAt = new Gauge({
    name: 'portico_audit_stream_reached_timestamp_seconds',
    help: 'The time until which this process delivered the whole audit log.',
    labelNames: ['stream'],
    registers: [this.registry],
  });
  private readonly durations = new Histogram({
    name: 'portico_http_request_duration_seconds',
    help: 'From the request line to the reply.',
    labelNames: ['pattern'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  constructor({ db, pool, version, channels, countries, process }: MetricsSource) {
    collectDefaultMetrics({ register: this.registry });
    // Series begin with 0, because Prometheus sees no increase in a series that begins with 1.
    for (const channel of channels) {
      for (const outcome of DELIVERIES) this.deliveries.inc({ channel, outcome }, 0);
    }
    for (const method of LOGIN_METHODS) {
      for (const outcome of LOGINS) this.logins.inc({ method, outcome }, 0);
    }
    for (const country of [...countries, 'all']) this.overBudget.inc({ country }, 0);
    this.gauge('portico_info', 'The version of the provider.', ['version'], (info) => info.set({ version }, 1));
    if (pool !== null) {
      this.gauge('portico_database_connections', 'Connections to PostgreSQL.', ['state'], (connections) => {
        const { inUse, idle } = pool();
        connections.set({ state: 'in_use' }, inUse);
        connections.set({ state: 'idle' }, idle);
      });
      this.gauge('portico_database_waiting', 'Requests that wait for a connection.', [], (waiting) =>
        waiting.set(pool().waiting),
      );
      this.counts('portico_database_refusals_total', 'Requests that got no connection, by reason: pool or database.', 'reason', () => pool().refusals); // prettier-ignore
    }
    this.counts('portico_transaction_retries_total', 'Repeated transactions, by cause: conflict, deadlock or other.', 'cause', () => retriesOf(db)); // prettier-ignore
    this.gauge('portico_draining', '1 while the process is about to stop.', [], (draining) =>
      draining.set(process().draining ? 1 : 0),
    );
    this.gauge('portico_http_in_progress', 'Requests without a complete reply.', [], (requests) =>
      requests.set(process().inProgress),
    );
    this.gauge('portico_password_hashes', 'Password hashes, by state: running or waiting.', ['state'], (hashes) => {
      const { running, waiting } = process().hashes;
      hashes.set({ state: 'running' }, running);
      hashes.set({ state: 'waiting' }, waiting);
    });
    this.queue(db, channels);
    this.keyAges(db);
    this.migrations(db);
  }

  request: Metrics['request'] = ({ method, pattern, status, seconds, refusal }) => {
    this.requests.inc({ method, pattern, status });
    this.durations.observe({ pattern }, seconds);
    if (refusal !== undefined) this.refusals.inc({ type: refusal });
    const login = loginMethodOf({ method, pattern });
    if (login === undefined) return;
    this.logins.inc({ method: login, outcome: status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed' });
  };

  delivery: Metrics['delivery'] = (channel, outcome) => this.deliveries.inc({ channel, outcome });

  spentTextBudget: Metrics['spentTextBudget'] = (country) => this.overBudget.inc({ country });

  swept: Metrics['swept'] = ({ part, rows, seconds, outcome }) => {
    this.sweptRows.inc({ part }, rows);
    this.sweepSeconds.inc({ part }, seconds);
    this.sweepTurns.inc({ part, outcome });
    if (outcome === 'done') this.sweptAt.set({ part }, Date.now() / 1000);
  };

  passkey: Metrics['passkey'] = (step, { browser, mobile }) =>
    this.passkeys.inc({ step, browser, mobile: mobile ? 'yes' : 'no' });

  auditBatch: Metrics['auditBatch'] = (outcome, events) => {
    this.auditBatches.inc({ outcome });
    this.auditEvents.inc(events);
  };

  auditReached: Metrics['auditReached'] = (at) => {
    if (at === null) this.auditReachedAt.reset();
    else this.auditReachedAt.set({ stream: 'audit_log' }, at.getTime() / 1000);
  };

  /** The text of `/metrics`, and its content type. */
  async text(): Promise<{ readonly type: string; readonly body: string }> {
    return { type: this.registry.contentType, body: await this.registry.metrics() };
  }

  /** All servers on the database share the queue. While the database does not answer, it is left out. */
  private queue(db: Db, channels: readonly string[]): void {
    // Gauges are collected at the same time.
    let reading: Promise<readonly QueueRow[]> | null = null;
    const rows = async (): Promise<readonly QueueRow[] | null> => {
      reading ??= queueOf(db, channels).finally(() => (reading = null));
      return reading.catch(() => null);
    };
    this.gauge(
      'portico_outbox_messages',
      'Messages that wait in the outbox.',
      ['channel', 'state'],
      async (messages) => {
        messages.reset();
        for (const { channel, count } of (await rows()) ?? []) messages.set({ channel, state: 'waiting' }, count);
      },
    );
    this.gauge(
      'portico_outbox_oldest_waiting_seconds',
      'Age of the oldest waiting message.',
      ['channel'],
      async (oldest) => {
        oldest.reset();
        for (const { channel, age } of (await rows()) ?? []) oldest.set({ channel }, Math.max(0, age));
      },
    );
  }

  /** While the database does not answer, they are left out. */
  private keyAges(db: Db): void {
    this.gauge('portico_signing_key_age_seconds', 'Age of the newest signing key.', ['purpose'], async (ages) => {
      ages.reset();
      for (const { purpose, age } of await agesOf(db).catch(() => [])) ages.set({ purpose }, age);
    });
  }

  /** While the database does not answer, they are left out. */
  private migrations(db: Db): void {
    this.gauge(
      'portico_migrations',
      'Migrations by state: pending (of this version, not in the database) or newer (of a newer version, in the database).',
      ['state'],
      async (migrations) => {
        migrations.reset();
        const state = await schemaState(db).catch(() => null);
        if (state === null) return;
        migrations.set({ state: 'pending' }, state.pending.length);
        migrations.set({ state: 'newer' }, state.newer.length);
      },
    );
  }

  private counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  /** A counter whose value is counted elsewhere. */
  private counts(name: string, help: string, label: string, read: () => object): void {
    const counter = new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        counter.reset();
        for (const [value, count] of Object.entries<number>({ ...read() })) {
          counter.inc({ [label]: value }, count);
        }
      },
    });
  }

  private gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    collect: (gauge: Gauge<Label>) => void | Promise<void>,
  ): void {
    const gauge: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect: () => collect(gauge),
    });
  }
}

interface QueueRow {
  readonly channel: string;
  readonly count: number;
  /** In seconds. */
  readonly age: number;
}

/** Only waiting messages are counted, by their index: the others are as many as a day has messages. */
async function queueOf(db: Db, channels: readonly string[]): Promise<readonly QueueRow[]> {
  const waiting = await db
    .selectFrom('outbox')
    .select(({ fn }) => [
      'channel',
      fn.countAll<number>().as('count'),
      sql<number>`extract(epoch from now() - min(at))::float8`.as('age'),
    ])
    .where('state', '=', sql.lit('waiting'))
    .groupBy('channel')
    .execute();
  const nothing = channels.map((channel) => ({ channel, count: 0, age: 0 }));
  return nothing.map((none) => waiting.find(({ channel }) => channel === none.channel) ?? none);
}

/** By the time of the database. A key that is published before its use has a negative age. */
async function agesOf(db: Db): Promise<readonly { readonly purpose: string; readonly age: number }[]> {
  return db
    .selectFrom('signing_keys')
    .select(['purpose', sql<number>`extract(epoch from now() - max(active_at))::float8`.as('age')])
    .groupBy('purpose')
    .execute();
}
