import { grantableScopes, scopesFor, scopesOf } from '#server-rules/connected-apps.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { take } from '#provider/base/security/limits.ts';
import type { Services, SessionServices } from '#provider/accounts/services.ts';
import { readUserWithRoles } from '#provider/accounts/users/read-user.ts';
import { spendProof } from '../protocol/dpop.ts';
import { checkFactors } from '../grants/family-factors.ts';
import { required, scopesIn, type Form } from '../protocol/form.ts';
import { revokeFamily, type TokenFamily } from '../grants/grants.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { findRefreshToken, isReused, useRefreshToken, type FoundRefreshToken } from '../grants/refresh-tokens.ts';
import { audiencesFor, neededScopesAt } from '../protocol/resources.ts';
import { signingKey } from '#provider/base/security/signing-keys.ts';
import type { TokenRequest } from './token-request.ts';
import { issueTokens } from './tokens.ts';

const useless = (reason: string): OAuthError =>
  new OAuthError('invalid_grant', 'The refresh token is unknown, was used, revoked or has expired.', { reason });

/**
 * Exchanges a refresh token, which is used up, for tokens and the next refresh token (RFC 6749, section 6).
 *
 * Within a grace period of seconds the same client gets the same next token again, so that an app that refreshes twice at once, or lost the
 * reply, stays signed in. A thief who is as quick then has the same token as the app. When one of them later uses it, the other is left
 * with a used token: if a used token is presented after the grace period, the whole family ends (RFC 9700, section 4.14.2).
 */
export async function refreshTokens(
  services: SessionServices & Pick<Services, 'limits'>,
  client: ConnectedAppSettings,
  { form, issuer, proof }: TokenRequest,
) {
  const refreshToken = required(form, 'refresh_token');
  const found = await findRefreshToken(services.db, refreshToken);
  // A client must not be able to end another client's token, so it stays unchanged.
  if (found === undefined) throw useless('No such token is stored.');
  if (found.family.client_id !== client.client_id) throw useless('It is a token of another client.');
  const { family } = found;
  const jkt = proof?.jkt ?? null;
  // Whoever has the token without its key is a thief. The app's token stays valid.
  if (family.dpop_jkt !== null && family.dpop_jkt !== jkt) throw useless('It is bound to another key.');
  await spendProof(services.db, proof);
  await checkLive(services, found);
  // Used tokens are stored as long as their family.
  await take(services, `refresh:${family.family_id}`, services.limits.refreshesPerFamily, 'too_many_requests');
  const user = await readUserWithRoles(services.project, services.db, family.user_id);
  const still = grantableScopes({ project: services.project, client, roles: user.roles }, family.scopes);
  if (!still.includes('offline_access')) throw useless('The app or the user lost offline_access.');
  await checkFactors(services, services.db, family);
  const audiences = audiencesFor(services, family.audiences, { client, issuer, resource: form['resource'] });
  const grantable = narrowScopes(services, client, family, form).filter((scope) => still.includes(scope));
  const scopes = neededScopesAt(services, audiences, grantable);
  const key = await signingKey(services, 'apps');
  const tokens = await transaction(services.db, async (tx) => {
    if (!(await useRefreshToken(services, tx, found.token, refreshToken))) return null;
    return issueTokens(services, tx, {
      client,
      family,
      user,
      scopes,
      audiences,
      nonce: null,
      issuer,
      key,
      jkt,
      replaced: refreshToken,
    });
  });
  if (tokens !== null) return tokens;
  await revokeFamily(services.db, family.family_id);
  throw useless('It was used by another request meanwhile.');
}

async function checkLive(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { token, family }: FoundRefreshToken,
): Promise<void> {
  if (isReused({ clock }, token)) {
    await revokeFamily(db, family.family_id);
    throw useless('It was used before, so all tokens of this grant were revoked.');
  }
  if (token.expires_at.getTime() <= clock.now()) throw useless('It has expired.');
}

/**
 * The requested scopes: the granted ones, or fewer (RFC 6749, section 6). Some programs repeat their authorization request, so scopes that
 * the authorization endpoint leaves out are also left out here.
 */
function narrowScopes(
  { project }: Pick<Services, 'project'>,
  client: ConnectedAppSettings,
  family: TokenFamily,
  form: Form,
): readonly string[] {
  if (form['scope'] === undefined) return family.scopes;
  const validScopes = client.agent === undefined ? scopesOf(project) : scopesFor(project, client);
  const scopes = scopesIn(form['scope']).filter((scope) => validScopes.includes(scope));
  if (scopes.length === 0 || scopes.some((scope) => !family.scopes.includes(scope))) {
    throw new OAuthError('invalid_scope', 'More is asked for than was granted.');
  }
  return scopes;
}
