import { describe, expect, it } from 'vitest';
import { idp, sessions } from '#application/api/index.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { consentWorld, openConsent, PLANNER, settled, signedIn } from './open-consent.ts';

const DEVICE = { user_code: 'WDJB-MJHT', program: ' tool\n1 ', network: '192.0.2.7', is_same_network: true };
const REPLY = {
  user: { emails: [{ email: 'ada@example.com', verified: true }] },
  client: { client_id: PLANNER.client_id, client_name: 'Planner', client_verified: true },
  scope_results: [
    { scope: 'openid', is_grantable: true, description: 'Sign you in' },
    { scope: 'purge', is_grantable: false, description: 'Delete your documents' },
  ],
  device: DEVICE,
};

async function opened(user_code: string, reply: object = REPLY) {
  const { world } = await signedIn();
  world.transport.answer(idp.deviceStart, () => reply);
  world.transport.answer(idp.deviceSubmit, ({ consent_granted }) => ({ granted: consent_granted }));
  return settled(openConsent({ user_code }, world));
}

describe('a device that shows a code', () => {
  it('is asked for with the code of the link, and allowed only by the person', async () => {
    const { store, world, consent, errors } = await opened('wdjbmjht');
    expect(consent()).toMatchObject({
      status: 'consentRequired',
      clientName: 'Planner',
      account: 'ada@example.com',
      host: null,
      isVerified: true,
      standardOnly: false,
      device: { userCode: 'WDJB-MJHT', program: 'tool 1', network: '192.0.2.7', isSameNetwork: true },
      ungrantable: ['Delete your documents'],
      canAllow: true,
    });
    expect(world.transport.requestsTo(idp.deviceSubmit)).toEqual([]);
    for (let press = 0; press < 10; press += 1) store.send({ type: 'consent/allowed' });
    await world.settle();
    expect(world.transport.requestsTo(idp.deviceSubmit).map(({ body }) => body)).toEqual([
      { user_code: 'wdjbmjht', consent_granted: true },
    ]);
    expect([consent(), errors]).toEqual([{ status: 'deviceDone' }, []]);
  });

  it('is shown with the APIs for which it gets access, and without any for the project alone', async () => {
    const resources = [{ resource: 'https://files.example/mcp', name: ' Files\n' }, { resource: 'x' }];
    expect((await opened('WDJB-MJHT', { ...REPLY, resources })).consent()).toMatchObject({ resources: ['Files'] });
    for (const none of [undefined, [], 'x', null]) {
      expect((await opened('WDJB-MJHT', { ...REPLY, resources: none })).consent()).not.toHaveProperty('resources');
    }
  });

  it('is denied', async () => {
    const { store, world, consent } = await opened('WDJB-MJHT');
    store.send({ type: 'consent/denied' });
    await world.settle();
    expect(consent()).toEqual({ status: 'deviceDenied' });
  });

  it('is asked for after the person has entered its code, however wrong the first one was', async () => {
    const { store, world, consent } = await opened('WD');
    expect(consent()).toEqual({ status: 'deviceCode', userCode: 'WD', error: null });
    world.transport.answer(idp.deviceStart, () => errorReply(404, 'user_code_not_found'));
    store.send({ type: 'device/codeEntered', code: 'WDJB-MJHX' });
    await world.settle();
    const error = { error_type: 'user_code_not_found' };
    expect(consent()).toMatchObject({ status: 'deviceCode', userCode: 'WDJB-MJHX', error });
    expect(store.getState().pending).toBeNull();
    world.transport.answer(idp.deviceStart, () => REPLY);
    store.send({ type: 'device/codeEntered', code: 'WDJB-MJHT' });
    await world.settle();
    expect(consent()).toMatchObject({ status: 'consentRequired', device: { userCode: 'WDJB-MJHT' } });
  });

  it('shows the refused code of a link in the field', async () => {
    const { world } = await signedIn();
    world.transport.answer(idp.deviceStart, () => errorReply(404, 'user_code_not_found'));
    const { consent } = await settled(openConsent({ user_code: 'WDJB-MJHT' }, world));
    const error = { error_type: 'user_code_not_found' };
    expect(consent()).toMatchObject({ status: 'deviceCode', userCode: 'WDJB-MJHT', error });
  });

  it('keeps the question after a refused decision, and asks again for another user', async () => {
    const { store, world, consent } = await opened('WDJB-MJHT');
    world.transport.answer(idp.deviceSubmit, () => errorReply(404, 'user_code_not_found'));
    store.send({ type: 'consent/allowed' });
    await world.settle();
    expect([consent().status, store.getState().pending]).toEqual(['consentRequired', null]);
    store.send({ type: 'consent/switched' });
    await world.settle();
    expect([consent(), world.transport.requestsTo(sessions.revoke).length]).toEqual([{ status: 'noSession' }, 1]);
  });

  it('needs somebody who is signed in', async () => {
    const { consent, world, errors } = await settled(openConsent({ user_code: '' }, consentWorld()));
    expect([consent(), world.transport.requestsTo(idp.deviceStart)]).toEqual([{ status: 'noSession' }, []]);
    expect(errors).toHaveLength(1);
  });

  it.each([[{ scope_results: 'x' }], [{ scope_results: undefined }]])(
    'is not shown without its scopes: %j',
    async (wrong) => {
      const { consent } = await opened('WDJB-MJHT', { ...REPLY, ...wrong });
      expect(consent().status).toBe('deviceCode');
    },
  );
});
