import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { expect } from 'vitest';
import { errorOf, logIn, partyAt, requestOf, type Case, type CaseContext, type Parameters } from './steps.ts';
import { CALLBACK, CLIENT, passTime, POST_CLIENT } from './subject.ts';

/** A login that ends as it would without these parameters. */
const succeedsWith =
  (changes: Parameters): Case =>
  async (context) => {
    const { claims, tokens } = await logIn(context, changes);
    expect(await client.fetchUserInfo(context.party, tokens.access_token, claims.sub)).toMatchObject({
      sub: claims.sub,
    });
  };

const userInfo =
  async ({ party }: CaseContext, init: (token: string) => RequestInit) =>
  async (token: string) => {
    const { userinfo_endpoint: url = '' } = party.serverMetadata();
    const reply = await fetch(url, init(token));
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/u);
    return (await reply.json()) as { readonly sub: string };
  };

const readsUserInfo =
  (init: (token: string) => RequestInit): Case =>
  async (context) => {
    const { claims, tokens } = await logIn(context);
    const read = await userInfo(context, init);
    expect((await read(tokens.access_token)).sub).toBe(claims.sub);
  };

/** The second login is refused or granted without a page. */
const reusesCode =
  (seconds: number): Case =>
  async (context) => {
    const { party, person } = context;
    const { url, checks } = requestOf(party);
    const { answer } = await person.visit(url);
    const tokens = await client.authorizationCodeGrant(party, answer as URL, checks);
    passTime(seconds);
    await expect(client.authorizationCodeGrant(party, answer as URL, checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(client.fetchUserInfo(party, tokens.access_token, client.skipSubjectCheck)).rejects.toThrow();
  };

const UNSIGNED = (claims: object): string =>
  [{ alg: 'none' }, claims, '']
    .map((part) => (part === '' ? '' : Buffer.from(JSON.stringify(part)).toString('base64url')))
    .join('.');

/** The modules of the Basic OP plan that need no page of the suite. */
export const BASIC: Readonly<Record<string, Case>> = {
  'oidcc-server': async (context) => {
    const { claims, tokens } = await logIn(context);
    expect(claims).toMatchObject({ iss: context.party.serverMetadata().issuer, aud: 'certified' });
    expect(tokens.token_type).toBe('bearer');
  },
  'oidcc-response-type-missing': async ({ party, person }) => {
    const { url } = requestOf(party);
    url.searchParams.delete('response_type');
    const { answer, status } = await person.visit(url);
    expect(answer?.searchParams.get('code') ?? null).toBeNull();
    expect(answer === null ? status : answer.searchParams.get('error')).toBe(answer === null ? 400 : 'invalid_request');
  },
  'oidcc-idtoken-signature': async (context) => {
    const { tokens } = await logIn(context);
    const { alg, kid } = decodeProtectedHeader(tokens.id_token ?? '');
    expect([alg, typeof kid]).toEqual(['RS256', 'string']);
    const keys = createRemoteJWKSet(new URL(context.party.serverMetadata().jwks_uri ?? ''));
    const options = { issuer: context.op.issuer.origin, audience: CLIENT.id };
    expect((await jwtVerify(tokens.id_token ?? '', keys, options)).payload.sub).toBeTruthy();
  },
  // The suite skips what asks for an ID token without signature, as soon as the metadata does not offer it.
  'oidcc-idtoken-unsigned': async ({ party }) => {
    expect(party.serverMetadata().id_token_signing_alg_values_supported).not.toContain('none');
    await Promise.resolve();
  },
  'oidcc-userinfo-get': readsUserInfo((token) => ({ headers: { authorization: `Bearer ${token}` } })),
  'oidcc-userinfo-post-header': readsUserInfo((token) => ({
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })),
  'oidcc-userinfo-post-body': readsUserInfo((token) => ({
    method: 'POST',
    body: new URLSearchParams({ access_token: token }),
  })),
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': async (context) => {
    expect((await logIn(context, { nonce: undefined })).claims).not.toHaveProperty('nonce');
  },
  'oidcc-scope-profile': succeedsWith({ scope: 'openid profile' }),
  'oidcc-scope-email': async (context) => {
    const { claims, tokens } = await logIn(context, { scope: 'openid email' });
    const told = await client.fetchUserInfo(context.party, tokens.access_token, claims.sub);
    expect(told).toMatchObject({ email: expect.stringContaining('@'), email_verified: true });
  },
  'oidcc-scope-address': succeedsWith({ scope: 'openid address' }),
  'oidcc-scope-phone': succeedsWith({ scope: 'openid phone' }),
  'oidcc-scope-all': succeedsWith({ scope: 'openid profile email address phone' }),
  'oidcc-ensure-other-scope-order-succeeds': succeedsWith({ scope: 'email openid' }),
  'oidcc-display-page': succeedsWith({ display: 'page' }),
  'oidcc-display-popup': succeedsWith({ display: 'popup' }),
  'oidcc-prompt-login': async (context) => {
    const first = await logIn(context);
    passTime(1);
    const second = await logIn(context, { prompt: 'login' });
    expect(second.visit.logins).toBe(1);
    expect(second.claims.auth_time).toBeGreaterThan(first.claims.auth_time ?? first.claims.iat);
    expect(second.claims.sub).toBe(first.claims.sub);
  },
  'oidcc-prompt-none-not-logged-in': async ({ party, stranger: person }) => {
    expect(await errorOf({ party, person }, { prompt: 'none' })).toBe('login_required');
  },
  'oidcc-prompt-none-logged-in': async (context) => {
    const first = await logIn(context, { max_age: '10000' });
    passTime(1);
    const second = await logIn(context, { prompt: 'none', max_age: '10000' });
    expect([second.visit.logins, second.claims.sub]).toEqual([0, first.claims.sub]);
    expect(second.claims.auth_time).toBe(first.claims.auth_time);
  },
  'oidcc-max-age-1': async (context) => {
    const first = await logIn(context);
    passTime(2);
    const second = await logIn(context, { max_age: '1' }, { maxAge: 1 });
    expect([second.visit.logins, second.claims.sub]).toEqual([1, first.claims.sub]);
    expect(second.claims.auth_time).toBeGreaterThan(first.claims.auth_time ?? first.claims.iat);
  },
  'oidcc-max-age-10000': async (context) => {
    const first = await logIn(context, { max_age: '10000' }, { maxAge: 10_000 });
    passTime(1);
    const second = await logIn(context, { max_age: '10000' }, { maxAge: 10_000 });
    expect([second.visit.logins, second.claims.auth_time]).toEqual([0, first.claims.auth_time]);
  },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': succeedsWith({ extra: 'foobar' }),
  'oidcc-id-token-hint': async (context) => {
    const { tokens, claims } = await logIn(context);
    const second = await logIn(context, { prompt: 'none', id_token_hint: tokens.id_token });
    expect(second.claims.sub).toBe(claims.sub);
    // And another user's, whom nobody is logged in as.
    await logIn({ party: context.party, person: context.stranger });
    const asStranger = { party: context.party, person: context.stranger };
    expect(await errorOf(asStranger, { prompt: 'none', id_token_hint: tokens.id_token })).toBe('login_required');
  },
  'oidcc-login-hint': succeedsWith({ login_hint: 'buffy@example.com' }),
  'oidcc-ui-locales': succeedsWith({ ui_locales: 'se' }),
  'oidcc-claims-locales': succeedsWith({ claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': succeedsWith({ acr_values: '1 2' }),
  'oidcc-codereuse': reusesCode(0),
  'oidcc-codereuse-30seconds': reusesCode(30),
  'oidcc-ensure-registered-redirect-uri': async ({ party, person }) => {
    const { url } = requestOf(party, { redirect_uri: `${CALLBACK}/other` });
    const { answer, status } = await person.visit(url);
    expect([answer, status]).toEqual([null, 400]);
  },
  'oidcc-ensure-post-request-succeeds': async (context) => {
    expect((await logIn(context, {}, { method: 'POST' })).claims.sub).toBeTruthy();
  },
  'oidcc-server-client-secret-post': async ({ op, person }) => {
    const party = await partyAt(op, POST_CLIENT, client.ClientSecretPost(POST_CLIENT.secret));
    expect((await logIn({ party, person })).claims.aud).toBe(POST_CLIENT.id);
  },
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': async (context) => {
    expect(context.party.serverMetadata().request_uri_parameter_supported).toBe(false);
    const request_uri = 'https://client.example/request.jwt';
    expect(await errorOf(context, { request_uri })).toBe('request_uri_not_supported');
  },
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': async (context) => {
    expect(await errorOf(context, { request: UNSIGNED({ scope: 'openid' }) })).toBe('request_not_supported');
  },
  'oidcc-claims-essential': async (context) => {
    const claims = JSON.stringify({ userinfo: { email: { essential: true } } });
    const { tokens, claims: told } = await logIn(context, { claims });
    expect(await client.fetchUserInfo(context.party, tokens.access_token, told.sub)).toHaveProperty('email');
  },
  'oidcc-ensure-request-object-with-redirect-uri': async (context) => {
    const request = UNSIGNED({ redirect_uri: CALLBACK, client_id: 'certified', response_type: 'code' });
    expect(await errorOf(context, { request })).toBe('request_not_supported');
  },
  'oidcc-refresh-token': async (context) => {
    const { tokens, claims } = await logIn(context, { scope: 'openid offline_access', prompt: 'consent' });
    const refreshed = await client.refreshTokenGrant(context.party, tokens.refresh_token ?? '');
    expect(refreshed.claims()).toMatchObject({ iss: claims.iss, sub: claims.sub, aud: claims.aud });
    expect(refreshed.access_token).not.toBe(tokens.access_token);
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': async ({ party, person }) => {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const code_challenge = await client.calculatePKCECodeChallenge(pkceCodeVerifier);
    const { url, checks } = requestOf(party, { code_challenge, code_challenge_method: 'S256' });
    const { answer } = await person.visit(url);
    const tokens = await client.authorizationCodeGrant(party, answer as URL, { ...checks, pkceCodeVerifier });
    expect(tokens.claims()?.sub).toBeTruthy();
  },
};
