import { sql, type RawBuilder } from 'kysely';
import { agentNames } from '#domain/sessions/user-agent.ts';
import type { WriteStatement } from '../db/statements/with-writes.ts';
import type { Db } from '../db/database.ts';
import { MINUTE_MS } from '../platform.ts';
import type { Services } from '../services.ts';
import { DEVICE_PREFIX, type DeviceCookie } from './device-cookies.ts';
import { isOwnMachine, isSpent, networkBucket, type LimitUse } from './limits.ts';
import { codeHash } from './secrets.ts';

/** How long a network or browser counts as the user's after their last login from it. */
export const KNOWN_NETWORK_MS = 30 * 24 * 60 * MINUTE_MS;
/** The most of each per user. A new one replaces the least recently used one. */
const MOST_NETWORKS = 50;
const MOST_DEVICES = 10;

const SECOND_FACTORS: ReadonlySet<string> = new Set(['totp', 'recovery_codes']);
/** Logins by an impersonator or an app, whose network is not the user's. */
const MADE_BY_OTHERS: ReadonlySet<string> = new Set(['impersonated', 'oauth_access_token_exchange']);

/** The keyed hash of a network, for the database and for limits. Plain hashes of four billion addresses could be reversed in minutes. */
export function networkKey({ keys }: Pick<Services, 'keys'>, address: string): string {
  return codeHash(keys.codeKey, 'network', networkBucket('network', address));
}

/** The origin of a request: its network and its browser. */
export interface Origin {
  readonly address: string;
  /** Absent if the caller is not a browser. */
  readonly device?: DeviceCookie;
}

/** The user whose networks and browsers count, as parts of a statement. */
interface NetworkOwner {
  readonly userId: RawBuilder<string | null>;
  /** Whether the user has verified the address or number in the request. Default: yes. */
  readonly owns?: RawBuilder<boolean>;
  /** Whether a second factor must have been entered there. */
  readonly secondFactor?: boolean;
  /** The limits of a browser (by `DEVICE_KEY`). If one is used up, its requests count like those of others. */
  readonly limits: readonly LimitUse[];
}

/**
 * The lane in which a request counts against a user's limits, as the part `lane` of a statement: the lane of a browser in which the user
 * logged in, else of a network from which they logged in, else of strangers. Strangers' tries do not use up the other limits. These are two
 * of the measures against lock-out in NIST SP 800-63B, section 5.2.2: a list of addresses of earlier logins, and device cookies. With
 * `--dev` this machine belongs to every user. The statement is the same for an unknown user.
 */
export function lanePart(
  services: Pick<Services, 'clock' | 'keys' | 'dev'>,
  { address, device }: Origin,
  whose: NetworkOwner,
): RawBuilder<unknown> {
  const { userId, owns = sql<boolean>`true`, secondFactor = false, limits } = whose;
  const since = new Date(services.clock.now() - KNOWN_NETWORK_MS);
  const column = sql.ref(secondFactor ? 'second_factor_at' : 'last_login_at');
  const network = networkKey(services, address);
  const devices = sql.join((device?.keys ?? NO_DEVICES).map((key) => sql`${key}`));
  const conditions = limits.map((each) => isSpent(services, each));
  return sql`
    place as materialized (
      select coalesce(bool_or(network = ${network}), false) as known,
        max(network) filter (where network <> ${network}) as device_key
      from known_networks where user_id = ${userId} and ${owns} and ${column} > ${since}
        and network in (${network}, ${devices})),
    lane as materialized (
      select ${isOwnMachine(services, address)}::boolean or known as known,
        case when ${sql.join([...conditions, sql`false`], sql` or `)} then null else device_key end as device
      from place)`;
}

/** As many as a cookie has keys, so that the statement always has the same text. */
const NO_DEVICES: readonly string[] = ['', '', '', '', ''];

