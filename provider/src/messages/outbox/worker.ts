import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '#provider/base/db/database-errors.ts';
import type { Log } from '#provider/base/log/log.ts';
import type { Services } from '../services.ts';
import { delayAfter, MOST_ATTEMPTS } from './backoff.ts';
import type { Carrier, Carriers, Outcome, Parcel } from './carrier.ts';
import { DOWN_AFTER, hasProbes, roomOf, type LaneState } from './lane-state.ts';
import {
  claim,
  countRetries,
  expireMessages,
  hasten,
  hastenOne,
  postpone,
  settle,
  type Lane,
  type DeliveryResult,
} from './queue.ts';

export interface WorkerOptions extends Pick<Services, 'db' | 'clock' | 'report' | 'metrics'> {
  readonly log?: Pick<Log, 'warn'>;
  readonly carriers: Carriers;
  readonly lanes: readonly (Lane & { readonly limit: number })[];
  /** With `--dev`, sent messages stay readable in the inbox. */
  readonly keepContent?: boolean;
  readonly patience?: Partial<WorkerPatience>;
}

/** In milliseconds. */
export interface WorkerPatience {
  /** How often messages of other processes are read, with one statement that uses an index. */
  readonly poll: number;
  /** The time limit of one delivery. */
  readonly delivery: number;
  /** The time for the statement that ends a delivery, until other processes may claim the message. */
  readonly settling: number;
  /** The time limit for the deliveries under way when the server stops. */
  readonly stop: number;
  /** How often one message is tried while none can be delivered. */
  readonly probe: number;
}

const PATIENCE: WorkerPatience = { poll: 500, delivery: 20_000, settling: 10_000, stop: 3_000, probe: 10_000 };
/** The attempts of a message that may be used as probes. The others come at growing intervals. */
const PROBES = MOST_ATTEMPTS / 2;
const EXPIRE_EVERY_MS = 30_000;
const LONGEST_PAUSE_MS = 10_000;
const NO_ANSWER = 'no answer in time';
/** The interval of log lines about undelivered messages of a channel. Metrics count all of them. */
const WARN_EVERY_MS = 60_000;

/**
 * Delivers the messages of the outbox, in any number of processes. A message is claimed for a short time and delivered outside of any
 * transaction. Its content is erased by the statement that marks it as sent. If a process dies in between, another one delivers the message
 * again. So it is delivered at least once, and the id of the row is the idempotency key for a receiver.
 */
export class DeliveryWorker {
  private readonly options: WorkerOptions;
  private readonly patience: WorkerPatience;
  private readonly by = randomUUID();
  private readonly tracks: readonly LaneState[];
  private readonly underWay = new Map<string, Promise<void>>();
  /** The limits of the deliveries under way. */
  private readonly limits = new Set<AbortController>();
  /** Aborts deliveries under way when the server stops. */
  private hurried = false;
  private pause = new AbortController();
  private stopping = false;
  private expiredAt = -Infinity;
  private hasRecalled = false;
  private readonly warnedAt = new Map<Parcel['channel'], number>();
  private readonly running: Promise<void>;

  constructor(options: WorkerOptions) {
    this.options = options;
    this.patience = { ...PATIENCE, ...options.patience };
    this.tracks = options.lanes.map((lane) => ({
      ...lane,
      busy: 0,
      full: false,
      failures: 0,
      absences: 0,
      probedAt: 0,
    }));
    this.running = this.run();
  }

  /** Reads new messages immediately. Called after this process committed one. */
  wake(): void {
    this.pause.abort();
  }

