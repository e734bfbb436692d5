import { SignJWT } from 'jose';
import { ACCESS_TOKEN_MINUTES } from '#domain/rules/lifetimes.ts';
import { claimsFrom } from '#provider/project/settings/token-templates.ts';
import { claimedClient } from '../idp/clients/client-authentication.ts';
import { scopesIn, type Form } from '../idp/protocol/form.ts';
import { OAuthError } from '../idp/protocol/oauth-error.ts';
import { audiencesIn, neededScopesAt } from '../idp/protocol/resources.ts';
import { ACCESS_TYPE } from '../idp/tokens/tokens.ts';
import { isSecretOf } from '#provider/base/security/client-secrets.ts';
import { uuid } from '#provider/base/security/secrets.ts';
import { ALGORITHM } from '#provider/base/security/signing-key-rows.ts';
import { signingKey } from '#provider/base/security/signing-keys.ts';
import type { Services, SessionServices } from '#provider/accounts/services.ts';
import { findM2MClient, type M2MClientRow } from './store.ts';

const LIFETIME_SECONDS = ACCESS_TOKEN_MINUTES * 60;

/** A request of an M2M client. */
interface M2MRequest {
  readonly header: string | undefined;
  readonly form: Form;
  /** The address of this server. */
  readonly issuer: string;
}

/**
 * A token for an M2M client in its own name (RFC 6749, section 4.4), for the APIs in `resource` (RFC 8707).
 *
 * @throws OAuthError `invalid_client`, `unauthorized_client`, `invalid_scope` or `invalid_target`
 */
export async function answerClientCredentials(services: SessionServices, { header, form, issuer }: M2MRequest) {
  const client = await provenClient(services, header, form);
  if (client.status === 'inactive') throw new OAuthError('unauthorized_client', 'The client is inactive.');
  const audiences = audiencesIn(services, { client: {}, issuer, resource: form['resource'] });
  const scopes = neededScopesAt(services, audiences, scopesFor(client, form['scope']));
  return {
    access_token: await signM2MToken(services, client, { scopes, audiences, issuer }),
    token_type: 'bearer',
    expires_in: LIFETIME_SECONDS,
    scope: scopes.join(' '),
  };
}

/** The client of the request. Every failure has the same answer, so that it does not reveal whether a client exists. */
async function provenClient(
  services: Pick<Services, 'db' | 'keys'>,
  header: string | undefined,
  form: Form,
): Promise<M2MClientRow> {
  const { id, secrets } = claimedClient(header, form);
  const client = await findM2MClient(services.db, id);
  if (client === undefined || !secrets.some((secret) => isSecretOf(services, client, secret))) {
    throw new OAuthError('invalid_client', 'The client is unknown, or not proven.');
  }
  return client;
}

/** The requested scopes. If the request has none, all scopes of the client. */
function scopesFor({ scopes }: M2MClientRow, requested: string | undefined): readonly string[] {
  if (requested === undefined) return scopes;
  const requestScopes = scopesIn(requested);
  if (requestScopes.length === 0 || requestScopes.some((scope) => !scopes.includes(scope))) {
    throw new OAuthError('invalid_scope', 'The client does not have every scope that it asks for.');
  }
  return requestScopes;
}

/**
 * APIs check the token locally, so it is valid for its whole hour. It is not signed with the key of sessions, and no row has its id, so
 * this server never accepts it as a session or an app's token, whatever its claims. For the project's own API it has the claims of the
 * public backend SDK. For other APIs it has those of RFC 9068, with the client as the subject.
 */
async function signM2MToken(
  services: SessionServices,
  client: M2MClientRow,
  grant: { readonly scopes: readonly string[]; readonly audiences: readonly string[]; readonly issuer: string },
): Promise<string> {
  const { project, random, clock } = services;
  const key = await signingKey(services, 'apps');
  const now = Math.floor(clock.now() / 1000);
  const { client_id, client_name, trusted_metadata } = client;
  const custom = claimsFrom(project.m2m_access_token_template, {
    client: { client_id, client_name, trusted_metadata },
  });
  const scope = grant.scopes.join(' ');
  const [audience = project.project_id, ...others] = grant.audiences;
  const isOwn = audience === project.project_id && others.length === 0;
  const claims = isOwn ? { ...custom, scope } : { ...custom, scope, client_id };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: isOwn ? 'JWT' : ACCESS_TYPE, kid: key.kid })
    .setIssuer(isOwn ? `stytch.com/${project.project_id}` : grant.issuer)
    .setSubject(client_id)
    .setAudience(isOwn || others.length > 0 ? [audience, ...others] : audience)
    .setJti(uuid(random))
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .sign(key.privateKey);
}
