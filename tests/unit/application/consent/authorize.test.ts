import { describe, expect, it } from 'vitest';
import { idp } from '#application/api/index.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { asked, DASHBOARD, openConsent, REQUEST, settled, signedIn, submits } from './open-consent.ts';

describe('asking for consent', () => {
  it('shows the app and its scopes, and notifies the host that the flow began', async () => {
    const { consent, heard } = await asked();
    expect(consent()).toEqual({
      status: 'consentRequired',
      clientName: 'Planner',
      logoUrl: null,
      account: 'ada@example.com',
      host: null,
      onDevice: true,
      isVerified: null,
      accountUrl: null,
      standardOnly: true,
      lists: [{ header: null, entries: [{ scope: 'openid' }, { scope: 'email' }] }],
      ungrantable: [],
      canAllow: true,
      isLasting: false,
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

  it('stays denied for who allowed the app in another tab since', async () => {
    for (const prompt of [undefined, 'select_account', 'consent']) {
      const opened = await asked({ ...REQUEST, ...(prompt === undefined ? {} : { prompt }) });
      const other = await settled(openConsent(REQUEST, opened.world));
      other.store.send({ type: 'consent/allowed' });
      await other.world.settle();
      opened.store.send({ type: 'consent/denied' });
      await opened.world.settle();
      expect(new URL(opened.navigations().at(-1) ?? '').searchParams.get('error')).toBe('access_denied');
    }
  });

  it('ends here where the server names no address, with an event for the host: denied or done', async () => {
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

  it.each([
    ['consent/allowed', 'OAUTH_AUTHORIZE_FLOW_COMPLETE'],
    ['consent/denied', 'OAUTH_AUTHORIZE_FLOW_CONSENT_DENIED'],
  ] as const)('tells the host of %s before it leaves, where the host asks for that', async (type, event) => {
    for (const reportsBeforeLeaving of [true, false]) {
      const { world } = await signedIn();
      const opened = await settled(openConsent(REQUEST, world, { reportsBeforeLeaving }));
      const leftAt: number[] = [];
      opened.store.step$.subscribe(({ event: step }) => {
        if (step.type === 'consent/decided') leftAt.push(opened.navigations().length);
      });
      opened.store.send({ type });
      await opened.world.settle();
      expect(opened.heard.filter((told) => told.type === event)).toHaveLength(reportsBeforeLeaving ? 1 : 0);
      expect([leftAt, opened.navigations().length]).toEqual([reportsBeforeLeaving ? [0] : [], 1]);
      // The buttons stay off on the way.
      expect(opened.store.getState().pending).toBe(type);
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

  it('leaves out the scopes that this user cannot grant, and lists them', async () => {
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

  it('offers no Allow when no scope can be granted', async () => {
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

describe('a consent that needs the second factor', () => {
  const refusal = () => errorReply(403, 'mfa_required');

  it('shows a message on the page, sends nothing by itself, and goes on once it is there', async () => {
    const opened = await asked();
    opened.world.transport.answer(idp.authorizeSubmit, refusal);
    opened.store.send({ type: 'consent/allowed' });
    await settled(opened);
    await opened.world.clock.advance(60_000);
    expect(submits(opened)).toHaveLength(1);
    expect(opened.consent().status).toBe('consentRequired');
    const { error, pending } = opened.store.getState();
    expect([error, pending]).toMatchObject([{ error_type: 'mfa_required' }, null]);
    expect([opened.navigations(), opened.errors.length]).toEqual([[], 1]);
    opened.world.transport.answer(idp.authorizeSubmit, () => ({
      redirect_uri: 'http://localhost:3001/callback?code=c',
    }));
    opened.store.send({ type: 'consent/allowed' });
    await settled(opened);
    expect(opened.navigations()).toEqual(['http://localhost:3001/callback?code=c']);
  });

  it('can be refused without it', async () => {
    const opened = await asked({ ...REQUEST, scope: 'openid full_access' });
    opened.store.send({ type: 'consent/denied' });
    await settled(opened);
    expect(opened.navigations()[0]).toContain('error=access_denied');
  });

  it.each([
    ['begun', idp.authorizeStart],
    ['given unasked', idp.authorizeSubmit],
  ])('and cannot be %s without it shows the error once, with a way to try again', async (_, endpoint) => {
    const { world } = await signedIn();
    world.transport.answer(idp.authorizeStart, () => ({
      consent_required: false,
      scope_results: [{ scope: 'openid', description: '', is_grantable: true }],
      client: { client_name: 'Planner' },
    }));
    world.transport.answer(endpoint, refusal);
    const opened = await settled(openConsent({ ...REQUEST, scope: 'openid' }, world));
    await world.clock.advance(60_000);
    expect(opened.consent()).toMatchObject({ status: 'error', canRetry: true, error: { error_type: 'mfa_required' } });
    expect(world.transport.requestsTo(endpoint)).toHaveLength(1);
    expect(opened.errors).toHaveLength(1);
    opened.store.send({ type: 'consent/retried' });
    await settled(opened);
    expect(world.transport.requestsTo(endpoint)).toHaveLength(2);
  });
});
