import { describe, expect, it } from 'vitest';
import { otps } from '#application/api/index.ts';
import '#application/session/login-binding.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { TestWorld } from '../world.ts';

const asks = () => errorReply(400, 'mfa_code_challenge_required');
const CODE = { method_id: 'email-test', session_duration_minutes: 60 };

/**
 * The settings that a page knows may be older than the server's: a login that needs a second factor is then refused for want of a binding,
 * and nothing of it is spent.
 */
describe('a login that the server wants to be bound to this browser', () => {
  it('is sent again with a challenge, once', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    world.transport.answer(otps.authenticate, asks);
    await expect(client.otps.authenticate('123456', 'email-test', CODE)).rejects.toMatchObject({
      error_type: 'mfa_code_challenge_required',
    });
    const [first, second, ...more] = world.transport.requestsTo(otps.authenticate);
    expect(first?.body).not.toHaveProperty('mfa_code_challenge');
    expect(second?.body).toEqual({
      ...(first?.body as object),
      mfa_code_challenge: expect.stringMatching(/^[\w-]{43}$/u),
    });
    expect(more).toEqual([]);
  });

  it.each([true, false])(
    'is sent again if it lacks a profile, which a host with a form can ask for: %s',
    async (asksProfile) => {
      const world = new TestWorld();
      const { client } = world.open({ asksProfile });
      // As the provider refuses it (`cannotAsk`).
      const details = {
        missing: 'company',
        url: 'https://acme.example/',
        mfa_code_challenge: 'sent together with asks_profile',
      };
      world.transport.answer(otps.authenticate, () => errorReply(400, 'profile_required', undefined, details));
      await expect(client.otps.authenticate('123456', 'email-test', CODE)).rejects.toMatchObject({
        error_type: 'profile_required',
      });
      const bodies = world.transport.requestsTo(otps.authenticate).map(({ body }) => body as Record<string, unknown>);
      expect(bodies.map(({ asks_profile }) => asks_profile)).toEqual([undefined, asksProfile || undefined]);
    },
  );

  it('is sent again for each of several that were refused together', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    world.transport.answer(otps.authenticate, asks);
    // Two with one code would be one request (`SharedCalls`).
    const login = (code: string) => client.otps.authenticate(code, 'email-test', CODE).catch(() => undefined);
    await Promise.all([login('123456'), login('654321')]);
    const bodies = world.transport.requestsTo(otps.authenticate).map(({ body }) => body as object);
    expect(bodies.map((body) => 'mfa_code_challenge' in body)).toEqual([false, false, true, true]);
  });

  it('has its challenge from the start after that', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    world.transport.answer(otps.authenticate, asks);
    await client.otps.authenticate('123456', 'email-test', CODE).catch(() => undefined);
    await client.otps.authenticate('123456', 'email-test', CODE).catch(() => undefined);
    const bodies = world.transport.requestsTo(otps.authenticate).map(({ body }) => body as object);
    expect(bodies.map((body) => 'mfa_code_challenge' in body)).toEqual([false, true, true]);
  });

  it('is not sent again for another refusal', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    world.transport.answer(otps.authenticate, () => errorReply(404, 'otp_code_not_found'));
    await client.otps.authenticate('123456', 'email-test', CODE).catch(() => undefined);
    expect(world.transport.requestsTo(otps.authenticate)).toHaveLength(1);
  });
});