/** The lane of a request, after `lanePart`. Each limit applies to one of them. */
export const LANES = {
  device: sql<boolean>`(select device is not null from lane)`,
  network: sql<boolean>`(select device is null and known from lane)`,
  known: sql<boolean>`(select device is not null or known from lane)`,
  stranger: sql<boolean>`(select device is null and not known from lane)`,
  /** The network's lane, for a request without a browser's lane. */
  place: sql<boolean>`(select device is null from lane)`,
} as const;

/** The browser of a request, which divides a limit (`Take.per`). */
export const DEVICE_KEY = sql<string>`(select device_key from place)`;

/** Ends the trust in all browsers of a user. `endAccess`, which ends all access, also ends the trust in networks. */
export async function forgetDevices(tx: Db, userId: string): Promise<void> {
  await tx
    .deleteFrom('known_networks')
    .where('user_id', '=', userId)
    .where('network', 'like', `${DEVICE_PREFIX}%`)
    .execute();
}

interface LoginPlace {
  readonly user_id: string;
  /** The key of the browser, or of the network if the caller is not a browser. */
  readonly place: string;
  readonly userAgent: string;
}

/**
 * The notice of a login in an unknown browser or, without a browser, in an unknown network. A known browser in another network causes no
 * notice, because telephones change networks all day. Neither does the first login of a user, which has nothing to compare with.
 */
function newDevice({ user_id, place, userAgent }: LoginPlace): WriteStatement {
  const { browser, system } = agentNames(userAgent);
  const device = browser !== null && system !== null ? `${browser} (${system})` : (browser ?? system);
  const details = JSON.stringify(device === null ? {} : { device });
  return sql`(insert into notices (user_id, event, details)
    select ${user_id}, 'device.added', ${details}::jsonb where not exists (
      select from known_networks where user_id = ${user_id} and network = ${place})
      and exists (select from known_networks where user_id = ${user_id}))`;
}

interface LoginOrigin extends Origin {
  readonly user_id: string;
  readonly userAgent: string;
  readonly factor: { readonly type: string };
}

/** Stores the network and the browser of a login. Does nothing if somebody other than the user logged in. */
export function networkOfLogin(
  services: Pick<Services, 'clock' | 'keys' | 'dev'>,
  tx: Db,
  arrival: LoginOrigin,
): readonly WriteStatement[] {
  const { user_id, address, device, factor, userAgent } = arrival;
  if (isOwnMachine(services, address) || MADE_BY_OTHERS.has(factor.type)) return [];
  const now = new Date(services.clock.now());
  const renewed = device?.renew(user_id);
  const networks = [networkKey(services, address), ...(renewed === undefined ? [] : [renewed.key])];
  const isSecondFactor = SECOND_FACTORS.has(factor.type);
  // The browser now gets another key. Second factors that were entered there before still count.
  const before = sql<Date | null>`(select second_factor_at from known_networks
    where user_id = ${user_id} and network = ${renewed?.earlier ?? ''})`;
  const place = renewed?.earlier ?? networkKey(services, address);
  return [
    newDevice({ user_id, place, userAgent }),
    sql`(delete from known_networks where user_id = ${user_id} and not (network in (${sql.join(networks)}))
      and (network = ${renewed?.earlier ?? ''} or network in (
        select network from (
          select network, row_number() over (partition by network like 'device:%' order by last_login_at desc) as place
          from known_networks where user_id = ${user_id}) as kept
        where place >= case when network like 'device:%' then ${sql.lit(MOST_DEVICES)} else ${sql.lit(MOST_NETWORKS)} end)))`,
    tx
      .insertInto('known_networks')
      .values(
        networks.map((network) => ({
          user_id,
          network,
          last_login_at: now,
          second_factor_at: isSecondFactor ? now : network === renewed?.key ? before : null,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'network'])
          .doUpdateSet({ last_login_at: now, ...(isSecondFactor ? { second_factor_at: now } : {}) }),
      ),
  ];
}
