import { describe, expect, it } from 'vitest';
import { idp, sessions } from '../../../../src/application/api/index.ts';
import { errorReply, offline } from '../../../../src/infrastructure/fake/fake-reply.ts';
import { consentWorld, DASHBOARD, openConsent, REQUEST, settled, signedIn } from './open-consent.ts';

/** Who is signed in, at the consent page. */
async function asked(query: Readonly<Record<string, string>> = REQUEST) {
  const { world, client } = await signedIn();
  return { client, ...(await settled(openConsent(query, world))) };
}

const submits = ({ world }: Pick<Awaited<ReturnType<typeof asked>>, 'world'>) =>
  world.transport.requestsTo(idp.authorizeSubmit);

describe('asking for consent', () => {
  it('says who asks for what, and tells the host that the flow began', async () => {
    const { consent, heard } = await asked();
    expect(consent()).toEqual({
      status: 'consentRequired',
      clientName: 'Planner',
      logoUrl: null,
      host: 'localhost:3001',
      standardOnly: true,
      lists: [{ header: null, entries: [{ scope: 'openid' }, { scope: 'email' }] }],
      ungrantable: [],
      canAllow: true,
    });
    expect(heard).toEqual([
      {
        type: 'OAUTH_AUTHORIZE_FLOW_START',
        data: { client_id: REQUEST.client_id, redirect_uri: REQUEST.redirect_uri, scope: 'openid email' },
      },
    ]);
  });

  it('goes back to the app with a code, once for ten presses', async () => {
    const opened = await asked();
    for (let press = 0; press < 10; press += 1) opened.store.send({ type: 'consent/allowed' });
    opened.store.send({ type: 'consent/denied' });
    await opened.world.settle();
    expect(submits(opened)).toHaveLength(1);
    expect(submits(opened)[0]?.body).toMatchObject({
      scopes: ['openid', 'email'],
      consent_granted: true,
      state: 's 1',
    });
    const [target = ''] = opened.navigations();
    expect(new URL(target).searchParams.get('code')).toBeTruthy();
    expect(opened.store.getState().pending).toBe('consent/allowed');
    opened.ports.browser.leave();
    opened.ports.browser.wake();
    expect(opened.consent()).toEqual({ status: 'success' });
    expect(opened.store.getState().pending).toBeNull();
  });

  it('goes back without a code for who denies, and stays denied for who comes back', async () => {
    const opened = await asked();
    opened.store.send({ type: 'consent/denied' });
    opened.store.send({ type: 'consent/allowed' });
    await opened.world.settle();
    expect(submits(opened).map(({ body }) => (body as { consent_granted: boolean }).consent_granted)).toEqual([false]);
    expect(new URL(opened.navigations()[0] ?? '').searchParams.get('error')).toBe('access_denied');
    opened.ports.browser.leave();
    opened.ports.browser.wake();
    opened.store.send({ type: 'consent/allowed' });
    await opened.world.settle();
    expect([opened.consent(), submits(opened).length]).toEqual([{ status: 'denied' }, 1]);
  });

  it('ends here where the server names no address: denied or done, and the host hears which', async () => {
    for (const [type, status, heard] of [
      ['consent/allowed', 'success', 'OAUTH_AUTHORIZE_FLOW_COMPLETE'],
      ['consent/denied', 'denied', 'OAUTH_AUTHORIZE_FLOW_CONSENT_DENIED'],
    ] as const) {
      const opened = await asked();
      opened.world.transport.answer(idp.authorizeSubmit, () => ({ redirect_uri: '' }));
      opened.store.send({ type });
      await opened.world.settle();
      expect([opened.consent(), opened.heard.at(-1)]).toEqual([{ status }, { type: heard, data: {} }]);
      expect([opened.navigations(), opened.store.getState().pending]).toEqual([[], null]);
    }
  });

  it('asks no more for what was granted, and not at all for the project’s own apps', async () => {
    const first = await asked();
    first.store.send({ type: 'consent/allowed' });
    await first.world.settle();
    const again = await settled(openConsent(REQUEST, first.world));
    expect(new URL(again.navigations()[0] ?? '').searchParams.get('code')).toBeTruthy();
    expect(again.consent()).toEqual({ status: 'loading' });
    const own = { client_id: DASHBOARD.client_id, redirect_uri: 'http://localhost:3002/callback', scope: 'openid' };
    const trusted = await settled(openConsent({ ...REQUEST, ...own }, first.world));
    expect(trusted.navigations()).toHaveLength(1);
  });

  it('leaves out what this person cannot grant, and lists it', async () => {
    const opened = await asked({ ...REQUEST, scope: 'openid write:documents' });
    expect(opened.consent()).toMatchObject({
      standardOnly: false,
      lists: [{ entries: [{ scope: 'openid' }] }],
      ungrantable: ['Change your documents'],
      canAllow: true,
    });
    opened.store.send({ type: 'consent/allowed' });
    await opened.world.settle();
    expect(submits(opened)[0]?.body).toMatchObject({ scopes: ['openid'] });
  });

  it('offers no Allow where nothing can be granted', async () => {
    const opened = await asked({ ...REQUEST, scope: 'write:documents' });
    expect(opened.consent()).toMatchObject({ canAllow: false, lists: [], ungrantable: ['Change your documents'] });
  });

  it('stays with the question when the answer could not be sent, which can be given again', async () => {
    const opened = await asked();
    opened.world.transport.answer(idp.authorizeSubmit, () => offline());
    opened.store.send({ type: 'consent/allowed' });
    await opened.world.settle();
    expect(opened.store.getState()).toMatchObject({ pending: null, error: { kind: 'unreachable' } });
    expect([opened.consent().status, opened.errors.length]).toEqual(['consentRequired', 1]);
    opened.store.send({ type: 'consent/denied' });
    await opened.world.settle();
    expect(submits(opened)).toHaveLength(2);
  });
});

