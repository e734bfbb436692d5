import { describe, expect, it } from 'vitest';
import { parseOAuthAuthorizeParams, parseOAuthLogoutParams } from '#domain/consent/oauth-params.ts';
import { OAUTH_PROVIDERS, OAuthProviders } from '#domain/social/oauth-providers.ts';
import { oauthStartUrl } from '#domain/social/oauth-start-url.ts';

describe('the start of a social login', () => {
  it('carries every parameter in the query', () => {
    const url = new URL(
      oauthStartUrl('https://api.example', 'public-token-live-1', 'google', {
        code_challenge: 'c',
        custom_scopes: ['a b', 'c'],
        provider_params: { login_hint: 'ada@example.com', hd: 'x&y' },
        login_redirect_url: 'https://app.example/in?a=1',
        signup_redirect_url: 'https://app.example/up',
      }),
    );
    expect(url.pathname).toBe('/v1/public/oauth/google/start');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      public_token: 'public-token-live-1',
      code_challenge: 'c',
      custom_scopes: 'a b c',
      provider_login_hint: 'ada@example.com',
      provider_hd: 'x&y',
      login_redirect_url: 'https://app.example/in?a=1',
      signup_redirect_url: 'https://app.example/up',
    });
  });

  it('leaves out what is not given', () => {
    expect(oauthStartUrl('https://api.example', 't', 'yahoo', {})).toBe(
      'https://api.example/v1/public/oauth/yahoo/start?public_token=t',
    );
  });

  it('is known for nineteen providers', () => {
    expect(Object.keys(OAUTH_PROVIDERS)).toHaveLength(19);
    expect(OAuthProviders.GitHub).toBe('github');
  });
});

describe('the request of another app', () => {
  const authorize = (query: string) => parseOAuthAuthorizeParams(new URLSearchParams(query));

  it('has defaults for response type and scopes', () => {
    expect(authorize('client_id=c&redirect_uri=https%3A%2F%2Fa.example%2F')).toEqual({
      error: null,
      result: {
        client_id: 'c',
        redirect_uri: 'https://a.example/',
        response_type: 'code',
        scopes: ['openid', 'email', 'profile'],
      },
    });
  });

  it('keeps the rest, and splits scopes on spaces without empties', () => {
    const query =
      'client_id=c&redirect_uri=r&response_type=token&scope=a++b&code_challenge=x&state=s&nonce=n&prompt=login&z=1';
    expect(authorize(query).result).toEqual({
      client_id: 'c',
      redirect_uri: 'r',
      response_type: 'token',
      scopes: ['a', 'b'],
      code_challenge: 'x',
      state: 's',
      nonce: 'n',
      prompt: 'login',
    });
  });

  it.each([
    ['redirect_uri=r', 'client_id'],
    ['client_id=&redirect_uri=r', 'client_id'],
    ['client_id=c', 'redirect_uri'],
  ])('%s lacks %s', (query, param) => {
    expect(authorize(query)).toEqual({
      error: `Required parameter is missing: ${param}. Please reach out to the application developer.`,
      result: null,
    });
  });

  const A = 'client_id=c&redirect_uri=r';
  const L = 'client_id=c&post_logout_redirect_uri=r';
  it.each([
    [`${A}&redirect_uri=evil`, 'redirect_uri'],
    [`${A}&client_id=c`, 'client_id'],
    [`${A}&scope=openid&scope=full_access`, 'scope'],
    [`${A}&code_challenge=a&code_challenge=`, 'code_challenge'],
    [`${A}&state=a&state=b`, 'state'],
    [`${A}&nonce=a&nonce=b`, 'nonce'],
    [`${A}&prompt=none&prompt=login`, 'prompt'],
    [`${L}&state=a&state=b`, 'state'],
    [`${L}&id_token_hint=a&id_token_hint=b`, 'id_token_hint'],
    [`${L}&post_logout_redirect_uri=evil`, 'post_logout_redirect_uri'],
  ])('%s repeats %s, which is an error', (query, param) => {
    const parse = query.includes('post_logout') ? parseOAuthLogoutParams : parseOAuthAuthorizeParams;
    expect(parse(new URLSearchParams(query))).toEqual({
      error: `Parameter is repeated: ${param}. Please reach out to the application developer.`,
      result: null,
    });
  });

  it('needs the app to log out and return to it, by its id or by an ID token (specification, section 5)', () => {
    const parse = (query: string) => parseOAuthLogoutParams(new URLSearchParams(query));
    const logout = (query: string) => parse(query).result;
    for (const query of ['post_logout_redirect_uri=r', 'post_logout_redirect_uri=r&client_id=&id_token_hint=']) {
      expect(parse(query)).toEqual({
        error: 'Required parameter is missing: client_id. Please reach out to the application developer.',
        result: null,
      });
    }
    expect(logout('post_logout_redirect_uri=r&id_token_hint=h')).toMatchObject({ id_token_hint: 'h' });
    // A logout that returns to no app (RP-Initiated Logout, section 2).
    expect(logout('post_logout_redirect_uri=&client_id=')).toEqual({});
    expect(logout('client_id=c&post_logout_redirect_uri=r&state=s&id_token_hint=h')).toEqual({
      client_id: 'c',
      post_logout_redirect_uri: 'r',
      state: 's',
      id_token_hint: 'h',
    });
  });
});
