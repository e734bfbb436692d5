import { createHmac } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { type Limit, windowAt } from './rate-windows.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { passes } from '../passes.ts';
import { isLoopbackAddress, networkOf, networkSteps } from '../peer.ts';
import type { Services } from '../services.ts';

type LimitType = 'too_many_requests' | 'user_lock_limit_reached';
type LimitServices = Pick<Services, 'db' | 'clock' | 'keys'>;

/**
 * Counts one more, or refuses if there were too many. The window slides: the count of the previous fixed window is weighted by its overlap.
 * Counts are stored in the database, so that a restart does not reset them.
 */
export async function take(services: LimitServices, bucket: string, limit: Limit, type: LimitType): Promise<void> {
  await takeTogether(services, [{ name: bucket, limit }], type);
}

/** Like `take`, for several limits in one statement. They are counted in this order (`takingAll`). */
export async function takeTogether(
  services: LimitServices,
  takes: readonly LimitUse[],
  type: LimitType,
): Promise<void> {
  if (takes.length === 0) return;
  const { parts, passed, check } = takingAll(services, takes);
  const { rows } = await sql<{ readonly passed: readonly boolean[] }>`with ${parts} select ${passed} as passed`.execute(
    services.db,
  );
  check(rows[0]?.passed ?? [], type);
}

/** Like `take`, but returns false instead of refusing. */
export function tryTake(services: LimitServices, bucket: string, limit: Limit): Promise<boolean> {
  return passes(take(services, bucket, limit, 'too_many_requests'));
}

/** One of several limits that are counted together. */
export interface LimitUse {
  readonly name: string;
  readonly limit: Limit;
  /** Divides the limit further, by a keyed hash that the same statement computes. */
  readonly per?: RawBuilder<string>;
  /** Whether it applies this time, as a condition of the same statement. Default: always. */
  readonly applies?: RawBuilder<boolean>;
}

interface LimitStatement {
  /** The parts of the statement that count. Other parts may precede them. */
  readonly parts: RawBuilder<unknown>;
  /** Whether each limit let the request pass, in order. */
  readonly passed: RawBuilder<readonly boolean[]>;
  /** Throws if one of them refused. */
  readonly check: (passed: readonly boolean[], type: LimitType) => void;
  /** The first limit that refused, and the end of its window. */
  readonly refusedBy: (passed: readonly boolean[]) => { readonly name: string; readonly waitMs: number } | undefined;
}

/**
 * Counts one more in each of these limits, like `take`, as parts of one statement. They are counted in this order. Once a limit is reached,
 * the following ones are not counted, so that a stranger who has reached a private limit does not use up a shared one.
 */
export function takingAll(services: Pick<LimitServices, 'clock' | 'keys'>, takes: readonly LimitUse[]): LimitStatement {
  const now = services.clock.now();
  const name = (kind: string, place: number) => sql.raw(`${kind}_${place}`);
  const parts = takes.map((each, place) => {
    const { limit, applies = sql<boolean>`true` } = each;
    const { start } = windowAt(now, limit);
    const bucket = bucketOf(services, each);
    const [room, take, pass] = [name('room', place), name('take', place), name('pass', place)];
    const earlier = place === 0 ? sql`true` : sql`(select ok from ${name('pass', place - 1)})`;
    return sql`${room} as materialized (select ${roomIn(services, each)} as room),
      ${take} as (
        insert into limit_windows (bucket, window_start, hits, expires_at)
        select ${bucket}, ${new Date(start)}::timestamptz, 1, ${new Date(start + 2 * limit.windowMs)}::timestamptz
        from ${room} where room > 0 and ${applies} and ${earlier}
        on conflict (bucket, window_start) do update set hits = limit_windows.hits + 1
        where limit_windows.hits < (select room from ${room})
        returning hits),
      ${pass} as materialized (
        select exists (select from ${take}) or (not ${applies} and ${earlier}) as ok)`;
  });
  const passed = takes.map((_, place) => sql`(select ok from ${name('pass', place)})`);
  const refusedBy: LimitStatement['refusedBy'] = (results) => {
    const place = takes.findIndex((_, index) => results[index] !== true);
    const use = takes[place];
    return use && { name: use.name, waitMs: windowAt(now, use.limit).waitMs };
  };
  return {
    parts: sql.join(parts, sql`, `),
    passed: sql<readonly boolean[]>`json_build_array(${sql.join(passed)})`,
    refusedBy,
    check: (results, type) => {
      const refusal = refusedBy(results);
      if (refusal !== undefined) throw limitRefusal(type, refusal.waitMs);
    },
  };
}