describe('before anybody is asked', () => {
  it('shows what the server refuses and reports it; trying again begins anew', async () => {
    const opened = await asked({ ...REQUEST, scope: 'everything' });
    expect(opened.consent()).toMatchObject({ status: 'error', error: { error_type: 'invalid_scope' }, canRetry: true });
    expect(opened.errors.map((error) => error.kind === 'api' && error.error_type)).toEqual(['invalid_scope']);
    opened.store.send({ type: 'consent/retried' });
    expect(opened.consent().status).toBe('loading');
    await opened.world.settle();
    expect(opened.world.transport.requestsTo(idp.authorizeStart)).toHaveLength(2);
  });

  it('names the parameter that is missing, and calls nobody', async () => {
    for (const name of ['client_id', 'redirect_uri'] as const) {
      const { [name]: _, ...query } = REQUEST;
      const opened = await asked(query);
      const message = `Required parameter is missing: ${name}. Please reach out to the application developer.`;
      expect(opened.consent()).toMatchObject({ status: 'error', error: { error_message: message }, canRetry: false });
      expect(opened.world.transport.requestsTo(idp.authorizeStart)).toEqual([]);
    }
  });

  it('needs somebody who is signed in, and begins as soon as somebody is', async () => {
    const world = consentWorld();
    const opened = await settled(openConsent(REQUEST, world));
    expect([opened.consent(), opened.errors]).toMatchObject([
      { status: 'noSession' },
      [{ error_type: 'user_unauthenticated', error_message: 'No active session detected. Please log in to continue.' }],
    ]);
    expect(world.transport.requestsTo(idp.authorizeStart)).toEqual([]);
    await world.signIn(world.open().client);
    await world.settle();
    expect(opened.consent().status).toBe('consentRequired');
  });

  it('looks for a session in HttpOnly cookies where the project has a domain of its own', async () => {
    const world = consentWorld();
    world.server.project['cname_domain'] = 'auth.example.com';
    await settled(openConsent(REQUEST, world));
    expect(world.transport.requestsTo(sessions.authenticate)).toHaveLength(1);
  });

  it('tells the app at once where it wants no page shown (prompt=none)', async () => {
    const opened = await settled(openConsent({ ...REQUEST, prompt: 'none' }));
    const { searchParams } = new URL(opened.navigations()[0] ?? '');
    expect([searchParams.get('error'), searchParams.get('state')]).toEqual(['login_required', 's 1']);
  });

  it('asks anew who becomes signed in meanwhile: nobody agrees for another', async () => {
    const opened = await asked();
    await opened.client.session.revoke();
    await opened.world.settle();
    expect(opened.consent().status).toBe('noSession');
    await opened.world.signIn(opened.world.open().client, 'eve@example.com');
    await opened.world.settle();
    opened.store.send({ type: 'consent/allowed' });
    await opened.world.settle();
    expect(opened.heard.map(({ type }) => type)).toEqual(['OAUTH_AUTHORIZE_FLOW_START', 'OAUTH_AUTHORIZE_FLOW_START']);
    expect(submits(opened)).toHaveLength(1);
  });

  it('does nothing in a frame but say so, unless the host allows it', async () => {
    const { world } = await signedIn();
    const framed = openConsent(REQUEST, world);
    framed.ports.browser.isFramed = true;
    await world.settle();
    expect(framed.consent()).toEqual({ status: 'framed' });
    expect(world.transport.requestsTo(idp.authorizeStart)).toEqual([]);
    const allowed = openConsent(REQUEST, world, { allowFraming: true });
    allowed.ports.browser.isFramed = true;
    await world.settle();
    expect(allowed.consent().status).toBe('consentRequired');
  });
});

