import { describe, expect, it } from 'vitest';
import { magicLinks, otps, passwords } from '#application/api/index.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { ADA, ALONE, entered, WITH_CODE, WITH_LINK, worldWith } from './open-passwords.ts';

const again = { type: 'password/passwordlessRequested', email: ADA } as const;

describe('a user without a password', () => {
  it('gets a link automatically, once, and the host receives the event', async () => {
    const { world, store, screen, heard } = await entered(WITH_LINK, await worldWith('passwordless'));
    expect(screen()).toMatchObject({ userType: 'passwordless', message: { kind: 'link' } });
    expect(store.getState()).toMatchObject({ pending: null, toasts: [] });
    expect(world.transport.requestsTo(magicLinks.loginOrCreate)).toHaveLength(1);
    expect(heard).toMatchObject([{ type: 'MAGIC_LINK_LOGIN_OR_CREATE', data: { email: ADA } }]);
  });

  it('gets a code by itself, which can be entered there', async () => {
    const { world, store, screen, heard } = await entered(WITH_CODE, await worldWith('passwordless'));
    expect(screen()).toMatchObject({ userType: 'passwordless', message: { kind: 'code', otp: { destination: ADA } } });
    store.send({ type: 'otp/codeEntered', code: '000000' });
    await world.settle();
    expect(store.getState().error).toMatchObject({ error_type: 'otp_code_not_found' });
    store.send({ type: 'otp/codeEntered', code: world.server.inbox[0]?.code ?? '' });
    await world.settle();
    expect(screen().name).toBe('OTPConfirmation');
    expect(heard.map(({ type }) => type)).toEqual([
      'OTP_LOGIN_OR_CREATE',
      'OTP_AUTHENTICATE',
      'AUTHENTICATE_FLOW_COMPLETE',
    ]);
  });

  it('can have another code, and enter the one before', async () => {
    const { world, store, screen } = await entered(WITH_CODE, await worldWith('passwordless'));
    const first = world.server.inbox[0]?.code ?? '';
    store.send({ type: 'otp/resendRequested' });
    await world.settle();
    expect(world.transport.requestsTo(otps.emailLoginOrCreate).at(-1)?.body).toMatchObject({ email: ADA });
    expect(world.server.inbox[0]?.code).not.toBe(first);
    store.send({ type: 'otp/codeEntered', code: first });
    await world.settle();
    expect(screen().name).toBe('OTPConfirmation');
  });

  it('gets an email to set a password where no other method is configured', async () => {
    const { world, screen, heard } = await entered(ALONE, await worldWith('passwordless'));
    expect(screen()).toEqual({ name: 'PasswordSetNew', email: ADA });
    expect(world.transport.requestsTo(passwords.resetByEmailStart)).toHaveLength(1);
    expect(heard.map(({ type }) => type)).toEqual(['PASSWORD_RESET_BY_EMAIL_START']);
  });

  it('can create a password instead', async () => {
    const { world, store, screen } = await entered(WITH_CODE, await worldWith('passwordless'));
    store.send({ type: 'password/insteadRequested', email: ADA });
    await world.settle();
    expect(screen()).toEqual({ name: 'PasswordSetNew', email: ADA });
  });

  it('waits while it is being sent, and is held back meanwhile', async () => {
    const world = await worldWith('passwordless');
    const gate = world.transport.hold(magicLinks.loginOrCreate);
    const { store, screen } = await entered(WITH_LINK, world);
    expect(screen()).toMatchObject({ userType: 'passwordless', message: null });
    expect(store.getState().pending).toBe('password/passwordlessRequested');
    store.send(again);
    store.send({ type: 'password/insteadRequested', email: ADA });
    gate.release();
    await world.settle();
    expect(screen()).toMatchObject({ message: { kind: 'link' } });
    expect(world.transport.requestsTo(magicLinks.loginOrCreate)).toHaveLength(1);
  });

  it.each([
    ['the network', () => offline()],
    ['the server', () => errorReply(429, 'too_many_requests')],
  ])('sees what %s did to it, and can ask again', async (_, fails) => {
    const world = await worldWith('passwordless');
    world.transport.answer(magicLinks.loginOrCreate, fails);
    const { store, screen, errors } = await entered(WITH_LINK, world);
    expect(screen()).toMatchObject({ userType: 'passwordless', message: null });
    expect(store.getState().pending).toBeNull();
    expect(store.getState().error).not.toBeNull();
    expect(errors).toHaveLength(1);
    world.transport.answer(magicLinks.loginOrCreate, () => ({}));
    store.send(again);
    expect(store.getState()).toMatchObject({ pending: 'password/passwordlessRequested', error: null });
    await world.settle();
    expect(screen()).toMatchObject({ message: { kind: 'link' } });
    expect(store.getState()).toMatchObject({ pending: null, error: null });
  });

  it('can have the link once more, and sees that it was sent', async () => {
    const { world, store } = await entered(WITH_LINK, await worldWith('passwordless'));
    store.send(again);
    await world.settle();
    expect(world.transport.requestsTo(magicLinks.loginOrCreate)).toHaveLength(2);
    expect(store.getState().toasts).toMatchObject([{ kind: 'success', text: 'emailResent' }]);
  });

  it('that goes back while it is being sent is not moved by it, and can begin anew', async () => {
    const world = await worldWith('passwordless');
    const gate = world.transport.hold(otps.emailLoginOrCreate);
    const { store, screen } = await entered(WITH_CODE, world);
    store.send({ type: 'back' });
    gate.release();
    await world.settle();
    expect(screen()).toEqual({ name: 'Main', email: ADA });
    store.send({ type: 'password/emailEntered', email: ADA });
    await world.settle();
    expect(screen()).toMatchObject({ message: { kind: 'code' } });
  });

  it('follows the link into another tab', async () => {
    const { world, screen } = await entered(WITH_LINK, await worldWith('passwordless'));
    const { client } = world.open();
    await client.magicLinks.authenticate(world.server.inbox[0]?.token ?? '', { session_duration_minutes: 30 });
    await world.settle();
    expect(screen().name).toBe('AuthenticateFlowComplete');
  });
});
