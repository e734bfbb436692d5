import { describe, expect, it, vi } from 'vitest';
import { idp } from '#application/api/index.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { RULES } from '../mfa/mfa-world.ts';
import { consentWorld, openConsent, PLANNER, REQUEST } from './open-consent.ts';

const START = {
  client: { client_id: PLANNER.client_id, client_name: 'Planner', client_description: '', client_type: 'first_party' },
  consent_required: true,
  scope_results: [{ scope: 'openid', description: 'openid', is_grantable: true }],
};

/** Somebody with an authenticator app, signed in before the project had a policy, at an app that asks for two factors. */
async function askedForTwo() {
  const world = consentWorld();
  world.server.settings.mfa = { ...RULES, policy: { required_for_roles: ['nobody'] }, factors: ['totp'] };
  const { client } = world.open();
  await world.signIn(client);
  const { secret } = await client.totps.create({ expiration_minutes: 5 });
  let isRefused = true;
  world.transport.answer(idp.authorizeStart, () => (isRefused ? errorReply(403, 'mfa_required') : START));
  return { world, secret, accept: () => (isRefused = false) };
}

describe('an app that asks for two factors', () => {
  it('gets the person’s second one on its consent page, and is asked about then', async () => {
    const { world, secret, accept } = await askedForTwo();
    const opened = openConsent(REQUEST, world);
    const shown = async (name: string) =>
      vi.waitFor(async () => {
        await world.settle();
        expect(opened.store.getState().screen.name).toBe(name);
      });
    await shown('SecondFactor');
    accept();
    opened.store.send({ type: 'factor/asked', request: { kind: 'totp', code: world.server.totpCode(secret) } });
    await shown('IDPConsent');
    await vi.waitFor(async () => {
      await world.settle();
      expect(opened.consent().status).toBe('consentRequired');
    });
  });
});
