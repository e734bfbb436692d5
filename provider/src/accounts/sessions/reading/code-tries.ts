import { sql, type RawBuilder } from 'kysely';
import type { ContactKind } from '../../../../../server-rules/contacts.ts';
import { widestNetworkOf } from '../../../base/peer.ts';
import { MINUTE_MS } from '../../../base/platform.ts';
import { lanePart, LANES, networkKey, type Origin } from '../../../base/security/known-networks.ts';
import { isSpent, takingAll, times, type LimitUse } from '../../../base/security/limits.ts';
import type { RateLimitServices } from '../../../project/services.ts';

/** The part of the strangers' tries that one network, or one IPv6 /48, may take. */
const LARGEST_SHARE = 0.5;
/** Beyond the strangers' limit times this factor, codes by message from unknown networks are refused. */
const STRANGERS_LAST = 10;
const ALONE = { max: 1, windowMs: 60 * MINUTE_MS };

interface CodeAttempt {
  readonly user_id: string;
  /** The kind of the contact, not the channel: a code that was sent in one channel can be entered by the id of another. */
  readonly method: ContactKind | 'totp';
  readonly caller: Origin;
  /** Counted before the others: the tries of one session or login. */
  readonly own?: LimitUse;
}

/** The limits in which a try was counted, by whose they are. */
interface CountedTry {
  /** Of the user's own browser or network. */
  readonly owners: readonly LimitUse[];
  /** Of all strangers together. */
  readonly strangers: readonly LimitUse[];
}

/**
 * Counts a try of a code, or refuses it. A method of a user has one count, whether the code is entered as the first factor, as the
 * second one or in a session: whoever changes between them has no more guesses. Each browser in which and each network from which the
 * user logs in is counted alone (for an app's codes: where a second factor was entered), and all others together. This allows 100
 * guesses a day against a user (NIST SP 800-63B, section 5.2.2).
 *
 * Anybody can have a code sent and enter wrong ones. Beyond the strangers' limit each of their networks therefore still has a single try an
 * hour, with which the owner logs in from a new network. Codes of an app need a first factor, and recovery codes let the owner in instead.
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