function bucketOf(services: Pick<LimitServices, 'keys'>, { name, per }: LimitUse): RawBuilder<string> {
  const key = bucketKey(services, name);
  return per === undefined ? sql<string>`${key}::text` : sql<string>`${key}::text || ':' || ${per}`;
}

/** How many the current window allows. The previous window's count is weighted by its overlap. */
function roomIn(services: Pick<LimitServices, 'clock' | 'keys'>, take: LimitUse): RawBuilder<number> {
  const { before, inView } = windowAt(services.clock.now(), take.limit);
  return sql<number>`greatest(0, ceil(${take.limit.max}::float8 - ${inView}::float8 * coalesce((
    select hits from limit_windows where bucket = ${bucketOf(services, take)} and window_start = ${new Date(before)}), 0)))`;
}

/** Whether the limit is reached, as part of a statement. */
export function isSpent(services: Pick<LimitServices, 'clock' | 'keys'>, take: LimitUse): RawBuilder<boolean> {
  const { start } = windowAt(services.clock.now(), take.limit);
  return sql<boolean>`coalesce((select hits from limit_windows
    where bucket = ${bucketOf(services, take)} and window_start = ${new Date(start)}), 0) >= ${roomIn(services, take)}`;
}

/** Whether the limit has counted anything that still matters, as part of a statement. */
export function isBegun(services: Pick<LimitServices, 'clock' | 'keys'>, take: LimitUse): RawBuilder<boolean> {
  const { start, before } = windowAt(services.clock.now(), take.limit);
  return sql<boolean>`exists (select from limit_windows
    where bucket = ${bucketOf(services, take)} and window_start in (${new Date(start)}, ${new Date(before)}))`;
}

/** Refuses if one of the limits is reached, without counting. */
async function peek(services: LimitServices, takes: readonly LimitUse[], type: LimitType): Promise<void> {
  if (takes.length === 0) return;
  const { rows } = await sql<{ readonly spent: readonly boolean[] }>`
    select json_build_array(${sql.join(takes.map((each) => isSpent(services, each)))}) as spent`.execute(services.db);
  const use = takes.find((_, place) => rows[0]?.spent[place] === true);
  if (use !== undefined) throw limitRefusal(type, windowAt(services.clock.now(), use.limit).waitMs);
}

/** Whether the limit is reached, without counting. */
export async function isReached(services: LimitServices, use: LimitUse): Promise<boolean> {
  const { rows } = await sql<{ readonly spent: boolean }>`select ${isSpent(services, use)} as spent`.execute(
    services.db,
  );
  return rows[0]?.spent === true;
}

/** Resets the count after a success. */
export async function forgive(services: Pick<Services, 'db' | 'keys'>, bucket: string): Promise<void> {
  await services.db.deleteFrom('limit_windows').where('bucket', '=', bucketKey(services, bucket)).execute();
}

/** Takes back one from each of these limits, because what was counted turned out not to count. */
export async function giveBack(services: LimitServices, uses: readonly LimitUse[]): Promise<void> {
  if (uses.length === 0) return;
  const now = services.clock.now();
  await services.db
    .updateTable('limit_windows')
    .set({ hits: sql<number>`hits - 1` })
    .where('hits', '>', 0)
    .where((where) =>
      where.or(
        uses.map((use) =>
          where.and([
            where('bucket', '=', bucketKey(services, use.name)),
            where('window_start', '=', new Date(windowAt(now, use.limit).start)),
          ]),
        ),
      ),
    )
    .execute();
}

