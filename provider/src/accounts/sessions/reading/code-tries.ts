import { sql, type RawBuilder } from 'kysely';
import type { ContactKind } from '#server-rules/contacts.ts';
import { widestNetworkOf } from '#provider/base/peer.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { lanePart, LANES, networkKey, type Origin } from '#provider/base/security/known-networks.ts';
import { isSpent, takingAll, times, type LimitUse } from '#provider/base/security/limits.ts';
import type { RateLimitServices } from '#provider/project/services.ts';

/** The share of the strangers' tries that one network, or one IPv6 /48, may use. */
const LARGEST_SHARE = 0.5;
/** Beyond this multiple of the strangers' limit, codes by message from unknown networks are refused. */
const STRANGERS_LAST = 10;
const ALONE = { max: 1, windowMs: 60 * MINUTE_MS };

interface CodeAttempt {
  readonly user_id: string;
  /** The kind of the contact, not the channel: a code sent through one channel can be entered with the id of another. */
  readonly method: ContactKind | 'totp';
  readonly caller: Origin;
  /** Counted before the others: the limit of one session or login. */
  readonly own?: LimitUse;
}

/** The limits that a try was counted against. */
interface CountedTry {
  /** Limits of the user's own browser or network. */
  readonly owners: readonly LimitUse[];
  /** The limit shared by all strangers. */
  readonly strangers: readonly LimitUse[];
}

/**
 * Counts a try of a code, or refuses it. Each method of a user has one count, whether the code is entered as the first factor, as the
 * second one or in a session, so switching between them gives no additional guesses. Each browser and each network from which the user logs
 * in is counted separately (for an app's codes: where a second factor was entered). All others are counted together. This allows 100
 * guesses a day against a user (NIST SP 800-63B, section 5.2.2).
 *
 * Anybody can have a code sent and enter wrong ones. So beyond the strangers' limit each network still has a single try an hour, which lets
 * the owner log in from a new network. An app's codes get no such try: they need a first factor, and recovery codes let the owner in
 * instead.
 */
export async function takeCodeTry(
  services: RateLimitServices,
  { user_id: userId, method, caller, own }: CodeAttempt,
): Promise<CountedTry> {
  const isApp = method === 'totp';
  const { dailyTriesPerTotp, dailyTriesPerPasscode } = services.limits;
  const limit = isApp ? dailyTriesPerTotp : dailyTriesPerPasscode;
  const daily = `${method}-daily:${userId}:`;
  const widest = widestNetworkOf(caller.address);
  const browser = { name: daily + (caller.device?.keyFor(userId) ?? ''), limit };
  const network = { name: daily + networkKey(services, caller.address), limit };
  const all = { name: daily, limit };
  const share = { name: `${daily}share:${widest}`, limit: times(limit, LARGEST_SHARE) };
  const alone = { name: `${daily}alone:${widest}`, limit: ALONE };
  const beyond = { ...all, limit: times(limit, STRANGERS_LAST) };
  const crowded = sql<boolean>`(select spent from crowd)`;
  const strangers: readonly LimitUse[] = isApp
    ? [share, all].map((use) => ({ ...use, applies: LANES.stranger }))
    : [
        { ...alone, applies: whenStrange(crowded) },
        { ...share, applies: LANES.stranger },
        { ...beyond, applies: LANES.stranger },
      ];
  const { parts, passed, check } = takingAll(services, [
    ...(own === undefined ? [] : [own]),
    { ...browser, applies: LANES.device },
    { ...network, applies: LANES.network },
    ...strangers,
  ]);
  const whose = { userId: sql<string>`${userId}`, secondFactor: isApp, limits: [browser] };
  const { rows } = await sql<{
    readonly passed: readonly boolean[];
    readonly known: boolean;
    readonly device: boolean;
    readonly crowded: boolean;
  }>`
    with ${lanePart(services, caller, whose)},
    crowd as materialized (select ${isSpent(services, all)} as spent),
    ${parts}
    select ${passed} as passed, known, device is not null as device, ${crowded} as crowded from lane`.execute(
    services.db,
  );
  const [lane] = rows;
  check(lane?.passed ?? [], 'user_lock_limit_reached');
  const owners = own === undefined ? [] : [own];
  if (lane?.device === true) return { owners: [...owners, browser], strangers: [] };
  if (lane?.known === true) return { owners: [...owners, network], strangers: [] };
  return { owners, strangers: isApp ? [share, all] : [...(lane?.crowded === true ? [alone] : []), share, beyond] };
}

const whenStrange = (also: RawBuilder<boolean>): RawBuilder<boolean> => sql<boolean>`(${LANES.stranger} and ${also})`;
