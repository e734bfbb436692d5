import { scopesFor } from '#server-rules/connected-apps.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { checkVerifier } from '#provider/accounts/pkce-check.ts';
import type { SessionServices } from '#provider/accounts/services.ts';
import { readUser } from '#provider/accounts/users/read-user.ts';
import { spendProof } from '../protocol/dpop.ts';
import { checkFactors } from '../grants/family-factors.ts';
import { findCode, findCodeByHash, redeemCode, type IssuedCode } from '../grants/codes.ts';
import { rememberApp } from '../grants/app-sessions.ts';
import { required } from '../protocol/form.ts';
import { revokeFamily } from '../grants/grants.ts';
import { OAuthError, type FailureDetail } from '../protocol/oauth-error.ts';
import { audiencesFor, neededScopesAt } from '../protocol/resources.ts';
import { signingKey } from '#provider/base/security/signing-keys.ts';
import { withoutSecrets } from '../failures/shown-parameters.ts';
import type { TokenRequest } from './token-request.ts';
import { issueTokens } from './tokens.ts';

const USELESS = 'The code is unknown, was used, has expired or is not for this request.';

/**
 * Refuses a code that is not for this client, redirect URI and verifier, before it is spent. So a thief who has only the code can neither
 * use it nor revoke the tokens issued for it.
 */
function checkCode(
  code: IssuedCode | undefined,
  client: ConnectedAppSettings,
  { form, proof }: TokenRequest,
): IssuedCode {
  const useless = (detail: FailureDetail): OAuthError => new OAuthError('invalid_grant', USELESS, detail);
  if (code === undefined) throw useless({ reason: 'The code is unknown or has expired.' });
  if (code.client_id !== client.client_id) throw useless({ reason: 'The code is of another client.' });
  if (code.redirect_uri !== form['redirect_uri']) {
    const reason = `The authorization request had ${withoutSecrets(code.redirect_uri)}.`;
    throw useless({ rule: 'redirect_of_code', reason });
  }
  if (code.dpop_jkt !== null && code.dpop_jkt !== proof?.jkt) {
    throw useless({ rule: 'bound_token', reason: 'The code is bound to another key.' });
  }
  try {
    checkVerifier(code.code_challenge, form['code_verifier']);
  } catch (error) {
    throw error instanceof Refusal ? new OAuthError('invalid_grant', error.message, { rule: 'verifier' }) : error;
  }
  return code;
}

/** Tokens for an authorization code (RFC 6749, section 4.1.3; RFC 7636, section 4.6). */
export async function exchangeCode(services: SessionServices, client: ConnectedAppSettings, request: TokenRequest) {
  const code = checkCode(await findCode(services.db, required(request.form, 'code')), client, request);
  await spendProof(services.db, request.proof);
  return redeemChecked(services, client, request, code);
}

/** Tokens for a code that matches this client and request. Only one of several callers gets them. */
export async function redeemChecked(
  services: SessionServices,
  client: ConnectedAppSettings,
  { form, issuer, proof }: TokenRequest,
  code: IssuedCode,
) {
  const key = await signingKey(services, 'apps');
  const jkt = proof?.jkt ?? null;
  // The scopes that the client may have can change after the user consented.
  const allowed = scopesFor(services.project, client);
  const scopes = code.scopes.filter((scope) => allowed.includes(scope));
  const audiences = audiencesFor(services, code.audiences, { client, issuer, resource: form['resource'] });
  const at = neededScopesAt(services, audiences, scopes);
  const tokens = await transaction(services.db, async (tx) => {
    const family = await redeemCode(services, tx, { ...code, scopes }, client.client_type === 'public' ? jkt : null);
    if (family === null) return null;
    await checkFactors(services, tx, family);
    await rememberApp(tx, client, family, issuer);
    const user = await readUser(tx, code.user_id);
    const { nonce } = code;
    return issueTokens(services, tx, { client, family, user, scopes: at, audiences, nonce, issuer, key, jkt });
  });
  if (tokens !== null) return tokens;
  // If a code is presented twice, one of the two callers stole it. So the tokens of the first use end (RFC 6749, section 4.1.2).
  const familyId = (await findCodeByHash(services.db, code.code_hash))?.family_id ?? null;
  if (familyId !== null) await revokeFamily(services.db, familyId);
  throw new OAuthError('invalid_grant', USELESS, { reason: 'The code was used before.' });
}
