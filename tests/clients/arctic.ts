import { CodeChallengeMethod, decodeIdToken, generateCodeVerifier, generateState, OAuth2Client } from 'arctic';
import type { Person } from './mcp-agent.ts';

/** A confidential client that knows the endpoints and no discovery. */
export interface SecretClient {
  readonly issuer: URL;
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uri: string;
  readonly person: Person;
}

/** Signs in, refreshes and revokes. */
export async function plainLogin({ issuer, client_id, client_secret, redirect_uri, person }: SecretClient) {
  const client = new OAuth2Client(client_id, client_secret, redirect_uri);
  const at = (path: string): string => `${issuer.origin}/oauth2/${path}`;
  const [state, verifier, scopes] = [generateState(), generateCodeVerifier(), ['openid', 'email', 'offline_access']];
  const { S256 } = CodeChallengeMethod;
  const answer = await person(client.createAuthorizationURLWithPKCE(at('authorize'), state, S256, verifier, scopes));
  const isOwn = answer.searchParams.get('state') === state;
  const tokens = await client.validateAuthorizationCode(at('token'), answer.searchParams.get('code') ?? '', verifier);
  const next = await client.refreshAccessToken(at('token'), tokens.refreshToken(), scopes);
  const headers = { authorization: `Bearer ${next.accessToken()}` };
  const before = await fetch(at('userinfo'), { headers });
  await client.revokeToken(at('revoke'), next.refreshToken());
  const after = await fetch(at('userinfo'), { headers });
  return { isOwn, claims: decodeIdToken(tokens.idToken()), statuses: [before.status, after.status] };
}
