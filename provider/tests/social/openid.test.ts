import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#provider/base/platform.ts';
import { ANY_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';
import { browser, ORIGIN } from '../kit/oauth-harness.ts';

const REDIRECT = 'http://localhost:3000/openid';

describe('the built-in accounts as an OpenID provider', () => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeProvider(ANY_DATABASE, { clock: systemClock });
  });
  afterAll(() => provider.close());

  it.each(['google', 'github'])('are accepted by an independent relying party: %s', async (type) => {
    const issuer = `${ORIGIN}/accounts/${type}`;
    const customFetch: client.CustomFetch = async (url, { body, method, headers }) =>
      provider.app.request(url, {
        method,
        headers,
        ...(body === undefined || body === null ? {} : { body: body as string }),
      });
    const configuration = await client.discovery(new URL(issuer), 'portico-test-client', undefined, client.None(), {
      execute: [client.allowInsecureRequests],
      [client.customFetch]: customFetch,
    });
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
    const target = client.buildAuthorizationUrl(configuration, {
      redirect_uri: REDIRECT,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    });
    const visitor = browser(provider);
    const page = await (await visitor.get(target.href)).text();
    const back = (await visitor.choose(page, { account: 'grace@example.com' })).headers.get('location') ?? '';
    expect(back.startsWith(`${REDIRECT}?code=`)).toBe(true);
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(configuration, new URL(back), checks);
    const claims = tokens.claims();
    expect(claims).toMatchObject({
      iss: issuer,
      email: 'grace@example.com',
      email_verified: true,
      name: 'Grace Hopper',
    });
    const info = await client.fetchUserInfo(configuration, tokens.access_token, claims?.sub ?? '');
    expect(info).toMatchObject({ sub: claims?.sub, given_name: 'Grace', family_name: 'Hopper' });
    await expect(client.authorizationCodeGrant(configuration, new URL(back), checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const tampered = `${tokens.access_token.slice(0, -4)}AAAA`;
    await expect(client.fetchUserInfo(configuration, tampered, claims?.sub ?? '')).rejects.toThrow();
  });
});
