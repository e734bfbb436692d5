import { isDeepStrictEqual } from 'node:util';
import { sql, type RawBuilder } from 'kysely';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { widestNetworkOf } from '#provider/base/peer.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { tryTake, limitRefusal } from '#provider/base/security/limits.ts';
import { windowAt } from '#provider/base/security/rate-windows.ts';
import { codeHash } from '#provider/base/security/secrets.ts';
import type { AgentRow } from '#provider/project/registry/agent-apps.ts';
import type { AgentMetadata } from '#provider/project/registry/agent-metadata.ts';
import type { Services } from '#provider/accounts/services.ts';

/** How long a registration keeps its place while it waits for the user's consent. */
const WAITING_MS = 15 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * The number for `pg_advisory_xact_lock`: arbitrary, but used for nothing else. New agents are stored one by one, so that they can be
 * counted.
 */
const LOCK = 7_402_613_952;

/** True for an agent without access from any user and without an operator's decision. */
export const UNUSED = sql<boolean>`approval is null
  and not exists (select from oauth_grants where oauth_grants.agent_id = agents.client_id)`;

/** The prefix of the ids of registered agents. */
export const AGENT_PREFIX = 'agent-';

type AgentServices = Pick<Services, 'db' | 'clock' | 'project' | 'keys' | 'warn'>;

export async function findAgent({ db }: Pick<Services, 'db'>, clientId: string): Promise<AgentRow | undefined> {
  return db.selectFrom('agents').selectAll().where('client_id', '=', clientId).executeTakeFirst();
}

/** The same in a transaction. Until it ends, nobody else can change the agent or decide about it. */
export async function lockAgent({ db }: Pick<Services, 'db'>, clientId: string): Promise<AgentRow | undefined> {
  return db.selectFrom('agents').selectAll().where('client_id', '=', clientId).forUpdate().executeTakeFirst();
}

/** An agent to store. */
export interface NewAgent {
  readonly client_id: string;
  readonly origin: AgentRow['origin'];
  readonly metadata: AgentMetadata;
  readonly secret_hash: string | null;
  readonly registration_token_hash: string | null;
  /** How long its document stays fresh; zero for a registration. */
  readonly freshMs: number;
  /** The address of the request. */
  readonly address: string;
}

/** Who must approve an agent again when a field changes: its users and the operator, only the operator, or nobody. */
const ASKED_AGAIN: Readonly<Record<keyof AgentMetadata, 'users' | 'operator' | 'nobody'>> = {
  // These decide who gets the answer of an authorization.
  redirect_uris: 'users',
  token_endpoint_auth_method: 'users',
  jwks: 'users',
  jwks_uri: 'users',
  // These are what people see, and the other links that they can follow.
  client_name: 'operator',
  logo_uri: 'operator',
  client_uri: 'operator',
  tos_uri: 'operator',
  policy_uri: 'operator',
  post_logout_redirect_uris: 'operator',
  application_type: 'nobody',
  grant_types: 'nobody',
  response_types: 'nobody',
  scope: 'nobody',
  contacts: 'nobody',
  software_id: 'nobody',
  software_version: 'nobody',
};
const FIELDS = Object.keys(ASKED_AGAIN) as readonly (keyof AgentMetadata)[];

/** The order of URLs does not matter here, and the database changes the order of a key's members. */
function isSame(a: AgentMetadata, b: AgentMetadata, field: keyof AgentMetadata): boolean {
  const inOrder = (value: AgentMetadata[typeof field]): unknown =>
    Array.isArray(value) ? [...(value as readonly string[])].sort() : value;
  return isDeepStrictEqual(inOrder(a[field]), inOrder(b[field]));
}

export const isSameReceiver = (a: AgentMetadata, b: AgentMetadata): boolean =>
  FIELDS.every((field) => ASKED_AGAIN[field] !== 'users' || isSame(a, b, field));

/** Whether an operator's approval of one also applies to the other. */
export const isSameAgent = (a: AgentMetadata, b: AgentMetadata): boolean =>
  FIELDS.every((field) => ASKED_AGAIN[field] === 'nobody' || isSame(a, b, field));

/**
 * Stores an agent, or the new content of its document. There is room for `most_unused` unused agents of each kind. A new one replaces the
 * oldest of the network that has most of them, so whoever fills the table loses their own. A network's only registration keeps its place
 * while it waits for consent. The exception is a newcomer whose network registered less often today and yesterday: so whoever occupies all
 * places from as many networks can do that only once.
 *
 * @throws Refusal `too_many_requests` if no place can be replaced
 */
