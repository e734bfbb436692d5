import { SignJWT } from 'jose';
import { ACCESS_TOKEN_MINUTES } from '../../../../src/domain/rules/lifetimes.ts';
import { claimsFrom } from '../../project/token-templates.ts';
import { claimedClient } from '../idp/client-authentication.ts';
import { scopesIn, type Form } from '../idp/form.ts';
import { OAuthError } from '../idp/oauth-error.ts';
import { isSecretOf } from '../../base/security/client-secrets.ts';
import { uuid } from '../../base/security/secrets.ts';
import { ALGORITHM } from '../../base/security/signing-key-rows.ts';
import { signingKey } from '../../base/security/signing-keys.ts';
import type { Services, SessionServices } from '../../accounts/services.ts';
import { findM2MClient, type M2MClientRow } from './store.ts';

const LIFETIME_SECONDS = ACCESS_TOKEN_MINUTES * 60;

/** A token for an M2M client in its own name (RFC 6749, section 4.4). */
export async function answerClientCredentials(services: SessionServices, header: string | undefined, form: Form) {
  const client = await provenClient(services, header, form);
  if (client.status === 'inactive') throw new OAuthError('unauthorized_client', 'The client is inactive.');
  const scopes = scopesFor(client, form['scope']);
  return {
    access_token: await signM2MToken(services, client, scopes),
    token_type: 'bearer',
    expires_in: LIFETIME_SECONDS,
    scope: scopes.join(' '),
  };
}

/** The client of the request. Every failure has the same answer, which does not reveal whether a client exists. */
async function provenClient(
  services: Pick<Services, 'db' | 'keys'>,
  header: string | undefined,
  form: Form,
): Promise<M2MClientRow> {
  const { id, secret } = claimedClient(header, form);
  const client = await findM2MClient(services.db, id);
  if (client === undefined || secret === null || !isSecretOf(services, client, secret)) {
    throw new OAuthError('invalid_client', 'The client is unknown, or not proven.');
  }
  return client;
}

/** The requested scopes; all of the client's when it requests none. */
function scopesFor({ scopes }: M2MClientRow, requested: string | undefined): readonly string[] {
  if (requested === undefined) return scopes;
  const asked = scopesIn(requested);
  if (asked.length === 0 || asked.some((scope) => !scopes.includes(scope))) {
    throw new OAuthError('invalid_scope', 'The client does not have every scope that it asks for.');
  }
  return asked;
}

/**
 * APIs check the token locally, so it is valid for its whole hour. It is not signed by the key
 * of sessions: this server can accept it neither as a session nor as an app's token, with any claims.
 */
async function signM2MToken(
  services: SessionServices,
  client: M2MClientRow,
  scopes: readonly string[],
): Promise<string> {
  const { project, random, clock } = services;
  const key = await signingKey(services, 'apps');
  const now = Math.floor(clock.now() / 1000);
  const { client_id, client_name, trusted_metadata } = client;
  const custom = claimsFrom(project.m2m_access_token_template, {
    client: { client_id, client_name, trusted_metadata },
  });
  return new SignJWT({ ...custom, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: key.kid })
    .setIssuer(`stytch.com/${project.project_id}`)
    .setSubject(client_id)
    .setAudience([project.project_id])
    .setJti(uuid(random))
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .sign(key.privateKey);
}
