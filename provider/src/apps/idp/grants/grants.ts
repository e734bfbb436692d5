import { sql, type Selectable } from 'kysely';
import { extendedGrant, extendedReach, type Provenance } from '#server-rules/provenance.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import type { OAuthGrantsTable, OAuthTokenFamiliesTable } from '../tables.ts';
import { newId } from '#provider/base/security/secrets.ts';
import type { Services } from '#provider/accounts/services.ts';
import type { LockedUser } from '#provider/accounts/users/lock.ts';

export type Grant = Selectable<OAuthGrantsTable>;

/** The tokens of one authorization, with their user and client. They end together. */
export type TokenFamily = Selectable<OAuthTokenFamiliesTable> & Pick<Grant, 'user_id' | 'client_id'>;

export async function findGrant(db: Db, userId: string, clientId: string): Promise<Grant | undefined> {
  return db
    .selectFrom('oauth_grants')
    .selectAll()
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

export async function grantsOf(db: Db, userId: string): Promise<readonly Grant[]> {
  return db
    .selectFrom('oauth_grants')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('grant_id')
    .execute();
}

/** Locks an app created at run time, so that it cannot be deleted. Otherwise a grant made meanwhile would outlive it. */
async function holdApp(tx: Db, clientId: string): Promise<string> {
  const app = await tx
    .selectFrom('connected_apps')
    .select('client_id')
    .where('client_id', '=', clientId)
    .forKeyShare()
    .executeTakeFirst();
  if (app === undefined) throw new Refusal('connected_app_not_found');
  return app.client_id;
}

/** The same for an agent. */
async function holdAgent(tx: Db, clientId: string): Promise<string> {
  const agent = await tx
    .selectFrom('agents')
    .select('client_id')
    .where('client_id', '=', clientId)
    .forKeyShare()
    .executeTakeFirst();
  if (agent === undefined) throw new Refusal('connected_app_not_found');
  return agent.client_id;
}

/** Adds scopes and APIs to the app's grant, and keeps the earlier ones. */
export async function extendGrant(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  {
    user_id,
    client,
    scopes,
    audiences,
    provenance,
  }: Pick<Grant, 'user_id' | 'scopes'> & {
    readonly audiences: readonly string[];
    readonly client: ConnectedAppSettings;
    readonly provenance: Provenance;
  },
): Promise<string> {
  const { client_id } = client;
  const app_id = client.run_time === undefined ? null : await holdApp(tx, client_id);
  const agent_id = client.agent === undefined ? null : await holdAgent(tx, client_id);
  const now = new Date(services.clock.now());
  const { project_id } = services.project;
  const first = extendedGrant({ scopes: [], given_in: {} }, audiences, provenance).given_in;
  // Simultaneous consents wait here for each other.
  const { grant_id } = await tx
    .insertInto('oauth_grants')
    .values({
      grant_id: newId(services.random, 'oauth-grant'),
      user_id,
      client_id,
      app_id,
      agent_id,
      scopes: '[]',
      audiences: JSON.stringify(first),
      created_at: now,
      updated_at: now,
      added_in: provenance.session_id,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'client_id']).doUpdateSet({
        updated_at: now,
        app_id,
        agent_id,
        // A grant from several sessions belongs to none of them.
        added_in: sql`case when oauth_grants.added_in = excluded.added_in then excluded.added_in end`,
      }),
    )
    .returning('grant_id')
    .executeTakeFirstOrThrow();
  const before = await tx
    .selectFrom('oauth_grants')
    .select(['scopes', 'given_in', 'audiences'])
    .where('grant_id', '=', grant_id)
    .executeTakeFirstOrThrow();
  const after = extendedGrant(before, scopes, provenance);
  // A grant of an older version is for the project's own API, no matter where it was given.
  const older = Object.keys(before.audiences).length === 0 ? { [project_id]: provenance } : before.audiences;
  const reach = extendedReach(older, { before, scopes, audiences }, provenance);
  await tx
    .updateTable('oauth_grants')
    .set({
      scopes: JSON.stringify(after.scopes),
      given_in: JSON.stringify(after.given_in),
      audiences: JSON.stringify(reach),
    })
    .where('grant_id', '=', grant_id)
    .execute();
  return grant_id;
}

/** Ends the app's grant, its tokens, and the sessions made from them. False if there was no grant. */
export async function revokeGrant(tx: Db, { user_id }: LockedUser, clientId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('oauth_grants')
    .where('user_id', '=', user_id)
    .where('client_id', '=', clientId)
    .returning('grant_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The app that has the family's tokens; undefined if they have ended. */
export async function clientOfFamily(db: Db, familyId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('oauth_token_families')
    .innerJoin('oauth_grants', 'oauth_grants.grant_id', 'oauth_token_families.grant_id')
    .select('client_id')
    .where('family_id', '=', familyId)
    .executeTakeFirst();
  return row?.client_id;
}

/** One access token, with its user and client. */
export interface AccessTokenKey {
  readonly family_id: string;
  readonly token_id: string;
}

/** Locks the token against revocation until the transaction ends. False if it is revoked already. */
export async function holdAccessToken(tx: Db, { family_id, token_id }: AccessTokenKey): Promise<boolean> {
  const family = await tx
    .selectFrom('oauth_token_families')
    .select('family_id')
    .where('family_id', '=', family_id)
    .forKeyShare()
    .executeTakeFirst();
  if (family === undefined) return false;
  const token = await tx
    .selectFrom('oauth_access_tokens')
    .select('token_id')
    .where('token_id', '=', token_id)
    .executeTakeFirst();
  return token !== undefined;
}

/**
 * Ends the token. Also ends the sessions made from any token of its family, because the database does not record which token they were made
 * from. The other tokens of the authorization stay.
 */
export async function revokeAccessToken(tx: Db, { family_id, token_id }: AccessTokenKey): Promise<void> {
  // Prevents that a new session is made from this token meanwhile.
  await tx
    .selectFrom('oauth_token_families')
    .select('family_id')
    .where('family_id', '=', family_id)
    .forUpdate()
    .executeTakeFirst();
  await tx.deleteFrom('oauth_access_tokens').where('token_id', '=', token_id).execute();
  await tx.deleteFrom('sessions').where('family_id', '=', family_id).execute();
}

/** Ends every token of the family, and the sessions made from them. */
export async function revokeFamily(db: Db, familyId: string): Promise<void> {
  await db.deleteFrom('oauth_token_families').where('family_id', '=', familyId).execute();
}
