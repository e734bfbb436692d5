import { setTimeout as sleep } from 'node:timers/promises';
import { Lease } from '#provider/base/db/statements/lease.ts';
import type { Report } from '#provider/base/log/error-log.ts';
import type { Log } from '#provider/base/log/log.ts';
import type { Metrics } from '#provider/base/metrics/metrics.ts';
import type { Clock } from '#provider/base/platform.ts';
import type { Services } from '#provider/base/services.ts';
import type { AuditStreamSettings } from '#provider/project/settings/audit-stream.ts';
import { finishBatch, nextBatch } from './cursor.ts';
import { sinkOf, type AuditSink, type SinkFailure } from './sinks.ts';

interface StreamPatience {
  /** The pause between two checks for new events. */
  readonly pollMs: number;
  /** The pause after the first failure. It doubles with each further one. */
  readonly retryMs: number;
  /** The longest pause after a failure. */
  readonly longestMs: number;
  /** The time limit of one request. */
  readonly timeoutMs?: number;
}

const PATIENCE: StreamPatience = { pollMs: 5_000, retryMs: 1_000, longestMs: 60_000 };

interface StreamServices extends Pick<Services, 'db' | 'clock'> {
  readonly metrics: Pick<Metrics, 'auditBatch' | 'auditReached'>;
  readonly report: Report;
  readonly log?: Pick<Log, 'warn' | 'info'>;
}

/** Delivers the audit log to the sink of the project file; null without `audit_stream`. */
export function startAuditStream(
  services: StreamServices & { readonly project: { readonly audit_stream: AuditStreamSettings | null } },
  realClock: Clock,
  patience: StreamPatience = PATIENCE,
): AuditStream | null {
  const { audit_stream: settings } = services.project;
  return settings === null
    ? null
    : new AuditStream(services, sinkOf(settings, realClock, patience.timeoutMs), patience);
}

/**
 * Delivers the audit log in order, batch by batch, in one process at a time, at least once: the cursor in the database moves after the sink
 * has accepted a batch. Neither a transaction nor a connection waits for the sink, and only one batch is in memory.
 */
export class AuditStream {
  private readonly stopping = new AbortController();
  private readonly lease: Lease;
  private readonly running: Promise<void>;
  private failures = 0;
  /** When the current series of failures began. */
  private failedAt = 0;

  constructor(
    private readonly services: StreamServices,
    private readonly sink: AuditSink,
    private readonly patience: StreamPatience,
  ) {
    // Checked for each batch: a process that was paused must not continue beside the one that replaced it.
    this.lease = new Lease(services.db, 'audit_stream', 0);
    this.running = this.run();
  }

  /** Aborts a delivery that is under way: another process repeats it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.lease.release().catch(() => undefined);
    this.services.metrics.auditReached(null);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const pause = await this.turn().catch((error: unknown) => this.interrupted(error));
      if (pause > 0) await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Delivers a batch, and resolves with the pause after it in milliseconds. */
  private async turn(): Promise<number> {
    const { services, sink, stopping, patience } = this;
    if (!(await this.lease.hold())) {
      services.metrics.auditReached(null);
      return patience.pollMs;
    }
    const { batch, reachedAt } = await nextBatch(services);
    services.metrics.auditReached(reachedAt ?? new Date(0));
    if (batch === null) return patience.pollMs;
    // The log no longer has any event of the batch.
    const failure = batch.events.length === 0 ? null : await sink.write(batch, stopping.signal);
    if (failure !== null) return this.failed(failure);
    await finishBatch(services.db, batch);
    services.metrics.auditBatch('sent', batch.events.length);
    this.succeeded();
    return 0;
  }

  private succeeded(): void {
    if (this.failures === 0) return;
    const seconds = Math.round((performance.now() - this.failedAt) / 1000);
    this.services.log?.info('the audit log is delivered again', {
      sink: this.sink.name,
      failures: this.failures,
      seconds,
    });
    this.failures = 0;
  }

  private async failed({ reason, afterMs = 0 }: SinkFailure): Promise<number> {
    const { services, sink } = this;
    if (this.failures === 0) {
      this.failedAt = performance.now();
      services.log?.warn('the audit log is not delivered', { sink: sink.name, reason });
    }
    services.metrics.auditBatch('failed', 0);
    const pause = Math.max(this.pauseAfter(), Math.min(afterMs, this.patience.longestMs));
    // Another process may be able to reach the sink.
    await this.lease.release();
    return pause;
  }

  /** The database is away, or the server stops. */
  private interrupted(error: unknown): number {
    if (this.stopping.signal.aborted) return 0;
    if (this.failures === 0) {
      this.failedAt = performance.now();
      this.services.report(error, { where: 'audit stream' });
    }
    return this.pauseAfter();
  }

  private pauseAfter(): number {
    const { retryMs, longestMs } = this.patience;
    const pause = Math.min(retryMs * 2 ** Math.min(this.failures, 16), longestMs);
    this.failures += 1;
    return pause;
  }
}
