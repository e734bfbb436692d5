import { describe, expect, it } from 'vitest';
import { passwords, users } from '#application/api/index.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { ADA, ALONE, entered, GOOD, WITH_CODE, WITH_LINK, worldWith } from './open-passwords.ts';

const create = { type: 'password/createRequested', email: ADA, password: GOOD } as const;
const login = { type: 'password/loginRequested', email: ADA, password: GOOD } as const;

describe('an address where passwords are on', () => {
  it('that is new leads to the form for a new password', async () => {
    const { screen, store } = await entered(ALONE);
    expect(screen()).toEqual({ name: 'PasswordCreateOrLogin', email: ADA, userType: 'new' });
    expect(store.getState().pending).toBeNull();
  });

  it('with a password leads to the form for it', async () => {
    const { screen } = await entered(ALONE, await worldWith('password'));
    expect(screen()).toMatchObject({ userType: 'password' });
  });

  it('counts as new after an unknown reply of the server', async () => {
    const world = await worldWith('password');
    world.transport.answer(users.search, () => ({ userType: 'robot' }));
    const { screen } = await entered(ALONE, world);
    expect(screen()).toMatchObject({ userType: 'new' });
  });

  it('stays on Main when the search fails, with the error, and can be entered again', async () => {
    const world = await worldWith('password');
    world.transport.answer(users.search, () => offline());
    const { screen, store, errors } = await entered(ALONE, world);
    expect(screen().name).toBe('Main');
    expect(store.getState()).toMatchObject({ pending: null, error: { kind: 'unreachable' } });
    expect(errors).toHaveLength(1);
  });
});

describe('a new password', () => {
  it('signs up, with the configured duration, and notifies the host', async () => {
    const { world, store, screen, heard, sessions } = await entered({
      ...ALONE,
      sessionOptions: { sessionDurationMinutes: 90 },
    });
    store.send(create);
    expect(store.getState().pending).toBe('password/createRequested');
    await world.settle();
    expect(screen()).toEqual({ name: 'PasswordConfirmation' });
    expect(sessions.mayBeSignedIn()).toBe(true);
    expect(heard.map(({ type }) => type)).toEqual(['PASSWORD_CREATE', 'AUTHENTICATE_FLOW_COMPLETE']);
    expect(world.transport.requestsTo(passwords.create)[0]?.body).toMatchObject({ session_duration_minutes: 90 });
  });

  it('goes out once for ten presses', async () => {
    const { world, store } = await entered(ALONE);
    for (let press = 0; press < 10; press += 1) store.send(create);
    await world.settle();
    expect(world.transport.requestsTo(passwords.create)).toHaveLength(1);
  });

  it('for a known user without one asks for proof by email', async () => {
    const { world, store, screen, heard, errors } = await entered(ALONE);
    world.transport.answer(passwords.create, () => errorReply(400, 'reset_password'));
    world.transport.answer(passwords.resetByEmailStart, () => ({}));
    store.send(create);
    await world.settle();
    expect(screen()).toEqual({ name: 'PasswordDedupe', email: ADA, reason: 'required' });
    expect(errors).toMatchObject([{ error_type: 'reset_password' }]);
    expect(heard.map(({ type }) => type)).toEqual(['PASSWORD_RESET_BY_EMAIL_START']);
    expect(store.getState()).toMatchObject({ pending: null, error: null });
  });

  it.each(['breached_password', 'weak_password'])('that is refused as %s stays, with the error alone', async (type) => {
    const { world, store, screen } = await entered(ALONE);
    world.transport.answer(passwords.create, () => errorReply(400, type));
    store.send(create);
    await world.settle();
    expect(screen()).toMatchObject({ userType: 'new' });
    expect(store.getState()).toMatchObject({ pending: null, error: { error_type: type } });
    expect(world.transport.requestsTo(passwords.resetByEmailStart)).toEqual([]);
  });
});

