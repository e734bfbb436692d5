import { describe, expect, it } from 'vitest';
import { events, idp, sessions } from '#application/api/index.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import type { ConsentManifest, IdentityProviderOptions } from '#application/widget/consent-options.ts';
import { consentWorld, openConsent, PROFILE, REQUEST, settled, signedIn } from './open-consent.ts';
import { soakIt } from '../../../soak-tests.ts';

const EVE = 'eve@example.com';
const paramsFor = (trustedAuthToken: string) => ({ authTokenParams: { trustedAuthToken, tokenProfileID: PROFILE } });

describe('a session from a trusted token', () => {
  it('replaces the present session, for an hour, before the consent', async () => {
    const { world, client } = await signedIn();
    const own = paramsFor(world.server.trustedToken(PROFILE, EVE));
    const opened = await settled(openConsent(REQUEST, world, own));
    expect(world.transport.requestsTo(sessions.revoke)).toHaveLength(1);
    const [attest, ...more] = world.transport.requestsTo(sessions.attest);
    expect([attest?.body, more]).toMatchObject([{ profile_id: PROFILE, session_duration_minutes: 60 }, []]);
    expect(opened.consent().status).toBe('consentRequired');
    expect(client.user.getSync()?.emails[0]?.email).toBe(EVE);
    expect(opened.errors).toEqual([]);
  });

  it('is made although the old one could not be revoked', async () => {
    const { world } = await signedIn();
    world.transport.answer(sessions.revoke, () => offline());
    const own = paramsFor(world.server.trustedToken(PROFILE, EVE));
    expect((await settled(openConsent(REQUEST, world, own))).consent().status).toBe('consentRequired');
  });

  it('that is refused is reported once, and leaves neither a session nor a question', async () => {
    const refusals = [offline(), errorReply(401, 'invalid_trusted_auth_token'), errorReply(500, 'internal_error')];
    for (const refusal of refusals) {
      const { world } = await signedIn();
      world.transport.answer(sessions.attest, () => refusal);
      const opened = await settled(openConsent(REQUEST, world, paramsFor('canary')));
      expect([opened.consent(), opened.errors.length]).toEqual([{ status: 'noSession' }, 1]);
      expect([opened.sessions.state().session, opened.sessions.secret()]).toEqual([null, null]);
      expect(world.transport.requestsTo(idp.authorizeStart)).toEqual([]);
    }
  });

  it('ends no session for a page whose parameters are missing', async () => {
    const { world } = await signedIn();
    await settled(openConsent({ client_id: REQUEST.client_id }, world, paramsFor('canary')));
    expect(world.transport.requestsTo(sessions.revoke)).toEqual([]);
    expect(world.transport.requestsTo(sessions.attest)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['no token', { trustedAuthToken: '', tokenProfileID: PROFILE }],
    ['a null token', { trustedAuthToken: null, tokenProfileID: PROFILE }],
    ['a token of blanks', { trustedAuthToken: ' ', tokenProfileID: PROFILE }],
    ['a token that is none', { trustedAuthToken: 7, tokenProfileID: PROFILE }],
    ['a token missing', { tokenProfileID: PROFILE }],
    ['no profile', { trustedAuthToken: 'canary', tokenProfileID: '' }],
    ['a null profile', { trustedAuthToken: 'canary', tokenProfileID: null }],
    ['a profile missing', { trustedAuthToken: 'canary' }],
    ['neither', { trustedAuthToken: null, tokenProfileID: null }],
    ['nothing in it', {}],
    ['text in its place', 'canary'],
    ['null in its place', null],
  ])('ends nobody’s session when it comes with %s', async (_, given) => {
    const { world, client } = await signedIn();
    const own = { authTokenParams: given as IdentityProviderOptions['authTokenParams'] };
    const opened = await settled(openConsent(REQUEST, world, own));
    expect(world.transport.requestsTo(sessions.revoke)).toEqual([]);
    expect(world.transport.requestsTo(sessions.attest)).toEqual([]);
    expect(client.session.getSync()).not.toBeNull();
    expect([opened.consent().status, opened.errors]).toEqual(['consentRequired', []]);
    const warnings = opened.ports.log.messages('warn');
    expect(warnings).toHaveLength(given === null ? 0 : 1);
    expect(warnings.join()).not.toContain('canary');
  });

  it('is in no event that is logged; the page’s rendering is', async () => {
    const { world } = await signedIn();
    openConsent(REQUEST, world, paramsFor('canary-of-a-token'));
    await world.clock.advance(2_000);
    const logged = JSON.stringify(world.transport.requestsTo(events.log).map(({ body }) => body));
    expect(logged).toContain('render_idp_screen');
    expect(logged).not.toContain('render_login_screen');
    expect(logged).not.toContain('canary');
  });
});

describe('a host’s custom texts of the consent', () => {
  const shown = async (make: (input: { clientName: string }) => unknown) => {
    const { world } = await signedIn();
    const own = { getIDPConsentManifest: make as () => ConsentManifest };
    const opened = await settled(openConsent(REQUEST, world, own));
    const consent = opened.consent();
    return {
      lists: consent.status === 'consentRequired' ? consent.lists : null,
      logged: opened.ports.log.messages('error').length,
    };
  };

  it('are its items, with details or without, made from the scopes and the app’s name', async () => {
    let given: object | null = null;
    const { lists, logged } = await shown((input) => {
      given = input;
      return ['Read', { text: 'Write', details: ['your notes'] }];
    });
    expect(lists).toEqual([{ header: null, entries: [{ text: 'Read' }, { text: 'Write', details: ['your notes'] }] }]);
    expect(given).toMatchObject({ clientName: 'Planner', scopes: [{ scope: 'openid' }, { scope: 'email' }] });
    expect(logged).toBe(0);
  });

  it('are sections of items under headers', async () => {
    const { lists } = await shown(({ clientName }) => [
      { header: `${clientName} may`, items: ['read', { text: 'write' }] },
    ]);
    expect(lists).toEqual([{ header: 'Planner may', entries: [{ text: 'read' }, { text: 'write', details: [] }] }]);
  });

  soakIt('give way to the default ones, and a line in the log, when they are none', async () => {
    const rubbish: readonly unknown[] = [
      undefined,
      null,
      'Read',
      [],
      {},
      [null],
      [''],
      [7],
      [{ text: 7 }],
      [{ text: 'a', details: 'b' }],
      [{ text: 'a', details: [1] }],
      [{ header: 'a', items: [] }],
      [{ header: 1, items: ['a'] }],
      ['a', { header: 'b', items: ['c'] }],
      Promise.resolve(['Read']),
    ];
    const standard = [{ header: null, entries: [{ scope: 'openid' }, { scope: 'email' }] }];
    for (const value of rubbish) expect(await shown(() => value)).toEqual({ lists: standard, logged: 1 });
    const thrown = await shown(() => {
      throw new Error('the host');
    });
    expect(thrown).toEqual({ lists: standard, logged: 1 });
  });
});

describe('the host’s page of connected apps', () => {
  it.each([
    ['/account?tab=apps', '/account?tab=apps'],
    ['https://acme.example/account', 'https://acme.example/account'],
    [undefined, null],
    ['javascript:alert(1)', null],
    ['//evil.example/', null],
    ['http://acme.example/account', null],
    [7 as unknown as string, null],
  ])('at %j is linked to as %j', async (accountUrl, shown) => {
    const { world } = await signedIn();
    const { consent } = await settled(openConsent(REQUEST, world, { accountUrl }));
    expect(consent()).toMatchObject({ status: 'consentRequired', accountUrl: shown });
  });
});

describe('a widget that is gone', () => {
  it('takes no late answer', async () => {
    const { world } = await signedIn(consentWorld());
    const gate = world.transport.hold(idp.authorizeStart);
    const opened = openConsent(REQUEST, world);
    await world.settle();
    opened.widget.destroy();
    gate.release();
    await world.settle();
    expect(opened.consent().status).toBe('loading');
    expect(world.transport.requestsTo(idp.authorizeSubmit)).toEqual([]);
  });
});
