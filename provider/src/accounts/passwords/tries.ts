import { sql, type RawBuilder } from 'kysely';
import { isDelegated } from '#domain/rules/delegates.ts';
import { widestNetworkOf } from '#provider/base/peer.ts';
import type { Caller } from '../sessions/reading/current.ts';
import { lanePart, LANES, networkKey } from '#provider/base/security/known-networks.ts';
import {
  COSTLY_STEPS,
  isSpent,
  take,
  takesOfCaller,
  takesOfNetwork,
  takingAll,
  times,
} from '#provider/base/security/limits.ts';
import type { RateLimitServices } from '#provider/project/services.ts';

/** Unknown networks are rejected beyond this multiple of the strangers' limit. */
const STRANGERS_LAST = 10;
/** The share of the strangers' limit that one network may use. */
const LARGEST_SHARE = 0.5;

interface PasswordAttempt {
  /** The key of the address in the limits. */
  readonly key: string;
  /** Undefined for an unknown address. */
  readonly userId: string | undefined;
  readonly caller: Caller;
}

/**
 * Counts a try of a password, and returns the bucket to reset if the password is right.
 *
 * For an address, each network has separate tries. So does each live session of the user (except sessions that apps make from their tokens,
 * whose number is unlimited), and each browser in which the user has logged in, by its cookie. A network from which the user logs in is
 * counted separately, so tries elsewhere never refuse the right password there. All other networks are also counted together, and the
 * networks of one IPv6 /48 together get little more than one network.
 *
 * Beyond `strangerFailuresPerUser` (100 a day, see NIST SP 800-63B, section 5.2.2; one /48 may use half), each of these has a single try
 * per window, so that the owner can still log in from a new network with the right password. Beyond ten times as many they are refused
 * until some tries are a day old. So an attacker with any number of networks has at most 1000 guesses a day for one account, and ten an
 * hour from one network. Strangers are also limited by network before anything is hashed for them.
 */
export async function takePasswordTry(
  services: RateLimitServices,
  { key, userId, caller }: PasswordAttempt,
): Promise<string> {
  const { failuresPerUser, strangerFailuresPerUser, passwordsPerNetwork } = services.limits;
  const session = await caller.session.find();
  if (session !== undefined && session.user_id === userId && !isDelegated(session)) {
    const own = `password-failure:${key}:${session.session_id}`;
    await take(services, own, failuresPerUser, 'user_lock_limit_reached');
    return own;
  }
  const { address, device } = caller;
  const browser = { name: `password-failure:${key}:${device?.keyFor(userId ?? '') ?? ''}`, limit: failuresPerUser };
  const network = { name: `password-failure:${key}:${networkKey(services, address)}`, limit: failuresPerUser };
  const strangers = { name: `password-failure:${key}`, limit: strangerFailuresPerUser };
  const share = {
    name: `password-share:${key}:${widestNetworkOf(address)}`,
    limit: times(strangerFailuresPerUser, LARGEST_SHARE),
  };
  const crowded = sql<boolean>`(select spent from crowd)`;
  const whenStrange = (also: RawBuilder<boolean>) => sql<boolean>`(${LANES.stranger} and ${also})`;
  const perNetwork = takesOfNetwork(services, `password-failure:${key}`, address, failuresPerUser, COSTLY_STEPS);
  const takes = [
    ...takesOfCaller(services, 'password', caller, passwordsPerNetwork, COSTLY_STEPS).map((each) => ({
      ...each,
      applies: LANES.stranger,
    })),
    { ...browser, applies: LANES.device },
    { ...network, applies: LANES.network },
    ...perNetwork.flatMap((each, step) => [
      { ...each, applies: whenStrange(sql`not ${crowded}`) },
      { ...each, limit: times({ ...each.limit, max: 1 }, COSTLY_STEPS[step] ?? 1), applies: whenStrange(crowded) },
    ]),
    { ...share, limit: times(share.limit, STRANGERS_LAST), applies: LANES.stranger },
    { ...strangers, limit: times(strangers.limit, STRANGERS_LAST), applies: LANES.stranger },
  ];
  const { parts, passed, refusedBy, check } = takingAll(services, takes);
  const lane = lanePart(services, caller, { userId: sql<string>`${userId ?? ''}`, limits: [browser] });
  const { rows } = await sql<{
    readonly passed: readonly boolean[];
    readonly known: boolean;
    readonly device: boolean;
  }>`
    with ${lane},
    crowd as materialized (select ${isSpent(services, strangers)} or ${isSpent(services, share)} as spent),
    ${parts}
    select ${passed} as passed, known, device is not null as device from lane`.execute(services.db);
  const [found] = rows;
  const results = found?.passed ?? [];
  const ofNetwork = refusedBy(results)?.name.startsWith('password:network:') === true;
  check(results, ofNetwork ? 'too_many_requests' : 'user_lock_limit_reached');
  if (found?.device === true) return browser.name;
  return found?.known === true ? network.name : (perNetwork[0]?.name ?? network.name);
}