describe('a known password', () => {
  it('logs in and notifies the host', async () => {
    const { world, store, screen, heard } = await entered(ALONE, await worldWith('password'));
    store.send(login);
    await world.settle();
    expect(screen()).toEqual({ name: 'PasswordConfirmation' });
    expect(heard.map(({ type }) => type)).toEqual(['PASSWORD_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']);
  });

  it('that is wrong stays with the error, and the right one is taken then', async () => {
    const { world, store, screen, errors } = await entered(ALONE, await worldWith('password'));
    store.send({ ...login, password: 'wrong' });
    await world.settle();
    expect(store.getState()).toMatchObject({ pending: null, error: { error_type: 'unauthorized_credentials' } });
    expect(errors).toHaveLength(1);
    store.send(login);
    await world.settle();
    expect(screen().name).toBe('PasswordConfirmation');
  });

  it('that was breached causes an email with the reason, also at the next try', async () => {
    const world = await worldWith('password');
    Object.assign(world.server.settings, { breachedPasswords: [GOOD] });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { store, screen, errors, heard } = await entered(ALONE, world);
      store.send(login);
      await world.settle();
      expect(screen()).toEqual({ name: 'PasswordDedupe', email: ADA, reason: 'breached' });
      expect(errors).toMatchObject([{ error_type: 'reset_password', error_details: { reason: 'breached' } }]);
      expect(heard.map(({ type }) => type)).toEqual(['PASSWORD_RESET_BY_EMAIL_START']);
      expect(store.getState()).toMatchObject({ pending: null, error: null });
    }
    const links = { reset_password: expect.anything(), login: expect.anything() };
    expect(world.server.inbox.map((mail) => mail.links)).toMatchObject([links, links]);
  });

  it.each([
    ['reset_password', { name: 'PasswordDedupe', email: ADA, reason: 'required' }],
    ['breached_password', { name: 'PasswordBreached', email: ADA }],
  ])('that a server refuses as %s gets a mail, without a reason that the server did not give', async (type, screen) => {
    const world = await worldWith('password');
    const opened = await entered(ALONE, world);
    world.transport.answer(passwords.authenticate, () => errorReply(400, type));
    opened.store.send(login);
    await world.settle();
    expect([opened.screen(), opened.errors]).toMatchObject([screen, [{ error_type: type }]]);
  });

  it('stays, with the error, when the email that it needs cannot be sent', async () => {
    const world = await worldWith('password');
    const { store, screen, errors } = await entered(ALONE, world);
    world.transport.answer(passwords.authenticate, () => errorReply(400, 'reset_password'));
    world.transport.answer(passwords.resetByEmailStart, () => offline());
    store.send(login);
    await world.settle();
    expect(screen()).toMatchObject({ userType: 'password' });
    expect(store.getState()).toMatchObject({ pending: null, error: { kind: 'unreachable' } });
    expect(errors).toMatchObject([{ error_type: 'reset_password' }, { kind: 'unreachable' }]);
  });

  it('that is forgotten leads to an email with the configured options', async () => {
    const config = {
      ...ALONE,
      passwordOptions: {
        loginRedirectURL: 'https://a.example/in',
        resetPasswordRedirectURL: 'https://a.example/reset',
        resetPasswordExpirationMinutes: 12,
        resetPasswordTemplateId: 't',
        locale: 'de',
      },
    };
    const { world, store, screen } = await entered(config, await worldWith('password'));
    store.send({ type: 'password/forgotten', email: ADA });
    await world.settle();
    expect(screen()).toEqual({ name: 'PasswordForgot', email: ADA });
    expect(world.transport.requestsTo(passwords.resetByEmailStart)[0]?.body).toEqual({
      email: ADA,
      login_redirect_url: 'https://a.example/in',
      login_expiration_minutes: 30,
      reset_password_redirect_url: 'https://a.example/reset',
      reset_password_expiration_minutes: 12,
      reset_password_template_id: 't',
      locale: 'de',
    });
    store.send({ type: 'password/resendRequested', email: ADA });
    await world.settle();
    expect(world.transport.requestsTo(passwords.resetByEmailStart)).toHaveLength(2);
    expect(store.getState().toasts).toMatchObject([{ kind: 'success', text: 'emailResent' }]);
  });

  it('that is left with Back while it is sent changes no screen, but still reports the session', async () => {
    const { world, store, screen } = await entered(ALONE, await worldWith('password'));
    const gate = world.transport.hold(passwords.authenticate);
    store.send(login);
    await world.settle();
    store.send({ type: 'back' });
    expect(screen()).toEqual({ name: 'Main', email: ADA });
    gate.release();
    await world.settle();
    expect(screen().name).toBe('AuthenticateFlowComplete');
  });
});

describe('in place of a password', () => {
  it.each([
    [WITH_LINK, { type: 'magicLink/requested', email: ADA }, 'EmailConfirmation'],
    [WITH_CODE, { type: 'otp/requested', method: 'email', destination: ADA }, 'OTPAuthenticate'],
  ] as const)('the configured mail can be asked for', async (config, intent, name) => {
    const { world, store, screen } = await entered(config, await worldWith('password'));
    store.send({ type: 'password/forgotten', email: ADA });
    await world.settle();
    store.send(intent);
    await world.settle();
    expect(screen().name).toBe(name);
  });
});
