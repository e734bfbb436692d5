import { describe, expect, it } from 'vitest';
import { idp, sessions } from '#application/api/index.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { asked, consentWorld, openConsent, REQUEST, settled, signedIn, submits } from './open-consent.ts';

describe('before the question', () => {
  it('shows and reports the error of the server, and restarts on a retry', async () => {
    const opened = await asked({ ...REQUEST, scope: 'everything' });
    expect(opened.consent()).toMatchObject({ status: 'error', error: { error_type: 'invalid_scope' }, canRetry: true });
    expect(opened.errors.map((error) => error.kind === 'api' && error.error_type)).toEqual(['invalid_scope']);
    opened.store.send({ type: 'consent/retried' });
    expect(opened.consent().status).toBe('loading');
    await opened.world.settle();
    expect(opened.world.transport.requestsTo(idp.authorizeStart)).toHaveLength(2);
  });

  it('names the missing parameter, and sends no request', async () => {
    for (const name of ['client_id', 'redirect_uri'] as const) {
      const { [name]: _, ...query } = REQUEST;
      const opened = await asked(query);
      const message = `Required parameter is missing: ${name}. Please reach out to the application developer.`;
      expect(opened.consent()).toMatchObject({ status: 'error', error: { error_message: message }, canRetry: false });
      expect(opened.world.transport.requestsTo(idp.authorizeStart)).toEqual([]);
    }
  });

  it('needs a session, and begins as soon as there is one', async () => {
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

  it('asks for a login where the session was ended elsewhere since', async () => {
    const over = () => errorReply(401, 'unauthorized_credentials');
    for (const query of [REQUEST, { user_code: 'WDJB-MJHT' }]) {
      const { world } = await signedIn();
      const scope_results = [{ scope: 'openid', is_grantable: true }];
      world.transport.answer(idp.deviceStart, () => ({ client: {}, device: {}, scope_results }));
      const opened = await settled(openConsent(query, world));
      expect(opened.consent().status).toBe('consentRequired');
      for (const call of [idp.authorizeSubmit, idp.deviceSubmit, sessions.authenticate])
        world.transport.answer(call, over);
      opened.store.send({ type: 'consent/allowed' });
      await world.settle();
      expect(opened.consent()).toEqual({ status: 'noSession' });
    }
  });

  it.each([
    ['is not looked for at a default host', 0, 'https://test.stytch.com', null],
    ['is looked for where the project has a domain of its own', 1, 'https://test.stytch.com', 'auth.example.com'],
    ['is looked for at an endpoint of the host’s own', 1, 'https://auth.example.com', null],
  ])('a session in HttpOnly cookies %s', async (_, times, origin, domain) => {
    const world = consentWorld();
    world.server.project['cname_domain'] = domain;
    const opened = await settled(openConsent(REQUEST, world, {}, origin));
    expect(world.transport.requestsTo(sessions.authenticate)).toHaveLength(times);
    expect(opened.consent().status).toBe('noSession');
  });

  it('notifies the app at once where it wants no page shown (prompt=none)', async () => {
    const opened = await settled(openConsent({ ...REQUEST, prompt: 'none' }));
    const { searchParams } = new URL(opened.navigations()[0] ?? '');
    expect([searchParams.get('error'), searchParams.get('state')]).toEqual(['login_required', 's 1']);
  });

  it('asks again when another user becomes signed in, who must consent too', async () => {
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

  it('answers in a frame an app that wants no page shown', async () => {
    const { world } = await signedIn();
    const framed = openConsent({ ...REQUEST, prompt: 'none' }, world);
    framed.ports.browser.isFramed = true;
    await world.settle();
    const { searchParams } = new URL(framed.navigations()[0] ?? '');
    expect([searchParams.get('error'), searchParams.get('state')]).toEqual(['consent_required', 's 1']);
  });

  it('asks nothing in a frame whose address only says that no page is wanted', async () => {
    const { world } = await signedIn();
    const asked = { consent_required: true, scope_results: [{ scope: 'openid', is_grantable: true }] };
    world.transport.answer(idp.authorizeStart, () => ({ ...asked, client: { client_name: 'Planner' } }));
    const framed = openConsent({ ...REQUEST, prompt: 'none' }, world);
    framed.ports.browser.isFramed = true;
    await world.settle();
    expect(world.transport.requestsTo(idp.authorizeStart)).toHaveLength(1);
    expect(framed.consent()).toEqual({ status: 'framed' });
    framed.store.send({ type: 'consent/allowed' });
    await world.settle();
    expect([submits({ world }), framed.navigations()]).toEqual([[], []]);
  });
});
