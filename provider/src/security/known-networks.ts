import type { Write } from '../db/beside.ts';
import type { Db } from '../db/database.ts';
import { MINUTE_MS } from '../platform.ts';
import { codeHash } from './secrets.ts';
import type { Services } from '../services.ts';
import { isOwnMachine, networkBucket } from './limits.ts';

/** A network counts as the user's for this long after their last login from it. */
export const KNOWN_NETWORK_MS = 30 * 24 * 60 * MINUTE_MS;

const SECOND_FACTORS: ReadonlySet<string> = new Set(['totp', 'recovery_codes']);
/** Logins that an impersonator or app makes, from a network that is not the user's. */
const MADE_BY_OTHERS: ReadonlySet<string> = new Set(['impersonated', 'oauth_access_token_exchange']);

/**
 * The keyed hash of a network, for the database and for limits. A plain hash of four billion addresses could be
 * reversed in minutes.
 */
export function networkKey({ keys }: Pick<Services, 'keys'>, address: string): string {
  return codeHash(keys.codeKey, 'network', networkBucket('network', address));
}

export interface Place {
  /** Undefined for an unknown address; the query runs anyway, so that it takes equally long. */
  readonly userId: string | undefined;
  readonly address: string;
  /** Whether a second factor must have been entered from there. */
  readonly secondFactor?: boolean;
}

/**
 * Whether the user logged in from that network recently. Tries of strangers elsewhere do not count against it. Of the
 * measures against lock-out in NIST SP 800-63B, section 5.2.2, this is the list of addresses of earlier logins. With
 * `--dev` this machine belongs to every user.
 */
export async function isKnownNetwork(services: Services, db: Db, place: Place): Promise<boolean> {
  const { userId, address, secondFactor = false } = place;
  const row = await db
    .selectFrom('known_networks')
    .select(['last_login_at', 'second_factor_at'])
    .where('user_id', '=', userId ?? '')
    .where('network', '=', networkKey(services, address))
    .executeTakeFirst();
  if (isOwnMachine(services, address)) return true;
  const at = secondFactor ? row?.second_factor_at : row?.last_login_at;
  return at !== undefined && at !== null && services.clock.now() - at.getTime() < KNOWN_NETWORK_MS;
}

interface Arrival {
  readonly user_id: string;
  readonly address: string;
  readonly factor: { readonly type: string };
}

/** Stores the network of a login; nothing for one that is not the user's. */
export function networkOfLogin(services: Services, tx: Db, { user_id, address, factor }: Arrival): readonly Write[] {
  if (isOwnMachine(services, address) || MADE_BY_OTHERS.has(factor.type)) return [];
  const now = new Date(services.clock.now());
  const seen = { last_login_at: now, ...(SECOND_FACTORS.has(factor.type) ? { second_factor_at: now } : {}) };
  return [
    tx
      .insertInto('known_networks')
      .values({ user_id, network: networkKey(services, address), second_factor_at: null, ...seen })
      .onConflict((conflict) => conflict.columns(['user_id', 'network']).doUpdateSet(seen)),
  ];
}
