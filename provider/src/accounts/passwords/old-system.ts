import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import { Breaker } from '#provider/base/http/breaker.ts';
import { outsideFetch } from '#provider/base/http/outside-fetch.ts';
import { signedHeaders, webhookKeyFrom } from '#provider/base/http/signed-request.ts';
import { peerOf } from '#provider/base/peer.ts';
import { monotonicClock } from '#provider/base/platform.ts';
import { uuid } from '#provider/base/security/secrets.ts';
import { Semaphore } from '#provider/base/security/semaphore.ts';
import { outsideLine } from '#provider/base/security/work-line.ts';
import type { PasswordCheckSettings } from '#provider/project/settings/external/password-check.ts';
import type { Services } from '../services.ts';

const MAX_BYTES = 4 * 1024;
/** The most calls at once, those of one network, and those that wait. */
const CALLS_AT_ONCE = 8;
const CALLS_OF_PEER = 4;
const LONGEST_LINE = 64;
const BREAKER = { failures: 3, pauseMs: 10_000 };
/** How long after a failure every login that fails is told to try again. */
const OUTAGE_MS = 30_000;

const UNCHECKED = 'Passwords cannot be checked at the moment. Please try again in a moment.';

export type OldSystemServices = Pick<Services, 'clock' | 'random' | 'project' | 'warn'>;

/** An address and a password, as a person entered them, with what the old system may need to find its user. */
export interface OldSystemClaim {
  readonly email: string;
  readonly user_id: string;
  readonly external_id: string | null;
  readonly password: string;
}

/** The system from which users were imported without their passwords. */
class OldSystem {
  private readonly slots = new Semaphore(CALLS_AT_ONCE, LONGEST_LINE, UNCHECKED, CALLS_OF_PEER);
  private readonly breaker = new Breaker(BREAKER);
  private failedAt = -Infinity;
  private durationMs = 0;

  constructor(private readonly settings: PasswordCheckSettings) {}

  /** Whether the last call failed a moment ago. */
  get isOut(): boolean {
    return monotonicClock.now() - this.failedAt < OUTAGE_MS;
  }

  /** Whether the old system says that the password is correct. Throws a Refusal if it does not say. */
  async says(services: OldSystemServices, claim: OldSystemClaim, address: string): Promise<boolean> {
    return this.slots.run(async () => {
      const wasOut = this.isOut;
      try {
        const isCorrect = await this.breaker.run(() => this.call(services, claim));
        this.failedAt = -Infinity;
        return isCorrect;
      } catch (error) {
        this.failedAt = monotonicClock.now();
        if (!wasOut) services.warn?.(`password_check: ${reasonOf(error)}. Logins that need it are refused.`);
        throw unchecked();
      }
    }, peerOf(address));
  }

  /** Takes as long as a call, and fails like one, for somebody whom the old system is not asked about. */
  async imitate(address: string): Promise<boolean> {
    return this.slots.run(async () => {
      if (this.isOut) throw unchecked();
      await sleep(this.durationMs);
      return false;
    }, peerOf(address));
  }

  private async call({ clock, random, project }: OldSystemServices, claim: OldSystemClaim): Promise<boolean> {
    const { url, secret, timeout_seconds } = this.settings;
    const keys = secret.map(webhookKeyFrom).filter((key) => key !== null);
    const body = JSON.stringify(claim);
    const signature = signedHeaders(keys, { id: uuid(random), at: clock.now(), body });
    const headers = { 'content-type': 'application/json', ...signature };
    const timeoutMs = timeout_seconds * 1000;
    const fetch = outsideFetch({ timeoutMs, maxBytes: MAX_BYTES, allowPrivate: project.allow_loopback });
    const start = monotonicClock.now();
    const reply = await fetch(url, { method: 'POST', headers, body });
    // A redirect could lead the password anywhere.
    if (reply.status !== 200) throw new Error(`the old system answered with status ${reply.status}, not 200`);
    const json: unknown = await reply.json().catch(() => null);
    const isCorrect = isRecord(json) ? json['correct'] : undefined;
    if (typeof isCorrect !== 'boolean') throw new Error('the answer of the old system has no boolean "correct"');
    this.durationMs = monotonicClock.now() - start;
    return isCorrect;
  }
}

export const unchecked = (): Refusal => new Refusal('service_unavailable', UNCHECKED, 10);

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'the call failed');

/** By settings: a project that is read again has others. */
const SYSTEMS = new WeakMap<PasswordCheckSettings, OldSystem>();

/** The old system of the project; null if passwords are only here. */
export function oldSystemOf({ project: { password_check: settings } }: Pick<Services, 'project'>): OldSystem | null {
  if (settings === null) return null;
  const system = SYSTEMS.get(settings) ?? new OldSystem(settings);
  SYSTEMS.set(settings, system);
  return system;
}

/**
 * Whether the password of a user who has none here is correct. A claim without a user is a decoy, so that the time does not reveal whose
 * password is elsewhere. The request leaves the queue of those that make hashes, and holds no connection of the database.
 */
export async function isCorrectElsewhere(
  services: OldSystemServices,
  claim: OldSystemClaim | null,
  address: string,
): Promise<boolean> {
  const system = oldSystemOf(services);
  // Directories accept every name with an empty password (RFC 4513, section 5.1.2).
  if (system === null || claim?.password === '') return false;
  return outsideLine(() => (claim === null ? system.imitate(address) : system.says(services, claim, address)));
}
