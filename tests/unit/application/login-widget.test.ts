import { describe, expect, it } from 'vitest';
import { events, magicLinks, otps } from '#application/api/index.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { openLogin } from './open-widget.ts';
import { TestWorld, TOKEN } from './world.ts';

const OTP: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };
const ADA = 'ada@example.com';

const open = (config: LoginConfig, world = new TestWorld(), telemetry = true) =>
  openLogin(config, { world, telemetry });

async function atPasscode(config: LoginConfig = OTP) {
  const opened = open(config);
  opened.store.send({ type: 'otp/requested', method: 'email', destination: ADA });
  await opened.world.settle();
  return opened;
}

describe('logging in by passcode', () => {
  it('goes from Main over the passcode to the confirmation, and notifies the host', async () => {
    const { world, store, screen, heard } = await atPasscode();
    expect(screen()).toMatchObject({ name: 'OTPAuthenticate', otp: { type: 'email', destination: ADA } });
    store.send({ type: 'otp/codeEntered', code: world.server.inbox[0]?.code ?? '' });
    expect(store.getState().pending).toBe('otp/codeEntered');
    await world.settle();
    expect(screen()).toEqual({ name: 'OTPConfirmation' });
    expect(heard.map(({ type }) => type)).toEqual([
      'OTP_LOGIN_OR_CREATE',
      'OTP_AUTHENTICATE',
      'AUTHENTICATE_FLOW_COMPLETE',
    ]);
    expect(heard[1]?.data).toMatchObject({ session: expect.anything(), user: expect.anything() });
  });

  it('asks with the configured options, five minutes and half an hour when there are none', async () => {
    const configured = await atPasscode({
      ...OTP,
      otpOptions: {
        methods: ['email'],
        expirationMinutes: 2,
        loginTemplateId: 'l',
        signupTemplateId: 's',
        locale: 'de',
      },
      sessionOptions: { sessionDurationMinutes: 90 },
    });
    expect(configured.world.transport.requestsTo(otps.emailLoginOrCreate)[0]?.body).toEqual({
      email: ADA,
      expiration_minutes: 2,
      login_template_id: 'l',
      signup_template_id: 's',
      locale: 'de',
    });
    configured.store.send({ type: 'otp/codeEntered', code: '000000' });
    await configured.world.settle();
    expect(configured.world.transport.requestsTo(otps.authenticate)[0]?.body).toMatchObject({
      session_duration_minutes: 90,
    });

    const plain = await atPasscode();
    expect(plain.world.transport.requestsTo(otps.emailLoginOrCreate)[0]?.body).toEqual({
      email: ADA,
      expiration_minutes: 5,
    });
    expect(plain.screen()).toMatchObject({ otp: { expiresAt: plain.world.clock.now() + 300_000 } });
    plain.store.send({ type: 'otp/codeEntered', code: '000000' });
    await plain.world.settle();
    expect(plain.world.transport.requestsTo(otps.authenticate)[0]?.body).toMatchObject({
      session_duration_minutes: 30,
    });
  });

  it('stays, with the error, for a wrong code, and takes the right one then', async () => {
    const { world, store, screen, errors } = await atPasscode();
    store.send({ type: 'otp/codeEntered', code: '000000' });
    await world.settle();
    expect(store.getState()).toMatchObject({ pending: null, error: { error_type: 'otp_code_not_found' } });
    expect(errors).toHaveLength(1);
    store.send({ type: 'otp/codeEntered', code: world.server.inbox[0]?.code ?? '' });
    await world.settle();
    expect(screen().name).toBe('OTPConfirmation');
  });

  it('resends: the countdown begins anew, a failure is a toast, and the first code still counts', async () => {
    const { world, store, screen } = await atPasscode();
    const [first] = world.server.inbox;
    await world.clock.advance(60_000);
    store.send({ type: 'otp/resendRequested' });
    await world.settle();
    expect(screen()).toMatchObject({ name: 'OTPAuthenticate', otp: { expiresAt: world.clock.now() + 300_000 } });
    world.transport.answer(otps.emailLoginOrCreate, () => offline());
    store.send({ type: 'otp/resendRequested' });
    await world.settle();
    expect(store.getState().toasts).toMatchObject([{ kind: 'error', error: { kind: 'unreachable' } }]);
    store.send({ type: 'otp/codeEntered', code: first?.code ?? '' });
    await world.settle();
    expect(screen().name).toBe('OTPConfirmation');
  });

  it('sends one request for ten triggers', async () => {
    const { world, store } = open(OTP);
    for (let press = 0; press < 10; press += 1)
      store.send({ type: 'otp/requested', method: 'email', destination: ADA });
    await world.settle();
    for (let press = 0; press < 10; press += 1)
      store.send({ type: 'otp/codeEntered', code: world.server.inbox[0]?.code ?? '' });
    await world.settle();
    expect(world.transport.requestsTo(otps.emailLoginOrCreate)).toHaveLength(1);
    expect(world.transport.requestsTo(otps.authenticate)).toHaveLength(1);
  });

  it('that is left with Back takes no late answer, and can begin again at once', async () => {
    const { world, store, screen, heard } = open(OTP);
    const gate = world.transport.hold(otps.emailLoginOrCreate);
    store.send({ type: 'otp/requested', method: 'email', destination: ADA });
    await world.settle();
    store.send({ type: 'back' });
    store.send({ type: 'otp/requested', method: 'email', destination: 'eve@example.com' });
    await world.settle();
    gate.release();
    await world.settle();
    expect(screen()).toMatchObject({ name: 'OTPAuthenticate', otp: { destination: 'eve@example.com' } });
    expect(heard).toHaveLength(1);
  });

  it('that succeeds after all when the person has gone back says that they are signed in', async () => {
    const { world, store, screen, heard } = await atPasscode();
    const gate = world.transport.hold(otps.authenticate);
    store.send({ type: 'otp/codeEntered', code: world.server.inbox[0]?.code ?? '' });
    await world.settle();
    store.send({ type: 'back' });
    gate.release();
    await world.settle();
    expect(screen().name).toBe('AuthenticateFlowComplete');
    expect(heard.at(-1)?.type).toBe('AUTHENTICATE_FLOW_COMPLETE');
  });
});

