import { AUTHORIZATION_CODE_MINUTES, MINUTE_MS } from '#domain/rules/lifetimes.ts';
import { factorIdsOf } from '#server-rules/provenance.ts';
import type { Selectable } from 'kysely';
import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import type { AuthorizationCodesTable } from '../tables.ts';
import type { Db } from '#provider/base/db/database.ts';
import { newId, newToken, tokenHash } from '#provider/base/security/secrets.ts';
import type { Services } from '#provider/accounts/services.ts';
import { mfaRulesOf } from '#provider/accounts/sessions/factors/policy.ts';
import { holdUser } from '#provider/accounts/users/lock.ts';
import { checkLasting } from './family-factors.ts';
import type { TokenFamily, Grant } from './grants.ts';

const CODE_MS = AUTHORIZATION_CODE_MINUTES * MINUTE_MS;

export type CodeRequest = Omit<
  AuthorizationCodesTable,
  'code_hash' | 'expires_at' | 'family_id' | 'scopes' | 'dpop_jkt' | 'audiences' | 'factors'
> & {
  readonly dpop_jkt: string | null;
  readonly scopes: readonly string[];
  readonly audiences: readonly string[];
  /** The factors that the session had proved; null without a session. */
  readonly factors: readonly AuthenticationFactor[] | null;
};

export async function issueCode(
  services: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  request: CodeRequest,
  /** In milliseconds. Only for codes that are not redeemed right after a browser's visit. */
  endsAt = services.clock.now() + CODE_MS,
): Promise<string> {
  const code = newToken(services.random);
  await tx
    .insertInto('authorization_codes')
    .values({
      ...request,
      scopes: JSON.stringify(request.scopes),
      audiences: JSON.stringify(request.audiences),
      factors: request.factors === null ? null : JSON.stringify(request.factors),
      code_hash: tokenHash(code),
      expires_at: new Date(endsAt),
      family_id: null,
    })
    .execute();
  return code;
}

export type IssuedCode = Selectable<AuthorizationCodesTable> & Pick<Grant, 'user_id' | 'client_id'>;

/** Finds the code, even a spent or expired one; the caller checks that. Does not spend it. */
export async function findCode(db: Db, code: string): Promise<IssuedCode | undefined> {
  return findCodeByHash(db, tokenHash(code));
}

export async function findCodeByHash(db: Db, code_hash: string): Promise<IssuedCode | undefined> {
  return db
    .selectFrom('authorization_codes')
    .innerJoin('oauth_grants', 'oauth_grants.grant_id', 'authorization_codes.grant_id')
    .selectAll('authorization_codes')
    .select(['oauth_grants.user_id', 'oauth_grants.client_id'])
    .where('code_hash', '=', code_hash)
    .executeTakeFirst();
}

/** Spends the code for a new family of tokens. Null for every caller after the first. */
export async function redeemCode(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  code: IssuedCode,
  /** The key to which the refresh tokens are bound; null for none. */
  boundTo: string | null,
): Promise<TokenFamily | null> {
  const now = new Date(services.clock.now());
  const family_id = newId(services.random, 'oauth-token-family');
  // Whatever ends the authorizations of a session has locked the user, so it sees either the code or its tokens.
  if (!(await holdUser(tx, code.user_id))) return null;
  // Locks the grant before the code's row. A revocation deletes them in this order, and the reverse order would deadlock.
  const grant = await tx
    .selectFrom('oauth_grants')
    .select('grant_id')
    .where('grant_id', '=', code.grant_id)
    .forKeyShare()
    .executeTakeFirst();
  if (grant === undefined) return null;
  const row = await tx
    .updateTable('authorization_codes')
    .set({ family_id })
    .where('code_hash', '=', code.code_hash)
    .where('family_id', 'is', null)
    .where('expires_at', '>', now)
    .returning('grant_id')
    .executeTakeFirst();
  if (row === undefined) return null;
  const { session_id, auth_time, scopes, audiences, user_id, client_id } = code;
  const recordsFactors = mfaRulesOf(services) !== undefined;
  const session =
    session_id === null
      ? undefined
      : await tx
          .selectFrom('sessions')
          .select('authentication_factors')
          .where('session_id', '=', session_id)
          .executeTakeFirst();
  // Codes of older versions have none.
  const factors = code.factors ?? session?.authentication_factors ?? [];
  await checkLasting(services, tx, { user_id, scopes, factors });
  const family = await tx
    .insertInto('oauth_token_families')
    .values({
      family_id,
      grant_id: row.grant_id,
      scopes: JSON.stringify(scopes),
      audiences: JSON.stringify(audiences),
      session_id,
      auth_time,
      factor_ids: JSON.stringify(session === undefined ? [] : factorIdsOf(session)),
      created_at: now,
      factors: session === undefined || !recordsFactors ? null : JSON.stringify(factors),
      dpop_jkt: boundTo,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...family, user_id, client_id };
}
