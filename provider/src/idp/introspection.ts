import { scopesFor } from '../../../src/domain/rules/connected-apps.ts';
import type { ConnectedAppSettings } from '../project/access.ts';
import type { Services } from '../services.ts';
import { required, type Form } from './form.ts';
import { OAuthError } from './oauth-error.ts';
import { readAccessToken } from './read-tokens.ts';
import { findRefreshToken } from './refresh-tokens.ts';

/** The whole answer for a token that is not live, or not the client's (RFC 7662, section 2.2). */
const INACTIVE = { active: false } as const;

/**
 * Describes a token of the client (RFC 7662). Only clients with a secret may call this, because others could guess tokens
 * (section 4).
 */
export async function introspectToken(services: Services, client: ConnectedAppSettings, form: Form): Promise<object> {
  if (client.client_type === 'public') {
    throw new OAuthError('invalid_client', 'Only a client that proves itself may ask.');
  }
  const token = required(form, 'token');
  return (await access(services, client, token)) ?? (await refresh(services, client, token)) ?? INACTIVE;
}

async function access(services: Services, { client_id }: ConnectedAppSettings, token: string): Promise<object | null> {
  const live = await readAccessToken(services, token);
  if (live?.client_id !== client_id) return null;
  const { iss, sub, aud, exp, iat, jti } = live.claims;
  const scope = live.scopes.join(' ');
  return { active: true, token_type: 'Bearer', client_id, scope, iss, sub, aud, exp, iat, jti };
}

async function refresh(services: Services, client: ConnectedAppSettings, token: string): Promise<object | null> {
  const { client_id } = client;
  const found = await findRefreshToken(services.db, token);
  if (found?.family.client_id !== client_id || found.token.used) return null;
  const { expires_at, created_at } = found.token;
  if (expires_at.getTime() <= services.clock.now()) return null;
  const allowed = scopesFor(services.project, client);
  if (!allowed.includes('offline_access')) return null;
  const scopes = found.family.scopes.filter((scope) => allowed.includes(scope));
  const [exp, iat] = [expires_at, created_at].map((at) => Math.floor(at.getTime() / 1000));
  return { active: true, client_id, scope: scopes.join(' '), sub: found.family.user_id, exp, iat };
}
