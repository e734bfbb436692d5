import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { expect, vi } from 'vitest';
import { leave } from './config-and-logout.ts';
import { logIn, partyAt, type Case } from './steps.ts';
import { BYE, LOGOUT_CLIENT } from './subject.ts';

/** The modules of the Back-Channel Logout plan. */
export const BACK_CHANNEL: Readonly<Record<string, Case>> = {
  'oidcc-backchannel-logout-discovery-endpoint-verification': async ({ op, party }) => {
    const metadata = party.serverMetadata();
    expect(new URL(metadata.end_session_endpoint ?? '').origin).toBe(op.issuer.origin);
    expect(metadata).toMatchObject({ backchannel_logout_supported: true, backchannel_logout_session_supported: true });
    await Promise.resolve();
  },
  'oidcc-backchannel-rp-initiated-logout': async ({ op, person, stranger }) => {
    const context = { op, person, stranger, party: await partyAt(op, LOGOUT_CLIENT) };
    const { tokens, claims } = await logIn(context);
    const before = op.logouts.forms.length;
    const given = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: BYE, state: 'a b' };
    const url = client.buildEndSessionUrl(context.party, given);
    const { answer, isLoggedIn } = await leave(context, Object.fromEntries(url.searchParams));
    expect([answer?.href, isLoggedIn]).toEqual([`${BYE}?state=a+b`, false]);
    await vi.waitFor(() => expect(op.logouts.forms.length).toBeGreaterThan(before), { interval: 5 });
    const form = op.logouts.forms[before] ?? new URLSearchParams();
    expect([...form.keys()]).toEqual(['logout_token']);
    const keys = createRemoteJWKSet(new URL(context.party.serverMetadata().jwks_uri ?? ''));
    const options = { issuer: op.issuer.origin, audience: LOGOUT_CLIENT.id, requiredClaims: ['iat', 'jti', 'events'] };
    const { payload } = await jwtVerify(form.get('logout_token') ?? '', keys, options);
    expect(payload['events']).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} });
    expect(payload).not.toHaveProperty('nonce');
    expect([payload['sid'], payload.sub ?? claims.sub]).toEqual([claims['sid'], claims.sub]);
    expect(payload['sid']).toEqual(expect.any(String));
  },
};