  /**
   * Waits for the deliveries under way, in limited time. Messages that are not delivered by then become due immediately, for other
   * processes.
   */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.running;
    const hurry = setTimeout(() => {
      this.hurried = true;
      for (const limit of this.limits) limit.abort();
    }, this.patience.stop);
    await Promise.all(this.underWay.values());
    clearTimeout(hurry);
    await Promise.allSettled(Object.values(this.options.carriers).map((carrier) => carrier.close()));
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.stopping) {
      this.pause = new AbortController();
      try {
        await this.round();
        failures = 0;
      } catch (error) {
        // While the database is away, one line is enough.
        if (failures === 0) this.options.report(error, { where: 'delivery' });
        failures += 1;
      }
      const pause = Math.min(this.patience.poll * 2 ** failures, LONGEST_PAUSE_MS);
      await sleep(pause, undefined, { signal: this.pause.signal }).catch(() => undefined);
    }
  }

  /** Claims as many messages as there is capacity for, and starts their delivery. */
  private async round(): Promise<void> {
    const { db, clock } = this.options;
    if (performance.now() - this.expiredAt > EXPIRE_EVERY_MS) {
      await expireMessages(db, clock.now(), (channel) => this.options.metrics.delivery(channel, 'expired'));
      this.expiredAt = performance.now();
    }
    await this.recall();
    const probed = new Set<LaneState>();
    for (const track of this.tracks) if (await this.probe(track)) probed.add(track);
    const now = clock.now();
    const until = now + this.patience.delivery + this.patience.settling;
    const lanes = this.tracks.map((track) => ({ ...track, limit: roomOf(track, probed.has(track)) }));
    if (lanes.every(({ limit }) => limit === 0)) return;
    const parcels = await claim(db, { by: this.by, now, until, lanes });
    for (const track of this.tracks) {
      const mine = parcels.filter(({ channel, to }) => channel === track.channel && (track.recipient ?? to) === to);
      track.full = mine.length >= track.limit - track.busy;
      for (const parcel of mine) this.start(track, parcel);
    }
  }

  /**
   * A process that starts during an outage counts the failures of earlier processes. It does so once, because an operator may have
   * corrected the settings.
   */
  private async recall(): Promise<void> {
    if (this.hasRecalled) return;
    const { db, clock } = this.options;
    for (const track of this.tracks) track.failures += await countRetries(db, track, clock.now(), DOWN_AFTER);
    this.hasRecalled = true;
  }

  private start(track: LaneState, parcel: Parcel): void {
    // The clock was set forward, so this process claimed its own message again.
    if (this.underWay.has(parcel.id)) return;
    track.busy += 1;
    this.underWay.set(parcel.id, this.carry(track, parcel));
  }

  private async carry(track: LaneState, parcel: Parcel): Promise<void> {
    const outcome = await this.attempt(parcel);
    await this.finish(parcel, outcome);
    await this.judge(track, outcome);
    track.busy -= 1;
    this.underWay.delete(parcel.id);
    // While deliveries fail, new ones begin only at the polling interval.
    if (outcome.kind === 'sent' && track.full) this.wake();
  }

  /** After an outage of the carrier its messages wait for minutes. A success makes all of them due immediately. */
  private async judge(track: LaneState, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'retry') {
      track.failures += 1;
      track.absences = outcome.isAway === true && hasProbes(track) ? track.absences + 1 : 0;
    }
    if (outcome.kind !== 'sent') return;
    const wasDown = track.failures >= DOWN_AFTER;
    track.failures = 0;
    track.absences = 0;
    if (!wasDown) return;
    const { db, clock, report } = this.options;
    await hasten(db, track, clock.now()).catch((error: unknown) => report(error, { where: 'delivery' }));
    this.wake();
  }

  /**
   * While the carrier of messages to people is down, tries one of them often, because a code is valid for only ten minutes.
   *
   * @returns whether such an attempt is due
   */
  private async probe(track: LaneState): Promise<boolean> {
    if (track.failures < DOWN_AFTER || track.busy > 0 || !hasProbes(track)) return false;
    if (performance.now() - track.probedAt < this.patience.probe) return false;
    track.probedAt = performance.now();
    await hastenOne(this.options.db, track, this.options.clock.now(), PROBES);
    return true;
  }

  private async attempt(parcel: Parcel): Promise<Outcome> {
    const { carriers, clock } = this.options;
    const carrier = carriers[parcel.channel];
    const ttlMs = parcel.expiresAt.getTime() - clock.now();
    if (carrier === undefined || ttlMs <= 0) return { kind: 'retry', reason: 'it expired' };
    // The processes that tried it ended before they could store the outcome.
    if (parcel.attempt > MOST_ATTEMPTS) return { kind: 'rejected', reason: 'too many attempts' };
    return this.inTime(carrier, parcel, Math.min(this.patience.delivery, ttlMs));
  }

  /** The carrier's answer, or the end of the wait: a carrier may ignore the signal. */
  private async inTime(carrier: Carrier, parcel: Parcel, ms: number): Promise<Outcome> {
    const limit = new AbortController();
    const { signal } = limit;
    this.limits.add(limit);
    // `AbortSignal.any` would hold `AbortSignal.timeout` weakly, so a garbage collection could remove the limit.
    const timer = setTimeout(() => limit.abort(), ms);
    const answer = carrier.deliver(parcel, signal).catch((error: unknown): Outcome => {
      if (!signal.aborted) this.options.report(error, { where: `delivery by ${parcel.channel}` });
      return { kind: 'retry', reason: signal.aborted ? NO_ANSWER : 'the delivery failed unexpectedly' };
    });
    const late = new Promise<Outcome>((resolve) => {
      const giveUp = (): void => {
        resolve({ kind: 'retry', reason: NO_ANSWER });
        // An answer may still come, and save another attempt.
        if (!this.hurried)
          void answer.then((outcome) => (outcome.kind === 'sent' ? this.finish(parcel, outcome) : undefined));
      };
      signal.addEventListener('abort', giveUp, { once: true });
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
      this.limits.delete(limit);
    }
  }

  private warn({ channel, id, attempt }: Parcel, reason: string): void {
    const now = performance.now();
    if (now - (this.warnedAt.get(channel) ?? -Infinity) < WARN_EVERY_MS) return;
    this.warnedAt.set(channel, now);
    this.options.log?.warn('a message was not delivered', { channel, message_id: id, attempt, reason });
  }

  /** Stores the outcome. While the database is away this is repeated, because otherwise another process would deliver the message again. */
  private async finish(parcel: Parcel, outcome: Outcome): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.write(parcel, outcome);
      } catch (error) {
        if (failures === 0) this.options.report(error, { where: 'delivery' });
        if (this.stopping || !isDatabaseUnavailable(error)) return;
        await sleep(Math.min(this.patience.poll * 2 ** failures, LONGEST_PAUSE_MS));
      }
    }
  }

  private async write(parcel: Parcel, outcome: Outcome): Promise<void> {
    const { db, clock, metrics, keepContent } = this.options;
    const now = clock.now();
    const end = async (state: DeliveryResult['state'], rest: Partial<DeliveryResult>): Promise<void> => {
      await settle(db, parcel, { state, now, ...rest });
      metrics.delivery(parcel.channel, state);
    };
    if (outcome.kind === 'sent')
      return end('sent', { reference: outcome.reference && storable(outcome.reference), keepContent });
    const error = withoutSecrets(outcome.reason, parcel);
    this.warn(parcel, error);
    if (outcome.kind === 'rejected' || parcel.attempt >= MOST_ATTEMPTS) return end('dead', { error });
    const nextAt = this.hurried ? now : now + delayAfter(parcel.attempt, outcome.afterMs);
    // The content of a webhook event is kept, so that the operator can send it again.
    if (nextAt >= parcel.expiresAt.getTime()) return end(parcel.channel === 'webhook' ? 'dead' : 'expired', { error });
    await postpone(db, parcel, { by: this.by, nextAt, error });
    metrics.delivery(parcel.channel, 'retry');
  }
}

const LONGEST_REASON = 300;

/** The reason, without the message if the receiver's answer repeats it. */
function withoutSecrets(reason: string, { code, link }: Parcel): string {
  const secrets = [code, link].filter((secret) => secret !== undefined);
  return storable(secrets.reduce((text, secret) => text.replaceAll(secret, '…'), reason));
}

/** Text of another server, shortened, without characters that PostgreSQL cannot store. */
function storable(text: string): string {
  return text.slice(0, LONGEST_REASON).replaceAll(/\p{Cc}|\p{Surrogate}/gu, ' ');
}
