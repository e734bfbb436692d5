import { describe, expect, it } from 'vitest';
import { idp } from '#application/api/index.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { openConsent, REQUEST, settled, signedIn, submits } from './open-consent.ts';

describe('replies of a faulty or hostile server', () => {
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

  it('grants for is_grantable === true alone, and only what was requested', async () => {
    for (const is_grantable of [undefined, null, 'true', 1, [], {}, false]) {
      const opened = await answered({ scope_results: [{ scope: 'openid', is_grantable, description: 'd' }] });
      expect(opened.consent()).toMatchObject({ canAllow: false, ungrantable: ['d'] });
    }
    const more = [...START.scope_results, { scope: 'full_access', is_grantable: true, description: '' }];
    expect((await answered({ scope_results: more })).consent()).toMatchObject({
      lists: [{ header: null, entries: [{ scope: 'openid' }] }],
    });
  });

  it('shows no question without scopes', async () => {
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

  it('ends the wait when an automatic submission fails', async () => {
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
