import { describe, expect, it, vi } from 'vitest';
import '#application/use-cases/passkeys/passkey-creation.ts';
import '#application/use-cases/passkeys/silent-creation.ts';
import '#application/widget/effects/passkeys/passkey-offer.ts';
import { webauthn } from '#application/api/index.ts';
import type { LoginConfig, PasskeyOptions } from '#domain/widget/widget-config.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { ADA, entered, GOOD, worldWith } from '../passwords/open-passwords.ts';
import { openLogin } from '../open-widget.ts';
import type { TestWorld } from '../world.ts';
import { no } from './passkey-world.ts';

const UPGRADES: PasskeyOptions = { upgradeAfterLogin: true };
const LOGIN = ['PASSWORD_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE'];
const config = (passkeyOptions: PasskeyOptions): LoginConfig => ({
  products: ['passwords', 'passkeys'],
  passkeyOptions,
});

/** The import of the code takes a few turns of the event loop. */
async function turns(world: TestWorld): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    await world.settle();
  }
}

/** Somebody with a password at the login, whose browser can add a passkey without a question unless a test changes that. */
async function open(
  options: PasskeyOptions = UPGRADES,
  { capable = true, products }: { capable?: boolean; products?: LoginConfig['products'] } = {},
) {
  const world = await worldWith('password');
  const opened = await entered({ ...config(options), ...(products && { products }) }, world);
  const { webauthn: browser } = opened.ports;
  if (capable) browser.capabilities.add('conditionalCreate');
  const told = () => opened.heard.map(({ type }) => type);
  const logIn = async () => {
    opened.store.send({ type: 'password/loginRequested', email: ADA, password: GOOD });
    await vi.waitFor(async () => {
      await world.settle();
      expect(told()).toEqual(expect.arrayContaining(LOGIN));
    });
    await turns(world);
  };
  const kinds = () => browser.ceremonies.map(({ kind }) => kind).filter((kind) => kind.endsWith('reate'));
  const passkeys = () => opened.sessions.state().user?.webauthn_registrations.length;
  const name = () => opened.screen().name;
  const reaches = (wanted: string) =>
    vi.waitFor(async () => {
      await world.settle();
      expect(name()).toBe(wanted);
    });
  return { ...opened, world, browser, told, logIn, kinds, passkeys, name, reaches };
}

