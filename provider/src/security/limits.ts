import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { isLoopbackAddress, networkOf } from '../http/peer.ts';
import { Refusal } from '../http/refusal.ts';
import { MINUTE_MS } from '../platform.ts';
import type { Services } from '../services.ts';

/** At most `max` in any `windowMs`. */
export interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

export interface Limits {
  /** Messages to one address, asked for from one network. */
  readonly sendsPerAddress: Limit;
  /** Messages to one address or number: for each network that its user logs in from, and for all others together. */
  readonly dailySendsPerAddress: Limit;
  /** Messages asked for from one network address. With `--dev` this machine is not limited. */
  readonly sendsPerNetwork: Limit;
  /** Passwords for one address from one network, or from one session of its user, since the last right one. */
  readonly failuresPerUser: Limit;
  /** Passwords for one address from all networks together that its user does not log in from. */
  readonly strangerFailuresPerUser: Limit;
  /** Wrong passcodes and links from one network address. */
  readonly failuresPerNetwork: Limit;
  /** Questions whether a user exists, from one network address. */
  readonly searchesPerNetwork: Limit;
  /** Texts to one number, by SMS and WhatsApp together, divided as `dailySendsPerAddress`: they cost money. */
  readonly textsPerNumber: Limit;
  /** Texts to a thousand neighbouring numbers: who earns on texts owns such ranges. */
  readonly textsPerRange: Limit;
  /** Texts asked for from one network address. */
  readonly textsPerNetwork: Limit;
  /** Codes of an authenticator app or recovery codes in one session, since the last right one. */
  readonly triesPerTotp: Limit;
  /** Codes of an authenticator app for one user: from each network that it was used from, and all others together. */
  readonly dailyTriesPerTotp: Limit;
  /** Messages for one wallet to sign, asked for from one network. */
  readonly challengesPerWallet: Limit;
  /** New passwords for one user from within a session or with the old one: each is judged, and hashed if it is good. */
  readonly newPasswordsPerUser: Limit;
  /** Authenticator apps begun by one user: a QR code is drawn for each. */
  readonly newTotpsPerUser: Limit;
}

const DAY_MS = 24 * 60 * MINUTE_MS;

/** Roomy enough to develop with, tight enough that a passcode cannot be guessed. */
export const DEFAULT_LIMITS: Limits = {
  sendsPerAddress: { max: 10, windowMs: 10 * MINUTE_MS },
  sendsPerNetwork: { max: 300, windowMs: 10 * MINUTE_MS },
  dailySendsPerAddress: { max: 60, windowMs: DAY_MS },
  failuresPerUser: { max: 10, windowMs: 60 * MINUTE_MS },
  strangerFailuresPerUser: { max: 100, windowMs: DAY_MS },
  failuresPerNetwork: { max: 300, windowMs: 10 * MINUTE_MS },
  searchesPerNetwork: { max: 120, windowMs: MINUTE_MS },
  textsPerNumber: { max: 10, windowMs: 60 * MINUTE_MS },
  textsPerRange: { max: 100, windowMs: 60 * MINUTE_MS },
  textsPerNetwork: { max: 60, windowMs: 60 * MINUTE_MS },
  triesPerTotp: { max: 5, windowMs: 30 * MINUTE_MS },
  dailyTriesPerTotp: { max: 100, windowMs: DAY_MS },
  challengesPerWallet: { max: 20, windowMs: 5 * MINUTE_MS },
  newPasswordsPerUser: { max: 30, windowMs: 10 * MINUTE_MS },
  newTotpsPerUser: { max: 30, windowMs: 10 * MINUTE_MS },
};

type LimitType = 'too_many_requests' | 'user_lock_limit_reached';
type Counting = Pick<Services, 'db' | 'clock' | 'keys'>;

/**
 * Counts one more, or refuses when there were too many. Sliding: what the last fixed window counted weighs as much as
 * of it is still in view. Kept in the database, so that a restart forgives nothing.
 */
export async function take(services: Counting, named: string, limit: Limit, type: LimitType): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const bucket = bucketKey(services, named);
  const { start, carried } = await view(services, bucket, limit);
  const room = Math.max(0, Math.ceil(limit.max - carried));
  const expires = new Date(start + 2 * limit.windowMs);
  const counted = await db
    .insertInto('limit_windows')
    .values({ bucket, window_start: new Date(start), hits: 1, expires_at: expires })
    .onConflict((conflict) =>
      conflict
        .columns(['bucket', 'window_start'])
        .doUpdateSet({ hits: sql<number>`limit_windows.hits + 1` })
        .where('limit_windows.hits', '<', room),
    )
    .returning('hits')
    .executeTakeFirst();
  if (counted === undefined || counted.hits > room) throw refusal(type, start + limit.windowMs - now);
}

/** Refuses when no more may happen, and counts nothing. */
export async function peek(services: Counting, named: string, limit: Limit, type: LimitType): Promise<void> {
  const { start, carried, hits } = await view(services, bucketKey(services, named), limit);
  if (carried + hits >= limit.max) throw refusal(type, start + limit.windowMs - services.clock.now());
}

/** Forgets what was counted: whoever got it right need not fear the tries before. */
export async function forgive(services: Pick<Services, 'db' | 'keys'>, named: string): Promise<void> {
  await services.db.deleteFrom('limit_windows').where('bucket', '=', bucketKey(services, named)).execute();
}

/**
 * What the database keeps of a bucket's name: of one length whatever it was made of, and keyed, because addresses and
 * numbers are few enough to be guessed from a plain hash.
 */
function bucketKey({ keys }: Pick<Services, 'keys'>, named: string): string {
  return createHmac('sha256', keys.codeKey).update(`limit\n${named}`).digest('base64url');
}

async function view({ db, clock }: Pick<Counting, 'db' | 'clock'>, bucket: string, limit: Limit) {
  const now = clock.now();
  const start = Math.floor(now / limit.windowMs) * limit.windowMs;
  const rows = await db
    .selectFrom('limit_windows')
    .select(['window_start', 'hits'])
    .where('bucket', '=', bucket)
    .where('window_start', 'in', [new Date(start), new Date(start - limit.windowMs)])
    .execute();
  const hitsAt = (time: number): number => rows.find((row) => row.window_start.getTime() === time)?.hits ?? 0;
  const inView = 1 - (now - start) / limit.windowMs;
  return { start, carried: hitsAt(start - limit.windowMs) * inView, hits: hitsAt(start) };
}

function refusal(type: LimitType, waitMs: number): Refusal {
  return new Refusal(type, undefined, Math.max(1, Math.ceil(waitMs / 1000)));
}

/** The bucket of the network that an address is in. */
export function networkBucket(kind: string, address: string): string {
  return `${kind}:network:${networkOf(address)}`;
}

/** True for a developer's own machine: elsewhere loopback is the proxy that the whole internet comes through. */
export function isOwnMachine({ dev }: Pick<Services, 'dev'>, address: string): boolean {
  return dev && (address === '' || isLoopbackAddress(address));
}

/** As `take`, for the network that a request came from. Only a developer's own machine is spared. */
export async function takeForNetwork(
  services: Counting & Pick<Services, 'dev'>,
  kind: string,
  address: string,
  limit: Limit,
): Promise<void> {
  if (isOwnMachine(services, address)) return;
  await take(services, networkBucket(kind, address), limit, 'too_many_requests');
}