describe('logging in by link', () => {
  it('shows the confirmation, follows the login in another tab, and notifies the host', async () => {
    const opened = open({});
    opened.store.send({ type: 'magicLink/requested', email: ADA });
    await opened.world.settle();
    expect(opened.screen()).toEqual({ name: 'EmailConfirmation', email: ADA });
    expect(opened.heard[0]).toMatchObject({ type: 'MAGIC_LINK_LOGIN_OR_CREATE', data: { email: ADA } });
    const { client } = opened.world.open();
    await client.magicLinks.authenticate(opened.world.server.inbox[0]?.token ?? '', { session_duration_minutes: 30 });
    await opened.world.settle();
    expect(opened.screen()).toEqual({ name: 'AuthenticateFlowComplete' });
    expect(opened.heard.at(-1)?.type).toBe('AUTHENTICATE_FLOW_COMPLETE');
  });

  it('sends the configured options under the names of the wire', async () => {
    const { world, store } = open({
      emailMagicLinksOptions: {
        loginRedirectURL: 'https://a.example/in',
        signupRedirectURL: 'https://a.example/up',
        loginExpirationMinutes: 7,
        createUserAsPending: true,
        domainHint: 'x.example',
      },
    });
    store.send({ type: 'magicLink/requested', email: ADA });
    await world.settle();
    expect(world.transport.requestsTo(magicLinks.loginOrCreate)[0]?.body).toEqual({
      email: ADA,
      login_magic_link_url: 'https://a.example/in',
      login_expiration_minutes: 7,
      signup_magic_link_url: 'https://a.example/up',
      signup_expiration_minutes: 30,
      create_user_as_pending: true,
    });
  });

  it('starts again from Main with the entered address, which is not stored any more', async () => {
    const { world, store, screen } = open({});
    store.send({ type: 'magicLink/requested', email: ADA });
    await world.settle();
    store.send({ type: 'magicLink/tryAgain' });
    expect(screen()).toEqual({ name: 'Main', email: 'ada@example.com' });
  });

  it('that fails leaves the form with the error', async () => {
    const { world, store, screen, errors } = open({});
    world.transport.answer(magicLinks.loginOrCreate, () => errorReply(400, 'invalid_email'));
    store.send({ type: 'magicLink/requested', email: ADA });
    await world.settle();
    expect(screen().name).toBe('Main');
    expect(store.getState()).toMatchObject({ pending: null, error: { error_type: 'invalid_email' } });
    expect(errors).toHaveLength(1);
  });
});