/** The keyed hash of a bucket's name, for the database. Addresses and numbers could be guessed from a plain hash. */
function bucketKey({ keys }: Pick<Services, 'keys'>, bucket: string): string {
  return createHmac('sha256', keys.codeKey).update(`limit\n${bucket}`).digest('base64url');
}

export function limitRefusal(type: LimitType, waitMs: number, message?: string): Refusal {
  return new Refusal(type, message, Math.max(1, Math.ceil(waitMs / 1000)));
}

/** The bucket of an address's network. */
export function networkBucket(kind: string, address: string): string {
  return `${kind}:network:${networkOf(address)}`;
}

/** True for loopback with `--dev`. Without it loopback is usually a proxy, which forwards requests from the internet. */
export function isOwnMachine({ dev }: Pick<Services, 'dev'>, address: string): boolean {
  return dev && (address === '' || isLoopbackAddress(address));
}

/** How many times a /64's limit its /64, /56 and /48 may use together: many households share a /48, or one attacker has it. */
export const STEPS: readonly number[] = [1, 2, 4];
/** The same for actions that cost money or a hash, or reduce the share of others: a /48 may do little more than an IPv4 address. */
export const COSTLY_STEPS: readonly number[] = [1, 1.25, 1.5];
/** Only the network, for callers that have shown a secret. */
export const ONE_STEP: readonly number[] = [1];

export const times = (limit: Limit, factor: number): Limit => ({ ...limit, max: Math.ceil(limit.max * factor) });

/** The limits of a request's network and of the wider ones that contain it. None for a developer's own machine. */
export function takesOfNetwork(
  services: Pick<Services, 'dev'>,
  kind: string,
  address: string,
  limit: Limit,
  steps = STEPS,
): readonly LimitUse[] {
  if (isOwnMachine(services, address)) return [];
  return networkSteps(address)
    .slice(0, steps.length)
    .map((network, step) => ({ name: `${kind}:network:${network}`, limit: times(limit, steps[step] ?? 1) }));
}

/** Like `take`, for the networks of a request. Only a developer's own machine is exempt. */
export async function takeForNetwork(
  services: LimitServices & Pick<Services, 'dev'>,
  kind: string,
  address: string,
  limit: Limit,
  steps = STEPS,
): Promise<void> {
  await takeTogether(services, takesOfNetwork(services, kind, address, limit, steps), 'too_many_requests');
}

/** Refuses if `takeForNetwork` would, without counting. */
export async function peekForNetwork(
  services: LimitServices & Pick<Services, 'dev'>,
  kind: string,
  address: string,
  limit: Limit,
): Promise<void> {
  await peek(services, takesOfNetwork(services, kind, address, limit), 'too_many_requests');
}

/** Like `take`, for actions that a user begins in sessions. */
export async function takeForUser(services: LimitServices, kind: string, userId: string, limit: Limit): Promise<void> {
  await take(services, `${kind}:user:${userId}`, limit, 'too_many_requests');
}

/** A caller that may be the app's own server. */
interface NetworkCaller {
  readonly address: string;
  readonly forMany?: boolean;
}

/**
 * Like `takesOfNetwork`, if the caller may be the app's own server. Its calls are limited by its secret, because a limit of its network
 * would apply to all its users together.
 */
export function takesOfCaller(
  services: Pick<Services, 'dev'>,
  kind: string,
  { address, forMany }: NetworkCaller,
  limit: Limit,
  steps = STEPS,
): readonly LimitUse[] {
  return forMany === true ? [] : takesOfNetwork(services, kind, address, limit, steps);
}

/** Like `takeForNetwork`, if the caller may be the app's own server (`takesOfCaller`). */
export async function takeForCaller(
  services: LimitServices & Pick<Services, 'dev'>,
  kind: string,
  caller: NetworkCaller,
  limit: Limit,
): Promise<void> {
  await takeTogether(services, takesOfCaller(services, kind, caller, limit), 'too_many_requests');
}
