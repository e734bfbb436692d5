import { isDelegated } from '../../../src/domain/rules/delegates.ts';
import type { Limit } from '../../../src/domain/rules/rate-windows.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Caller } from '../sessions/current.ts';
import type { Services } from '../services.ts';
import { isKnownNetwork, networkKey } from '../security/known-networks.ts';
import { peek, take } from '../security/limits.ts';

/** The strangers' limit times this factor: beyond it, unknown networks are refused. */
const STRANGERS_LAST = 10;

interface Try {
  /** The address as limits name it. */
  readonly key: string;
  /** Undefined for an address that nobody has. */
  readonly userId: string | undefined;
  readonly caller: Caller;
}

/**
 * Counts a try of a password, and answers the bucket to forgive when it was right.
 *
 * Each network has its own tries for an address, and so has each live session of the user's own (an app makes as many
 * of its tokens as it likes). A network that the user logs in from counts alone: tries elsewhere never refuse the right
 * password there. Networks without such a history are also counted together. Past `strangerFailuresPerUser` (100 a day,
 * as NIST SP 800-63B, section 5.2.2, has it) one of them has a single try in a window, so that the owner at a new place
 * is let in who types it right; past ten times as many they are refused until some of it is a day old. So however many
 * networks an attacker has, there are never more than 1000 guesses a day at one account; a single network has ten an
 * hour.
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
