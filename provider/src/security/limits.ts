import { createHmac } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { type Limit, windowAt } from '../../../src/domain/rules/rate-windows.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { isLoopbackAddress, networkOf } from '../http/peer.ts';
import type { Services } from '../services.ts';

type LimitType = 'too_many_requests' | 'user_lock_limit_reached';
type Counting = Pick<Services, 'db' | 'clock' | 'keys'>;

/**
 * Counts one more, or refuses when there were too many. The window slides: the count of the previous fixed window is
 * weighted by its overlap. Counts are kept in the database, so that a restart does not reset them.
 */
export async function take(services: Counting, named: string, limit: Limit, type: LimitType): Promise<void> {
  const { parts, passed, check } = takingAll(services, [{ name: named, limit }]);
  const { rows } = await sql<{ readonly passed: readonly boolean[] }>`with ${parts} select ${passed} as passed`.execute(
    services.db,
  );
  check(rows[0]?.passed ?? [], type);
}

/** One of several limits that are counted together. */
export interface Take {
  readonly name: string;
  readonly limit: Limit;
  /** Whether it counts this time, which the same statement finds out. Default: always. */
  readonly applies?: RawBuilder<boolean>;
}

interface Taking {
  /** The parts of the statement that count. The others may precede them. */
  readonly parts: RawBuilder<unknown>;
  /** For each limit in turn, whether it let the request pass. */
  readonly passed: RawBuilder<readonly boolean[]>;
  /** Refuses when one of them did not. */
  readonly check: (passed: readonly boolean[], type: LimitType) => void;
}

/**
 * Counts one more in each of these limits, like `take`, as parts of one statement. They count in this order, and one that
 * refuses keeps those after it from counting: a stranger who is refused at their own limit does not use up one that is shared.
 */
export function takingAll(services: Pick<Counting, 'clock' | 'keys'>, takes: readonly Take[]): Taking {
  const now = services.clock.now();
  const windows = takes.map(({ limit }) => windowAt(now, limit));
  const name = (kind: string, place: number) => sql.raw(`${kind}_${place}`);
  const parts = takes.map(({ name: named, limit, applies = sql<boolean>`true` }, place) => {
    const { start, before, inView } = windows[place] ?? windowAt(now, limit);
    const bucket = bucketKey(services, named);
    const [room, take, pass] = [name('room', place), name('take', place), name('pass', place)];
    const earlier = place === 0 ? sql`true` : sql`(select ok from ${name('pass', place - 1)})`;
    // What the last window counted weighs as much as of it is still in view.
    return sql`${room} as materialized (
        select greatest(0, ceil(${limit.max}::float8 - ${inView}::float8 * coalesce((
          select hits from limit_windows where bucket = ${bucket} and window_start = ${new Date(before)}), 0))) as room),
      ${take} as (
        insert into limit_windows (bucket, window_start, hits, expires_at)
        select ${bucket}::text, ${new Date(start)}::timestamptz, 1, ${new Date(start + 2 * limit.windowMs)}::timestamptz
        from ${room} where room > 0 and ${applies} and ${earlier}
        on conflict (bucket, window_start) do update set hits = limit_windows.hits + 1
        where limit_windows.hits < (select room from ${room})
        returning hits),
      ${pass} as materialized (
        select exists (select from ${take}) or (not ${applies} and ${earlier}) as ok)`;
  });
  const passed = takes.map((_, place) => sql`(select ok from ${name('pass', place)})`);
  return {
    parts: sql.join(parts, sql`, `),
    passed: sql<readonly boolean[]>`json_build_array(${sql.join(passed)})`,
    check: (results, type) => {
      const refused = windows.find((_, place) => results[place] !== true);
      if (refused !== undefined) throw refusal(type, refused.waitMs);
    },
  };
}

/** Refuses when the limit is reached, without counting. */
export async function peek(services: Counting, named: string, limit: Limit, type: LimitType): Promise<void> {
  const { window, before, hits } = await view(services, bucketKey(services, named), limit);
  if (before * window.inView + hits >= limit.max) throw refusal(type, window.waitMs);
}

/** Resets the count after a success. */
export async function forgive(services: Pick<Services, 'db' | 'keys'>, named: string): Promise<void> {
  await services.db.deleteFrom('limit_windows').where('bucket', '=', bucketKey(services, named)).execute();
}

/**
 * The keyed hash of a bucket's name, for the database. Addresses and numbers could be guessed from a plain hash.
 */
function bucketKey({ keys }: Pick<Services, 'keys'>, named: string): string {
  return createHmac('sha256', keys.codeKey).update(`limit\n${named}`).digest('base64url');
}

async function view({ db, clock }: Pick<Counting, 'db' | 'clock'>, bucket: string, limit: Limit) {
  const window = windowAt(clock.now(), limit);
  const rows = await db
    .selectFrom('limit_windows')
    .select(['window_start', 'hits'])
    .where('bucket', '=', bucket)
    .where('window_start', 'in', [new Date(window.start), new Date(window.before)])
    .execute();
  const hitsAt = (time: number): number => rows.find((row) => row.window_start.getTime() === time)?.hits ?? 0;
  return { window, before: hitsAt(window.before), hits: hitsAt(window.start) };
}

function refusal(type: LimitType, waitMs: number): Refusal {
  return new Refusal(type, undefined, Math.max(1, Math.ceil(waitMs / 1000)));
}

/** The bucket of an address's network. */
export function networkBucket(kind: string, address: string): string {
  return `${kind}:network:${networkOf(address)}`;
}

/** True for loopback with `--dev`. Without it loopback is usually a proxy, which forwards requests from the internet. */
export function isOwnMachine({ dev }: Pick<Services, 'dev'>, address: string): boolean {
  return dev && (address === '' || isLoopbackAddress(address));
}

/** Like `take`, for the network of a request. Only a developer's own machine is exempt. */
export async function takeForNetwork(
  services: Counting & Pick<Services, 'dev'>,
  kind: string,
  address: string,
  limit: Limit,
): Promise<void> {
  if (isOwnMachine(services, address)) return;
  await take(services, networkBucket(kind, address), limit, 'too_many_requests');
}

/**
 * Like `takeForNetwork`, where the caller may be the app's own server. Its calls are limited by its secret; the limits of
 * one network would be those of all its users together.
 */
export async function takeForCaller(
  services: Counting & Pick<Services, 'dev'>,
  kind: string,
  { address, forMany }: { readonly address: string; readonly forMany?: boolean },
  limit: Limit,
): Promise<void> {
  if (forMany !== true) await takeForNetwork(services, kind, address, limit);
}