describe('what only a server that is wrong or hostile says', () => {
  const START = {
    client: { client_name: 'Planner' },
    consent_required: true,
    scope_results: [{ scope: 'openid', is_grantable: true, description: '' }],
  };
  const answered = async (change: object) => {
    const { world } = await signedIn();
    world.transport.answer(idp.authorizeStart, () => ({ ...START, ...change }));
    return settled(openConsent({ ...REQUEST, scope: 'openid' }, world));
  };

  it('submits by itself for consent_required === false alone', async () => {
    for (const consent_required of [undefined, null, 'false', 'true', 0, 1, [], {}, true]) {
      const opened = await answered({ consent_required });
      expect([submits(opened), opened.consent().status]).toEqual([[], 'consentRequired']);
    }
    expect(submits(await answered({ consent_required: false }))).toHaveLength(1);
  });

  it('grants for is_grantable === true alone, and only what was asked for', async () => {
    for (const is_grantable of [undefined, null, 'true', 1, [], {}, false]) {
      const opened = await answered({ scope_results: [{ scope: 'openid', is_grantable, description: 'd' }] });
      expect(opened.consent()).toMatchObject({ canAllow: false, ungrantable: ['d'] });
    }
    const more = [...START.scope_results, { scope: 'full_access', is_grantable: true, description: '' }];
    expect((await answered({ scope_results: more })).consent()).toMatchObject({
      lists: [{ header: null, entries: [{ scope: 'openid' }] }],
    });
  });

  it('asks nobody where it does not say for what', async () => {
    for (const scope_results of [undefined, null, 'openid', {}, [null], ['openid']]) {
      const opened = await answered({ scope_results });
      expect([opened.consent().status, opened.errors.length, submits(opened)]).toEqual(['error', 1, []]);
    }
  });

  it('goes to no address but a safe one of the reply', async () => {
    for (const redirect_uri of ['javascript:alert(1)', '//evil.example/', 'http://evil.example/', 'data:text/html,x']) {
      const { world } = await signedIn();
      const opened = await settled(openConsent(REQUEST, world));
      world.transport.answer(idp.authorizeSubmit, () => ({ redirect_uri }));
      opened.store.send({ type: 'consent/allowed' });
      await world.settle();
      expect([opened.navigations(), opened.consent()]).toEqual([[], { status: 'error', error: null, canRetry: false }]);
      expect(opened.errors).toHaveLength(1);
    }
  });

  it('leaves nobody waiting when the submission that nobody was asked about fails', async () => {
    const { world } = await signedIn();
    world.transport.answer(idp.authorizeStart, () => ({ ...START, consent_required: false }));
    world.transport.answer(idp.authorizeSubmit, () => errorReply(500, 'internal_error'));
    const opened = await settled(openConsent({ ...REQUEST, scope: 'openid' }, world));
    expect(opened.consent()).toMatchObject({ status: 'error', canRetry: true });
    world.transport.answer(idp.authorizeSubmit, () => ({ redirect_uri: 'https://planner.example/callback' }));
    opened.store.send({ type: 'consent/retried' });
    await world.settle();
    expect(opened.navigations()).toEqual(['https://planner.example/callback']);
  });
});
