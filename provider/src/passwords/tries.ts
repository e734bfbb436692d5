import { isDelegated } from '../../../src/domain/rules/delegates.ts';
import type { Limit } from '../../../src/domain/rules/rate-windows.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Caller } from '../sessions/current.ts';
import type { Services } from '../services.ts';
import { isKnownNetwork, networkKey } from '../security/known-networks.ts';
import { peek, take } from '../security/limits.ts';

/** Beyond the strangers' limit times this factor, unknown networks are refused. */
const STRANGERS_LAST = 10;

interface Try {
  /** The key of the address in the limits. */
  readonly key: string;
  /** Undefined for an unknown address. */
  readonly userId: string | undefined;
  readonly caller: Caller;
}

/**
 * Counts a try of a password, and returns the bucket to reset if the password is right.
 *
 * Each network has its own tries for an address, and so has each live session of the user (but not sessions that apps make
 * from their tokens, in any number). A network from which the user logs in is counted alone: tries elsewhere never refuse
 * the right password there. All other networks are also counted together. Beyond `strangerFailuresPerUser` (100 a day,
 * see NIST SP 800-63B, section 5.2.2) each of them has a single try in a window, so that the owner can still log in from a
 * new network with the right password. Beyond ten times as many they are refused until some tries are a day old. An
 * attacker with any number of networks therefore has at most 1000 guesses a day for one account, and ten an hour from one
 * network.
 */
export async function takePasswordTry(services: Services, { key, userId, caller }: Try): Promise<string> {
  const { failuresPerUser, strangerFailuresPerUser } = services.limits;
  const session = await caller.session.find();
  const known = await isKnownNetwork(services, services.db, { userId, address: caller.address });
  if (session !== undefined && session.user_id === userId && !isDelegated(session)) {
    const own = `password-failure:${key}:${session.session_id}`;
    await take(services, own, failuresPerUser, 'user_lock_limit_reached');
    return own;
  }
  const own = `password-failure:${key}:${networkKey(services, caller.address)}`;
  if (known) {
    await take(services, own, failuresPerUser, 'user_lock_limit_reached');
    return own;
  }
  const strangers = `password-failure:${key}`;
  const crowded = await isSpent(services, strangers, strangerFailuresPerUser);
  await take(services, own, crowded ? { ...failuresPerUser, max: 1 } : failuresPerUser, 'user_lock_limit_reached');
  const last = { ...strangerFailuresPerUser, max: STRANGERS_LAST * strangerFailuresPerUser.max };
  await take(services, strangers, last, 'user_lock_limit_reached');
  return own;
}

async function isSpent(services: Services, bucket: string, limit: Limit): Promise<boolean> {
  try {
    await peek(services, bucket, limit, 'user_lock_limit_reached');
    return false;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}
