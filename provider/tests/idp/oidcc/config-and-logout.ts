import * as client from 'openid-client';
import { expect } from 'vitest';
import { errorOf, logIn, type Case, type CaseContext } from './steps.ts';
import { BYE } from './subject.ts';

/** The modules of the Config OP plan. */
export const CONFIG: Readonly<Record<string, Case>> = {
  'oidcc-discovery-endpoint-verification': async ({ op, party }) => {
    const metadata = party.serverMetadata();
    expect(metadata.issuer).toBe(op.issuer.origin);
    for (const name of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'] as const) {
      expect(new URL(metadata[name] ?? '').origin).toBe(op.issuer.origin);
    }
    expect(metadata.scopes_supported).toContain('openid');
    expect(metadata.response_types_supported).toContain('code');
    expect(metadata.subject_types_supported?.length).toBeGreaterThan(0);
    expect(metadata.id_token_signing_alg_values_supported).toContain('RS256');
    expect(metadata['authorization_response_iss_parameter_supported']).toBe(true);
  },
  'oidcc-discovery-jwks-uri-keys': async ({ party }) => {
    const reply = await fetch(party.serverMetadata().jwks_uri ?? '');
    const { keys } = (await reply.json()) as { readonly keys: readonly Readonly<Record<string, unknown>>[] };
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      expect(key).toMatchObject({ kty: expect.any(String), kid: expect.any(String) });
      for (const secret of ['d', 'p', 'q', 'k']) expect(key).not.toHaveProperty(secret);
    }
  },
};

interface LogoutParameters {
  readonly id_token_hint?: string;
  readonly post_logout_redirect_uri?: string;
  readonly state?: string;
}

/** The end of a logout that the client asks for, and whether the person is still logged in. */
export async function leave({ party, person }: CaseContext, given: LogoutParameters, method: 'GET' | 'POST' = 'GET') {
  const url = new URL(party.serverMetadata().end_session_endpoint ?? '');
  for (const [name, value] of Object.entries(given)) url.searchParams.set(name, String(value));
  const visit = await person.visit(url, method);
  const silent = await errorOf({ party, person }, { prompt: 'none' });
  return { ...visit, isLoggedIn: silent !== 'login_required' };
}

/** A logout that ends at a page of the provider. */
const endsHere =
  (given: (hint: string) => LogoutParameters): Case =>
  async (context) => {
    const { tokens } = await logIn(context);
    const { answer, status, isLoggedIn } = await leave(context, given(tokens.id_token ?? ''));
    expect([answer, status, isLoggedIn]).toEqual([null, 200, false]);
  };

/** A logout without the app's ID token is confirmed by the person. */
const endsHereConfirmed =
  (given: LogoutParameters): Case =>
  async (context) => {
    await logIn(context);
    const { answer, confirmed, isLoggedIn } = await leave(context, given);
    expect([answer, confirmed, isLoggedIn]).toEqual([null, true, false]);
  };

/** A logout that is refused with a page. The person stays logged in. */
const isRefused =
  (given: (hint: string) => LogoutParameters): Case =>
  async (context) => {
    const { tokens } = await logIn(context);
    const { answer, status, isLoggedIn } = await leave(context, given(tokens.id_token ?? ''));
    expect([answer, status, isLoggedIn]).toEqual([null, 400, true]);
  };

/** The hint with another signature. */
const modified = (hint: string): string => `${hint.slice(0, -8)}${hint.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`;

/** The modules of the RP-Initiated Logout plan. */
export const LOGOUT: Readonly<Record<string, Case>> = {
  'oidcc-rp-initiated-logout-discovery-endpoint-verification': async ({ op, party }) => {
    expect(new URL(party.serverMetadata().end_session_endpoint ?? '').origin).toBe(op.issuer.origin);
    await Promise.resolve();
  },
  'oidcc-rp-initiated-logout': async (context) => {
    for (const method of ['GET', 'POST'] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one person
      const { tokens } = await logIn(context);
      const url = client.buildEndSessionUrl(context.party, {
        id_token_hint: tokens.id_token ?? '',
        post_logout_redirect_uri: BYE,
        state: 'a b',
      });
      // oxlint-disable-next-line no-await-in-loop
      const { answer, isLoggedIn } = await leave(context, Object.fromEntries(url.searchParams), method);
      expect([answer?.href, isLoggedIn]).toEqual([`${BYE}?state=a+b`, false]);
    }
  },
  'oidcc-rp-initiated-logout-no-state': async (context) => {
    const { tokens } = await logIn(context);
    const { answer } = await leave(context, { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: BYE });
    expect(answer?.href).toBe(BYE);
  },
  'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri': isRefused((id_token_hint) => ({
    id_token_hint,
    post_logout_redirect_uri: `${BYE}?extra=1`,
  })),
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri': isRefused((id_token_hint) => ({
    id_token_hint,
    post_logout_redirect_uri: 'https://client.example/elsewhere',
  })),
  'oidcc-rp-initiated-logout-bad-id-token-hint': isRefused(() => ({
    id_token_hint: 'not a token',
    post_logout_redirect_uri: BYE,
  })),
  'oidcc-rp-initiated-logout-modified-id-token-hint': isRefused((hint) => ({
    id_token_hint: modified(hint),
    post_logout_redirect_uri: BYE,
  })),
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': endsHere((id_token_hint) => ({ id_token_hint, state: 's' })),
  'oidcc-rp-initiated-logout-no-id-token-hint': endsHereConfirmed({ post_logout_redirect_uri: BYE, state: 's' }),
  'oidcc-rp-initiated-logout-only-state': endsHereConfirmed({ state: 's' }),
  'oidcc-rp-initiated-logout-no-params': endsHereConfirmed({}),
};
