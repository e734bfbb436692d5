import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#provider/base/platform.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, makeProvider, type Fields, type Provider } from '../kit/harness.ts';
import {
  askedIn,
  BYE,
  CALLBACK,
  PAGE,
  relyingParty,
  SECRET,
  SETTINGS,
  visited,
  withSecret,
} from '../kit/idp-harness.ts';

const APPS: readonly (readonly [string, string, string, client.ClientAuth])[] = [
  ['public', 'planner', CALLBACK, client.None()],
  ['public on loopback', 'desktop', 'http://localhost:51234/callback', client.None()],
  ['confidential, by header', 'server', CALLBACK, client.ClientSecretBasic(SECRET)],
  ['confidential, in the body', 'strict', CALLBACK, client.ClientSecretPost(SECRET)],
];

describe.each(EITHER_DATABASE)('an independent client library, on %s', (_, url) => {
  let provider: Provider;
  let user: Fields;
  let session: { readonly session: string };
  beforeAll(async () => {
    provider = await makeProvider(url, { clock: systemClock, project: projectFrom(SETTINGS) });
    user = await provider.signIn('edith@example.com');
    session = { session: String(user['session_token']) };
  });
  afterAll(() => provider.close());

  it.each(APPS)('signs a user in, stays signed in, and out again: %s', async (_kind, id, redirect_uri, proof) => {
    const party = await relyingParty(provider, id, proof);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
    const target = client.buildAuthorizationUrl(party, {
      redirect_uri,
      scope: 'openid email offline_access',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    });
    const { status, location } = await visited(provider, target);
    expect([status, location?.href.startsWith(`${PAGE}?`)]).toEqual([303, true]);

    const asked = askedIn(location ?? target);
    const started = await provider.post('/idp/oauth/authorize/start', asked, session);
    expect(started.data['consent_required']).toBe(true);
    const allowed = { ...asked, consent_granted: true };
    const submitted = await provider.post('/idp/oauth/authorize/submit', allowed, session);
    const back = new URL(submitted.data['redirect_uri']);

    const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 300, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(party, back, checks);
    const claims = tokens.claims();
    const sub = String(user['user_id']);
    expect(claims).toMatchObject({ iss: 'http://localhost:4100', sub, azp: id, email: 'edith@example.com' });
    expect(claims?.['at_hash']).toBeTypeOf('string');
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    expect(await client.fetchUserInfo(party, tokens.access_token, sub)).toEqual({
      sub,
      email: 'edith@example.com',
      email_verified: true,
    });

    const refreshed = await client.refreshTokenGrant(party, tokens.refresh_token ?? '');
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect(refreshed.claims()).toMatchObject({ sub, auth_time: claims?.auth_time, sid: claims?.['sid'] });
    expect(refreshed.claims()).not.toHaveProperty('nonce');
    expect(await client.fetchUserInfo(party, refreshed.access_token, sub)).toMatchObject({ sub });

    await client.tokenRevocation(party, refreshed.refresh_token ?? '');
    await expect(client.refreshTokenGrant(party, refreshed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(client.fetchUserInfo(party, refreshed.access_token, sub)).rejects.toThrow();

    const leaving = client.buildEndSessionUrl(party, {
      id_token_hint: refreshed.id_token ?? '',
      post_logout_redirect_uri: id === 'desktop' ? 'http://localhost:51234/' : BYE,
      state: 'bye',
    });
    const page = (await visited(provider, leaving)).location ?? leaving;
    expect(`${page.origin}${page.pathname}`).toBe(PAGE);
    const logout = await provider.post('/oauth/logout/start', Object.fromEntries(page.searchParams), session);
    expect(logout.data).toMatchObject({ consent_required: false });
    expect(logout.data['redirect_uri']).toMatch(/\?state=bye$/u);
  });

  it('receives that consent was denied', async () => {
    const party = await relyingParty(provider, 'planner', client.None());
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const asked = askedIn(
      client.buildAuthorizationUrl(party, {
        redirect_uri: CALLBACK,
        scope: 'openid',
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        state: 's',
      }),
    );
    const { data } = await provider.post(
      '/idp/oauth/authorize/submit',
      { ...asked, response_type: 'code', prompt: 'consent', consent_granted: false },
      session,
    );
    const checks = { pkceCodeVerifier, expectedState: 's' };
    await expect(client.authorizationCodeGrant(party, new URL(data['redirect_uri']), checks)).rejects.toMatchObject({
      error: 'access_denied',
    });
  });

  it('notices an answer that another server gave (RFC 9207)', async () => {
    const party = await relyingParty(provider, 'planner', client.None());
    for (const iss of ['https://evil.example', '']) {
      const mixed = new URL(`${CALLBACK}?code=x&state=s&iss=${encodeURIComponent(iss)}`);
      await expect(client.authorizationCodeGrant(party, mixed, { expectedState: 's' })).rejects.toThrow();
    }
  });

  it('introspects its own tokens where it has a secret', async () => {
    const party = await relyingParty(provider, 'server', client.ClientSecretBasic(SECRET));
    const submitted = await provider.post(
      '/idp/oauth/authorize/submit',
      {
        client_id: 'server',
        redirect_uri: CALLBACK,
        response_type: 'code',
        scopes: ['openid', 'offline_access'],
        consent_granted: true,
      },
      session,
    );
    const tokens = await client.authorizationCodeGrant(party, new URL(submitted.data['redirect_uri']));
    const sub = user['user_id'];
    const seen = await client.tokenIntrospection(party, tokens.access_token);
    expect(seen).toMatchObject({ active: true, client_id: 'server', sub, scope: 'openid offline_access' });
    expect(await client.tokenIntrospection(party, tokens.refresh_token ?? '')).toMatchObject({ active: true, sub });
    const signed = await relyingParty(provider, 'server', client.ClientSecretBasic(SECRET), {
      introspection_signed_response_alg: 'RS256',
    });
    expect(await client.tokenIntrospection(signed, tokens.access_token)).toMatchObject({ active: true, sub });
    const raw = await provider.app.request('http://localhost:4100/oauth2/introspect', {
      method: 'POST',
      headers: {
        ...withSecret('server', SECRET),
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/token-introspection+jwt',
      },
      body: new URLSearchParams({ token: tokens.access_token }).toString(),
    });
    expect(raw.headers.get('content-type')).toBe('application/token-introspection+jwt');
    const jwt = await raw.text();
    expect(decodeProtectedHeader(jwt)).toMatchObject({ typ: 'token-introspection+jwt', alg: 'RS256' });
    expect(decodeJwt(jwt)).toMatchObject({ aud: 'server', token_introspection: { active: true, sub } });
    const second = await relyingParty(provider, 'second', client.ClientSecretBasic(SECRET));
    expect(await client.tokenIntrospection(second, tokens.access_token)).toEqual({ active: false });
    expect(await client.tokenIntrospection(second, tokens.refresh_token ?? '')).toEqual({ active: false });
    await client.tokenRevocation(party, tokens.access_token);
    expect(await client.tokenIntrospection(party, tokens.access_token)).toEqual({ active: false });
    expect(await client.tokenIntrospection(party, tokens.refresh_token ?? '')).toMatchObject({ active: true });
  });
});