export async function storeAgent(services: AgentServices, agent: NewAgent): Promise<void> {
  const { agents } = services.project;
  const now = services.clock.now();
  const at = new Date(now);
  const { client_id, origin, freshMs, metadata } = agent;
  const stored = transaction(services.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(tx);
    const before = await lockAgent({ db: tx }, client_id);
    const fresh_until = new Date(now + freshMs);
    if (before !== undefined) {
      const changed_at = isSameReceiver(before.metadata, metadata) ? before.changed_at : at;
      await tx
        .updateTable('agents')
        .set({
          metadata: JSON.stringify(metadata),
          read_at: at,
          fresh_until,
          changed_at,
          // An operator's refusal is final.
          ...(isSameAgent(before.metadata, metadata) || before.approval === 'refused' ? {} : { approval: null }),
        })
        .where('client_id', '=', client_id)
        .execute();
      return;
    }
    const network_key = codeHash(services.keys.codeKey, 'agent network', widestNetworkOf(agent.address));
    if (origin === 'registration') await countRegistration(tx, network_key, now);
    await makeRoom(tx, { origin, most: agents.most_unused, network_key, now });
    await tx
      .insertInto('agents')
      .values({
        client_id,
        origin,
        metadata: JSON.stringify(metadata),
        secret_hash: agent.secret_hash,
        registration_token_hash: agent.registration_token_hash,
        approval: null,
        network_key,
        created_at: at,
        changed_at: at,
        read_at: at,
        fresh_until,
        expires_at: new Date(now + agents.unused_days * DAY_MS),
      })
      .execute();
  });
  await stored.catch(async (error: unknown) => {
    if (error instanceof Refusal && error.type === 'too_many_requests') await warnOfFlood(services);
    throw error;
  });
}

/** Warns the operator once per period, in one of the processes. */
async function warnOfFlood(services: AgentServices): Promise<void> {
  if (!(await tryTake(services, 'warned:agents', { max: 1, windowMs: WAITING_MS }))) return;
  services.warn?.(
    'all places for agents that register are taken from as many networks, and new ones are refused: this may be a flood. agents.most_unused sets the places, and agents.registration can demand an initial access token.',
  );
}

/** Counts a registration of the network on this day. */
async function countRegistration(tx: Db, network_key: string, now: number): Promise<void> {
  const { start } = windowAt(now, { max: 1, windowMs: DAY_MS });
  await sql`insert into limit_windows (bucket, window_start, hits, expires_at)
    values (${network_key}, ${new Date(start)}, 1, ${new Date(start + 2 * DAY_MS)})
    on conflict (bucket, window_start) do update set hits = limit_windows.hits + 1`.execute(tx);
}

/** A new agent that needs a place. */
interface PlaceRequest {
  readonly origin: AgentRow['origin'];
  /** The maximum number of unused agents of this kind. */
  readonly most: number;
  readonly network_key: string;
  /** In milliseconds. */
  readonly now: number;
}

/** Removes unused agents of this kind until there is room for one more. */
async function makeRoom(tx: Db, { origin, most, network_key, now }: PlaceRequest): Promise<void> {
  const full = await tx
    .selectFrom('agents')
    .select('client_id')
    .where('origin', '=', origin)
    .where(UNUSED)
    .orderBy('created_at', 'desc')
    .offset(most - 1)
    .limit(100)
    .execute();
  if (full.length === 0) return;
  // A document need not keep its place: it is read again when it is needed.
  const waitsSince = new Date(origin === 'registration' ? now - WAITING_MS : now);
  const turnsOf = (key: RawBuilder<unknown>) =>
    sql`(select coalesce(sum(hits), 0) from limit_windows where bucket = ${key} and expires_at > ${new Date(now)})`;
  const { rows: candidates } = await sql<{ readonly client_id: string }>`
    select client_id from (
      select client_id, created_at, network_key, count(*) over (partition by network_key) as crowd,
        ${turnsOf(sql`agents.network_key`)} as turns
      from agents where origin = ${origin} and ${UNUSED}) as unused
    where crowd > 1 or created_at <= ${waitsSince} or network_key = ${network_key}
      or turns > ${turnsOf(sql`${network_key}`)}
    order by crowd desc, created_at <= ${waitsSince} desc, turns desc, created_at, client_id limit ${full.length}`.execute(
    tx,
  );
  if (candidates.length === 0) throw limitRefusal('too_many_requests', WAITING_MS);
  // If a user is giving an agent access at this moment, the agent is locked and stays.
  const rows = await tx
    .selectFrom('agents')
    .select('client_id')
    .where(
      'client_id',
      'in',
      candidates.map(({ client_id }) => client_id),
    )
    .forUpdate()
    .skipLocked()
    .execute();
  const ids = rows.map(({ client_id }) => client_id);
  if (ids.length > 0) await tx.deleteFrom('agents').where('client_id', 'in', ids).where(UNUSED).execute();
}
