import type { Selectable } from 'kysely';
import type { Db } from '../db/tables.ts';
import type { AuthorizationCodesTable, OAuthGrantsTable } from '../db/tables-access.ts';
import { newToken, tokenHash, uuid } from '../security/secrets.ts';
import type { Services } from '../services.ts';

export type Grant = Selectable<OAuthGrantsTable>;

/** RFC 6749, section 4.1.2: short. */
const CODE_MS = 60_000;

export async function findGrant(db: Db, userId: string, clientId: string): Promise<Grant | undefined> {
  return db
    .selectFrom('oauth_grants')
    .selectAll()
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

export async function grantsOf(db: Db, userId: string): Promise<readonly Grant[]> {
  return db.selectFrom('oauth_grants').selectAll().where('user_id', '=', userId).orderBy('created_at').execute();
}

/** Lets the app do this too. What the user granted before stays granted. */
export async function extendGrant(
  services: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  { user_id, client_id, scopes }: Pick<Grant, 'user_id' | 'client_id' | 'scopes'>,
): Promise<string> {
  const now = new Date(services.clock.now());
  // Two consents at once wait here for each other.
  const { grant_id } = await tx
    .insertInto('oauth_grants')
    .values({
      grant_id: `oauth-grant-test-${uuid(services.random)}`,
      user_id,
      client_id,
      scopes: '[]',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'client_id']).doUpdateSet({ updated_at: now }))
    .returning('grant_id')
    .executeTakeFirstOrThrow();
  const before = await tx
    .selectFrom('oauth_grants')
    .select('scopes')
    .where('grant_id', '=', grant_id)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('oauth_grants')
    .set({ scopes: JSON.stringify([...new Set([...before.scopes, ...scopes])]) })
    .where('grant_id', '=', grant_id)
    .execute();
  return grant_id;
}

/** Ends all that the app may do for the user, and its tokens. False when there was nothing. */
export async function revokeGrant(db: Db, userId: string, clientId: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('oauth_grants')
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .returning('grant_id')
    .executeTakeFirst();
  return gone !== undefined;
}

export type CodeRequest = Omit<AuthorizationCodesTable, 'code_hash' | 'expires_at' | 'family_id' | 'scopes'> & {
  readonly scopes: readonly string[];
};

export async function issueCode(
  services: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  request: CodeRequest,
): Promise<string> {
  const code = newToken(services.random);
  await tx
    .insertInto('authorization_codes')
    .values({
      ...request,
      scopes: JSON.stringify(request.scopes),
      code_hash: tokenHash(code),
      expires_at: new Date(services.clock.now() + CODE_MS),
      family_id: null,
    })
    .execute();
  return code;
}

export type IssuedCode = Selectable<AuthorizationCodesTable> & Pick<Grant, 'user_id' | 'client_id'>;

/** The code, spent or not, expired or not: who asks decides. Spends nothing. */
export async function findCode(db: Db, code: string): Promise<IssuedCode | undefined> {
  return db
    .selectFrom('authorization_codes')
    .innerJoin('oauth_grants', 'oauth_grants.grant_id', 'authorization_codes.grant_id')
    .selectAll('authorization_codes')
    .select(['oauth_grants.user_id', 'oauth_grants.client_id'])
    .where('code_hash', '=', tokenHash(code))
    .executeTakeFirst();
}

/** Spends the code for a new family of tokens. Null for all callers but one. */
export async function redeemCode(services: Services, tx: Db, code: IssuedCode): Promise<string | null> {
  const now = new Date(services.clock.now());
  const family_id = `oauth-token-family-test-${uuid(services.random)}`;
  const spent = await tx
    .updateTable('authorization_codes')
    .set({ family_id })
    .where('code_hash', '=', code.code_hash)
    .where('family_id', 'is', null)
    .where('expires_at', '>', now)
    .returning('grant_id')
    .executeTakeFirst();
  if (spent === undefined) return null;
  await tx
    .insertInto('oauth_token_families')
    .values({ family_id, grant_id: spent.grant_id, scopes: JSON.stringify(code.scopes), created_at: now })
    .execute();
  return family_id;
}

/** Ends every token of the family. */
export async function revokeFamily(db: Db, familyId: string): Promise<void> {
  await db.deleteFrom('oauth_token_families').where('family_id', '=', familyId).execute();
}

/** Spent codes are kept for so long, to notice that one is used again. */
const KEPT_CODE_MS = 60 * 60_000;

/** Removes what can never be used again. */
export async function sweepAccess({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await db.deleteFrom('impersonation_tokens').where('expires_at', '<', new Date(now)).execute();
  await db.deleteFrom('oauth_access_tokens').where('expires_at', '<', new Date(now)).execute();
  await db
    .deleteFrom('authorization_codes')
    .where('expires_at', '<', new Date(now - KEPT_CODE_MS))
    .execute();
}
