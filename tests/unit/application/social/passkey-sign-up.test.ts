import { describe, expect, it, vi } from 'vitest';
import '#application/use-cases/passkeys/passkey-creation.ts';
import '#application/widget/effects/passkeys/passkey-sign-up.ts';
import { ADA, entered } from '../passwords/open-passwords.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { openLogin } from '../open-widget.ts';
import { TestWorld } from '../world.ts';
import { no } from './passkey-world.ts';

const ASKED = { type: 'passkey/createRequested', email: ADA } as const;
const LOGIN = ['PASSKEY_REGISTER', 'PASSKEY_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE'];

/** A new visitor at the form for a password, with a passkey as the other way. */
async function open({ allowed = true } = {}) {
  const world = new TestWorld();
  world.server.settings.passkeySignUp = allowed;
  const opened = await entered({ products: ['passwords', 'passkeys'], passkeyOptions: { signUp: true } }, world);
  const told = () => opened.heard.map(({ type }) => type);
  /** Repeats until it holds: the code comes late, and signing takes the platform's time. */
  const until = (holds: () => void) =>
    vi.waitFor(async () => {
      await world.settle();
      holds();
    });
  const name = () => opened.screen().name;
  expect(name()).toBe('PasswordCreateOrLogin');
  return { ...opened, world, told, until, name, browser: opened.ports.webauthn };
}

describe('a sign-up with a passkey in the widget', () => {
  it('signs the visitor in with a passkey of the address, and reports it before the login', async () => {
    const { store, told, until, name, sessions, browser } = await open();
    store.send(ASKED);
    await until(() => expect(name()).toBe('PasskeyConfirmation'));
    expect(told()).toEqual(LOGIN);
    expect(sessions.state().user).toMatchObject({ emails: [], unproven_email: ADA });
    expect(sessions.state().user?.webauthn_registrations).toHaveLength(1);
    expect(browser.ceremonies.filter(({ kind }) => kind === 'create')).toHaveLength(1);
  });

  it('shows no error when the person declines, and the password is still there', async () => {
    const { store, told, until, name, browser, sessions } = await open();
    browser.refusal = no('NotAllowedError');
    store.send(ASKED);
    await until(() => expect([browser.ceremonies.length, store.getState().pending]).toEqual([1, null]));
    expect(store.getState().error).toBeNull();
    expect([name(), sessions.state().session, told().includes('PASSKEY_REGISTER')]).toEqual([
      'PasswordCreateOrLogin',
      null,
      false,
    ]);
  });

  it('shows an error where the project does not allow it, and tells the developer the setting', async () => {
    const { store, until, browser, ports } = await open({ allowed: false });
    store.send(ASKED);
    await until(() => expect(store.getState().error).toMatchObject({ error_type: 'route_not_found' }));
    expect([store.getState().pending, browser.ceremonies]).toEqual([null, []]);
    expect(ports.log.messages('warn')).toEqual([expect.stringContaining('passkeys.sign_up')]);
  });

  it.each([[['passkeys']], [['passkeys', 'oauth']], [['otp', 'passkeys']]] as const)(
    'begins on the first screen with %s',
    async (products) => {
      const world = new TestWorld();
      world.server.settings.passkeySignUp = true;
      const { store, screen, sessions } = openLogin({ products, passkeyOptions: { signUp: true } }, { world });
      store.send(ASKED);
      await vi.waitFor(async () => {
        await world.settle();
        expect(screen().name).toBe('PasskeyConfirmation');
      });
      expect(sessions.state().user?.unproven_email).toBe(ADA);
    },
  );

  it('interrupts the passkeys that the field offers, which are offered again when it came to nothing', async () => {
    const world = new TestWorld();
    world.server.settings.passkeySignUp = true;
    const config: LoginConfig = { products: ['passkeys', 'emailMagicLinks'], passkeyOptions: { signUp: true } };
    const { store, ports, screen } = openLogin(config, { world });
    const { webauthn } = ports;
    webauthn.inputs.push('username webauthn');
    webauthn.hold();
    const kinds = () => webauthn.ceremonies.map(({ kind }) => kind);
    const untilKinds = (expected: readonly string[]) =>
      vi.waitFor(async () => {
        await world.settle();
        expect(kinds()).toEqual(expected);
      });
    store.send({ type: 'passkey/autofillReady' });
    await untilKinds(['conditional']);
    const release = webauthn.hold();
    webauthn.refusal = no('NotAllowedError');
    store.send(ASKED);
    await untilKinds(['conditional', 'create']);
    release();
    webauthn.hold();
    await untilKinds(['conditional', 'create', 'conditional']);
    expect([screen().name, store.getState().error, store.getState().pending]).toEqual(['Main', null, null]);
  });

  it('ends its ceremony when the person goes back', async () => {
    const { store, until, name, browser, sessions, told } = await open();
    const release = browser.hold();
    store.send(ASKED);
    await until(() => expect(browser.ceremonies).toHaveLength(1));
    store.send({ type: 'back' });
    release();
    await until(() => expect(name()).toBe('Main'));
    expect([sessions.state().session, told().includes('PASSKEY_REGISTER')]).toEqual([null, false]);
  });
});
