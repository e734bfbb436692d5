import { describe, expect, it } from 'vitest';
import { idp, sessions } from '#application/api/index.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { asked, openConsent, REQUEST, settled, signedIn, submits } from './open-consent.ts';

const account = (consent: object): unknown => ('account' in consent ? consent.account : undefined);

describe('using another account', () => {
  it('signs out here, with an event for the host, and then asks the next user', async () => {
    const opened = await asked();
    expect(account(opened.consent())).toBe('ada@example.com');
    for (let press = 0; press < 10; press += 1) opened.store.send({ type: 'consent/switched' });
    opened.store.send({ type: 'consent/allowed' });
    await opened.world.settle();
    expect([opened.consent(), opened.store.getState().pending]).toEqual([{ status: 'noSession' }, null]);
    expect([opened.client.session.getSync(), submits(opened), opened.navigations()]).toEqual([null, [], []]);
    expect(opened.world.transport.requestsTo(sessions.revoke)).toHaveLength(1);
    expect(opened.errors.at(-1)).toMatchObject({ error_type: 'user_unauthenticated' });

    await opened.world.signIn(opened.client, 'grace@example.com');
    await opened.world.settle();
    expect(account(opened.consent())).toBe('grace@example.com');
    opened.store.send({ type: 'consent/allowed' });
    await opened.world.settle();
    expect(new URL(opened.navigations()[0] ?? '').searchParams.get('state')).toBe(REQUEST.state);
  });

  it('is not said to have worked where the session could not be ended', async () => {
    const opened = await asked();
    const before = opened.consent();
    opened.world.transport.answer(sessions.revoke, offline);
    opened.store.send({ type: 'consent/switched' });
    await opened.world.settle();
    const { pending, error } = opened.store.getState();
    expect([opened.consent(), pending, error?.kind]).toEqual([before, null, 'unreachable']);
    expect(opened.client.session.getSync()).not.toBeNull();
  });

  it('is done where the server knows the session no more', async () => {
    const opened = await asked();
    opened.world.transport.answer(sessions.revoke, () => errorReply(404, 'session_not_found', 'No session.'));
    opened.store.send({ type: 'consent/switched' });
    await opened.world.settle();
    expect([opened.consent(), opened.store.getState().error]).toEqual([{ status: 'noSession' }, null]);
  });

  it('names the account that the server grants for, else the one that is known here', async () => {
    const { world } = await signedIn();
    world.transport.answer(idp.authorizeStart, () => ({
      consent_required: true,
      scope_results: [],
      client: {},
      user: { emails: [{ email: 'grace@example.com', verified: true }] },
    }));
    const { consent } = await settled(openConsent(REQUEST, world));
    expect(account(consent())).toBe('grace@example.com');
    world.transport.answer(idp.authorizeStart, () => ({ consent_required: true, scope_results: [], client: {} }));
    expect(account((await settled(openConsent(REQUEST, world))).consent())).toBe('ada@example.com');
  });
});
