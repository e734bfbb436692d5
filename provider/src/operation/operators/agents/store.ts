import { sql } from 'kysely';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { lockAgent } from '#provider/apps/idp/clients/agents.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import type { AgentMetadata } from '#provider/project/registry/agent-metadata.ts';
import type { Services } from '#provider/api/services.ts';
import type { Listing } from '../desk/listing.ts';
import { auditOperator, type AuditActor } from '../desk/audit-actor.ts';

export type AgentDecision = 'approved' | 'refused';

interface AgentPage {
  readonly limit: number;
  readonly after?: string | undefined;
  /** Only those without a decision. */
  readonly waiting: boolean;
}

const USERS = sql<string>`(select count(*) from oauth_grants where oauth_grants.agent_id = agents.client_id)`.as(
  'users',
);

/** An agent in a list. */
interface AgentRow {
  readonly client_id: string;
  readonly name: string;
  readonly origin: ShownAgent['origin'];
  readonly decision: ShownAgent['decision'];
  readonly users: number;
  readonly created_at: string;
  readonly redirect_uris: readonly string[];
  readonly [field: string]: unknown;
}

interface AgentListing extends Listing {
  readonly rows: readonly AgentRow[];
}

/** The place in a list after which the next page begins. */
const PLACE = /^(\d{1,15})\.([!-~]{1,256})$/u;

/** Agents, newest first, each with the number of users who gave it access. */
export async function listAgents(db: Db, { limit, after, waiting }: AgentPage): Promise<AgentListing> {
  let query = db
    .selectFrom('agents')
    .select(['client_id', 'origin', 'metadata', 'approval', 'created_at'])
    .select(USERS)
    .orderBy('created_at', 'desc')
    .orderBy('client_id')
    .limit(limit + 1);
  if (waiting) query = query.where('approval', 'is', null);
  if (after !== undefined) {
    const [, at, id] = PLACE.exec(after) ?? [];
    if (at === undefined || id === undefined) throw new Refusal('bad_request', 'after must be the cursor of a page.');
    const created_at = new Date(Number(at));
    query = query.where((where) =>
      where.or([
        where('created_at', '<', created_at),
        where.and([where('created_at', '=', created_at), where('client_id', '>', id)]),
      ]),
    );
  }
  const found = await query.execute();
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const rows = page.map(({ client_id, origin, metadata, approval, created_at, users }): AgentRow => ({
    client_id,
    name: metadata.client_name ?? '-',
    origin,
    decision: approval ?? 'none',
    users: Number(users),
    created_at: created_at.toISOString(),
    redirect_uris: metadata.redirect_uris,
  }));
  return { rows, next: last === undefined ? null : `${last.created_at.getTime()}.${last.client_id}` };
}

/** An agent in the form of the operators' page. */
export interface ShownAgent {
  readonly client_id: string;
  readonly name: string;
  readonly origin: 'document' | 'registration';
  readonly decision: AgentDecision | 'none';
  readonly users: number;
  readonly created_at: Date;
  /** When its redirect URIs or keys last changed. */
  readonly changed_at: Date;
  readonly metadata: AgentMetadata;
  /** Changes with every change of the agent's own description. */
  readonly version: string;
}

const versionOf = (metadata: AgentMetadata): string => tokenHash(JSON.stringify(metadata));

/**
 * One agent.
 *
 * @throws Refusal `connected_app_not_found`
 */
export async function readAgent({ db }: Pick<Services, 'db'>, clientId: string): Promise<ShownAgent> {
  const found = await db
    .selectFrom('agents')
    .select(['client_id', 'origin', 'metadata', 'approval', 'created_at', 'changed_at'])
    .select(USERS)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (found === undefined) throw new Refusal('connected_app_not_found', 'There is no such agent.');
  const { approval, users, metadata, ...agent } = found;
  const name = metadata.client_name ?? '-';
  return {
    ...agent,
    metadata,
    name,
    decision: approval ?? 'none',
    users: Number(users),
    version: versionOf(metadata),
  };
}

interface AgentVerdict {
  readonly client_id: string;
  readonly decision: AgentDecision;
  /** The `version` that the operator saw. Without it, as on the command line, the decision is about the agent's current description. */
  readonly version?: string | undefined;
}

/**
 * Approves an agent, or refuses it and ends the access that users gave it: its tokens, and the sessions made from them.
 * Refuses if the agent's description has changed since the operator saw it.
 */
export async function decideOnAgent(
  services: Pick<Services, 'db' | 'clock' | 'keys'>,
  { client_id, decision, version }: AgentVerdict,
  by: AuditActor,
): Promise<void> {
  await transaction(services.db, async (tx) => {
    const agent = await lockAgent({ db: tx }, client_id);
    if (agent === undefined) throw new Refusal('connected_app_not_found', 'There is no such agent.');
    if (version !== undefined && version !== versionOf(agent.metadata)) {
      const message = 'Nothing was decided: the agent changed what it says of itself after you opened this page.';
      throw new Refusal('bad_request', message);
    }
    await tx.updateTable('agents').set({ approval: decision }).where('client_id', '=', client_id).execute();
    if (decision === 'refused') await tx.deleteFrom('oauth_grants').where('agent_id', '=', client_id).execute();
    await auditOperator(services, tx, by, { event: `agent_${decision}`, details: { target: client_id } });
  });
}