describe('a passkey after a login with a password, without a question', () => {
  it('is added after the login’s own events, and changes neither the screen nor the session', async () => {
    const { logIn, told, passkeys, kinds, world, name, sessions, store, browser } = await open();
    await logIn();
    await vi.waitFor(() => expect(told()).toEqual([...LOGIN, 'PASSKEY_REGISTER']));
    expect([passkeys(), kinds(), world.authenticator.count]).toEqual([1, ['silentCreate'], 1]);
    expect([name(), store.getState().error, store.getState().pending]).toEqual(['PasswordConfirmation', null, null]);
    expect(sessions.state().session?.authentication_factors.map(({ type }) => type)).toEqual(['password']);
    expect(browser.ceremonies.at(-1)?.options).toMatchObject({ attestation: 'none', excludeCredentials: [] });
    // It is a passkey like any other.
    const { client } = world.open();
    await client.session.revoke();
    const reply = await client.webauthn.authenticate({ is_passkey: true, session_duration_minutes: 60 });
    expect(reply?.user_id).toBe(sessions.state().user?.user_id);
  });

  it('is added where a sign-up with a password was the login', async () => {
    const world = await worldWith('passwordless');
    const opened = openLogin(config(UPGRADES), { world });
    opened.ports.webauthn.capabilities.add('conditionalCreate');
    opened.store.send({ type: 'password/createRequested', email: 'eve@example.com', password: GOOD });
    await vi.waitFor(async () => {
      await world.settle();
      expect(opened.heard.map(({ type }) => type)).toContain('PASSKEY_REGISTER');
    });
  });

  it.each([
    ['the host does not ask for it', {}, {}],
    ['passkeys are no product', UPGRADES, { products: ['passwords'] as const }],
    ['the browser cannot', UPGRADES, { capable: false }],
  ])('is not asked for when %s', async (_, options, settings) => {
    const { logIn, kinds, told, world } = await open(options, settings);
    await logIn();
    expect([kinds(), told()]).toEqual([[], LOGIN]);
    expect(world.transport.requestsTo(webauthn.registerStart)).toEqual([]);
  });

  it('is not asked for after a login by another method', async () => {
    const world = await worldWith('passwordless');
    const opened = openLogin(
      { ...config(UPGRADES), products: ['otp', 'passkeys'], otpOptions: { methods: ['email'] } },
      { world },
    );
    opened.ports.webauthn.capabilities.add('conditionalCreate');
    opened.store.send({ type: 'otp/requested', method: 'email', destination: ADA });
    await world.settle();
    opened.store.send({ type: 'otp/codeEntered', code: world.server.codeFor(ADA) ?? '' });
    await turns(world);
    expect(opened.heard.map(({ type }) => type)).toEqual(['OTP_LOGIN_OR_CREATE', 'OTP_AUTHENTICATE', LOGIN[1]]);
    expect(opened.ports.webauthn.ceremonies.map(({ kind }) => kind)).not.toContain('silentCreate');
  });

  it.each(['NotAllowedError', 'InvalidStateError', 'AbortError', 'Error'])(
    'is silent when the browser refuses with %s',
    async (refusal) => {
      const { logIn, told, kinds, browser, store, name, errors, ports } = await open();
      browser.refusal = no(refusal);
      await logIn();
      expect([kinds(), told(), errors, store.getState().error]).toEqual([['silentCreate'], LOGIN, [], null]);
      expect([name(), ports.log.messages()]).toEqual(['PasswordConfirmation', []]);
    },
  );

  it('is silent when the server refuses, and is forgotten by whoever keeps it', async () => {
    const { logIn, told, passkeys, world, errors, store } = await open();
    world.transport.answer(webauthn.register, () => errorReply(403, 'mfa_required'));
    await logIn();
    await vi.waitFor(() => expect(world.authenticator.count).toBe(0));
    expect([told(), passkeys(), errors, store.getState().error]).toEqual([LOGIN, 0, [], null]);
  });

  it('is reported though the host has removed the widget meanwhile', async () => {
    const { logIn, told, browser, widget, world } = await open();
    const release = browser.hold();
    await logIn();
    widget.store.destroy();
    release();
    await vi.waitFor(async () => {
      await world.settle();
      expect(told()).toEqual([...LOGIN, 'PASSKEY_REGISTER']);
    });
  });

  it('signs nobody in again who has signed out meanwhile', async () => {
    const { logIn, browser, world, services, sessions } = await open();
    let answered = false;
    const release = browser.hold();
    await logIn();
    const { token } = { token: sessions.tokens() };
    world.transport.answer(webauthn.register, () => {
      answered = true;
      return { user_id: 'u', user: {}, session: null, ...token };
    });
    await services.lifecycle.revoke(true);
    release();
    await vi.waitFor(() => expect(answered).toBe(true));
    await turns(world);
    expect([sessions.state().session, sessions.tokens()]).toEqual([null, null]);
  });

  it('is given up after half a minute, so that the page can have another ceremony', async () => {
    const { logIn, told, browser, world } = await open();
    browser.hold();
    await logIn();
    expect([browser.isRunning, told()]).toEqual([true, LOGIN]);
    await world.clock.advance(30_000);
    await vi.waitFor(() => expect(browser.isRunning).toBe(false));
    expect(told()).toEqual(LOGIN);
  });
});

describe('a passkey without a question, and the offer of one', () => {
  const BOTH: PasskeyOptions = { upgradeAfterLogin: true, offerAfterLogin: true };

  it('leaves nothing to offer once it was added', async () => {
    const { logIn, told, world, name } = await open(BOTH);
    await logIn();
    await vi.waitFor(() => expect(told()).toEqual([...LOGIN, 'PASSKEY_REGISTER']));
    await world.clock.advance(5_000);
    await turns(world);
    expect(name()).toBe('PasswordConfirmation');
  });

  it('is followed by the offer when the browser refuses', async () => {
    const { logIn, browser, reaches } = await open(BOTH);
    browser.refusal = no('NotAllowedError');
    await logIn();
    await reaches('PasskeyOffer');
  });

  it('lets the offer wait for two seconds, and gives way to a passkey that the person creates', async () => {
    const { logIn, browser, reaches, name, world, store, told, kinds } = await open(BOTH);
    const release = browser.hold();
    await logIn();
    expect(name()).toBe('PasswordConfirmation');
    await world.clock.advance(2_000);
    await reaches('PasskeyOffer');
    store.send({ type: 'passkey/createRequested' });
    await vi.waitFor(() => expect(kinds()).toEqual(['silentCreate', 'create']));
    release();
    await reaches('PasskeyCreated');
    expect([world.authenticator.count, told()]).toEqual([1, [...LOGIN, 'PASSKEY_REGISTER']]);
  });
});