describe('around the widget', () => {
  it('logs rendering, sending and trying again, in one batch, without codes or tokens', async () => {
    const { world, store } = open({});
    store.send({ type: 'magicLink/requested', email: ADA });
    await world.settle();
    store.send({ type: 'magicLink/tryAgain' });
    await world.clock.advance(800);
    const [request, ...more] = world.transport.requestsTo(events.log);
    const names = (request?.body as { event: { event_name: string; public_token: string } }[]).map(
      ({ event }) => event.event_name,
    );
    expect(names).toEqual(['render_login_screen', 'email_sent', 'email_try_again_clicked']);
    expect(JSON.stringify(request?.body)).not.toContain(world.server.inbox[0]?.token);
    expect(more).toEqual([]);
  });

  it('logs nothing at all without telemetry', async () => {
    const { world, store } = open({}, new TestWorld(), false);
    store.send({ type: 'magicLink/requested', email: ADA });
    await world.clock.advance(10_000);
    expect(world.transport.requestsTo(events.log)).toEqual([]);
  });

  it('survives callbacks that throw', async () => {
    const opened = open(OTP);
    opened.widget.configure({
      config: OTP,
      callbacks: {
        onEvent: (): void => {
          throw new Error('host');
        },
      },
    });
    opened.store.send({ type: 'otp/requested', method: 'email', destination: ADA });
    await opened.world.settle();
    expect(opened.screen().name).toBe('OTPAuthenticate');
    expect(opened.ports.log.messages('error')).toHaveLength(1);
  });

  it('is covered while only a cookie tells of a session, until the server has spoken', async () => {
    const world = new TestWorld();
    const first = world.open();
    await world.signIn(first.client);
    first.client.destroy();
    world.storage.tab().remove(`stytch_sdk_state_${TOKEN}`);
    const gate = world.transport.hold();
    const { store, screen } = open(OTP, world);
    await world.settle();
    expect(store.getState().loading).toBe(true);
    gate.release();
    await world.settle();
    expect(store.getState().loading).toBe(false);
    expect(screen().name).toBe('AuthenticateFlowComplete');
  });

  it('shows nothing more once it is destroyed, and only notifies the host of the login that was under way', async () => {
    const { world, store, widget, heard, screen } = await atPasscode();
    const gate = world.transport.hold(otps.authenticate);
    store.send({ type: 'otp/codeEntered', code: world.server.inbox[0]?.code ?? '' });
    widget.destroy();
    gate.release();
    await world.settle();
    expect(screen().name).toBe('OTPAuthenticate');
    expect(heard.map(({ type }) => type)).toEqual([
      'OTP_LOGIN_OR_CREATE',
      'OTP_AUTHENTICATE',
      'AUTHENTICATE_FLOW_COMPLETE',
    ]);
  });
});

describe('a reply without what the widget goes on with', () => {
  it.each([undefined, null, 7, {}])(
    'is an error on the screen that it was requested on: method_id %j',
    async (method_id) => {
      const { world, store, screen, errors } = openLogin({ products: ['otp'], otpOptions: { methods: ['email'] } });
      world.transport.answer(otps.emailLoginOrCreate, () => ({ method_id }));
      await world.settle();
      store.send({ type: 'otp/requested', method: 'email', destination: 'ada@example.com' });
      await world.settle();
      expect([screen().name, store.getState().pending]).toEqual(['Main', null]);
      expect(errors).toMatchObject([{ kind: 'unreachable', reason: 'invalid-response' }]);
    },
  );
});
