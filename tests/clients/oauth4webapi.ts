import * as oauth from 'oauth4webapi';
import type { Person } from './mcp-agent.ts';

/** A confidential client with a key in place of a secret. */
export interface KeyedClient {
  readonly issuer: URL;
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly key: CryptoKey;
  readonly person: Person;
}

const INSECURE = { [oauth.allowInsecureRequests]: true } as const;

/** Runs the request again with the nonce that the server asks for (RFC 9449, section 8). */
async function withNonce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return work();
  }
}

/**
 * A login of FAPI's kind: the request is pushed, the client proves itself by a signature, and every token is bound to a key. Then a call
 * with the token, a refresh, a call with the new token, and the end of both.
 */
export async function keyedLogin({ issuer, client_id, redirect_uri, key, person }: KeyedClient) {
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...INSECURE });
  const as = await oauth.processDiscoveryResponse(issuer, found);
  const client: oauth.Client = { client_id };
  const proof = oauth.PrivateKeyJwt({ key, kid: 'one' });
  const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const parameters = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid email offline_access',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  const pushed = await withNonce(async () => {
    const reply = await oauth.pushedAuthorizationRequest(as, client, proof, parameters, { DPoP, ...INSECURE });
    return oauth.processPushedAuthorizationResponse(as, client, reply);
  });
  const visit = new URL(as.authorization_endpoint ?? '');
  visit.search = new URLSearchParams({ client_id, request_uri: pushed.request_uri }).toString();
  const answer = oauth.validateAuthResponse(as, client, await person(visit), state);
  const tokens = await withNonce(async () => {
    const options = { DPoP, ...INSECURE };
    const reply = await oauth.authorizationCodeGrantRequest(as, client, proof, answer, redirect_uri, verifier, options);
    return oauth.processAuthorizationCodeResponse(as, client, reply, { expectedNonce: nonce, requireIdToken: true });
  });
  const { sub = '' } = oauth.getValidatedIdTokenClaims(tokens) ?? {};
  const about = async (token: string) =>
    withNonce(async () => {
      const reply = await oauth.userInfoRequest(as, client, token, { DPoP, ...INSECURE });
      return oauth.processUserInfoResponse(as, client, sub, reply);
    });
  const before = await about(tokens.access_token);
  const next = await withNonce(async () => {
    const options = { DPoP, ...INSECURE };
    const reply = await oauth.refreshTokenGrantRequest(as, client, proof, tokens.refresh_token ?? '', options);
    return oauth.processRefreshTokenResponse(as, client, reply);
  });
  const after = await about(next.access_token);
  const introspected = await oauth.processIntrospectionResponse(
    as,
    client,
    await oauth.introspectionRequest(as, client, proof, next.access_token, INSECURE),
  );
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, proof, next.refresh_token ?? '', INSECURE),
  );
  const revoked = await about(next.access_token).then(
    () => 'alive',
    (error: unknown) => (error instanceof oauth.WWWAuthenticateChallengeError ? 'ended' : String(error)),
  );
  return { type: tokens.token_type, sub, before, after, introspected, revoked };
}
