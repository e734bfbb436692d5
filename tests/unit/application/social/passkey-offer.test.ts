import { describe, expect, it, vi } from 'vitest';
import { webauthn } from '#application/api/index.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import '#application/widget/effects/passkeys/passkey-offer.ts';
import { openLogin } from '../open-widget.ts';
import { TestWorld } from '../world.ts';
import { no } from './passkey-world.ts';

const OFFERS: LoginConfig = {
  products: ['otp', 'passkeys'],
  otpOptions: { methods: ['email'] },
  passkeyOptions: { offerAfterLogin: true },
};
const EMAIL = 'ada@example.com';
const CREATE = { type: 'passkey/createRequested' } as const;

async function open({ config = OFFERS, world = new TestWorld(), platform = true } = {}) {
  const opened = openLogin(config, { world });
  opened.ports.webauthn.platform = platform;
  const name = () => opened.screen().name;
  /** The import of the offer's code takes a few turns. */
  const reaches = (wanted: string) =>
    vi.waitFor(async () => {
      await world.settle();
      expect(name()).toBe(wanted);
    });
  const logIn = async (wanted = 'PasskeyOffer') => {
    opened.store.send({ type: 'otp/requested', method: 'email', destination: EMAIL });
    await world.settle();
    opened.store.send({ type: 'otp/codeEntered', code: world.server.codeFor(EMAIL) ?? '' });
    await reaches(wanted);
    // An offer comes a few turns after the confirmation.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await reaches(wanted);
  };
  const told = () => opened.heard.map(({ type }) => type);
  return { ...opened, name, reaches, logIn, told };
}

describe('a passkey after a login', () => {
  it('is offered when the login is complete and told, and is created by one press', async () => {
    const { logIn, told, store, reaches, world, ports, sessions } = await open();
    await logIn();
    expect(told()).toEqual(['OTP_LOGIN_OR_CREATE', 'OTP_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']);
    for (let press = 0; press < 5; press += 1) store.send(CREATE);
    await reaches('PasskeyCreated');
    expect(world.transport.requestsTo(webauthn.registerStart)).toHaveLength(1);
    expect(told().slice(3)).toEqual(['PASSKEY_REGISTER']);
    expect([ports.webauthn.authenticator.count, sessions.state().user?.webauthn_registrations.length]).toEqual([1, 1]);
  });

  it('is declined for this person in this browser, once however often it is pressed', async () => {
    const world = new TestWorld();
    const first = await open({ world });
    await first.logIn();
    for (let press = 0; press < 3; press += 1) first.store.send({ type: 'passkey/skipped' });
    expect([first.name(), first.told().slice(3)]).toEqual(['AuthenticateFlowComplete', ['PASSKEY_SKIP']]);
    await first.services.lifecycle.revoke(true);
    await first.reaches('Main');
    await first.logIn('OTPConfirmation');
  });

  it('shows why it was not created, and can be tried again or declined', async () => {
    const { logIn, store, ports, reaches, name, world } = await open();
    await logIn();
    ports.webauthn.refusal = no('NotAllowedError');
    store.send(CREATE);
    await vi.waitFor(async () => {
      await world.settle();
      expect(store.getState().error).toMatchObject({ error_type: 'passkey_not_created' });
    });
    expect([name(), store.getState().pending]).toEqual(['PasskeyOffer', null]);
    ports.webauthn.refusal = null;
    store.send(CREATE);
    await reaches('PasskeyCreated');
  });

  it.each([
    ['the host does not ask for it', { config: { ...OFFERS, passkeyOptions: {} } }],
    ['passkeys are no product', { config: { ...OFFERS, products: ['otp' as const] } }],
    ['this device can keep none', { platform: false }],
  ])('is not offered when %s', async (_, settings) => {
    const { logIn, ports } = await open(settings);
    await logIn('OTPConfirmation');
    expect(ports.webauthn.ceremonies.map(({ kind }) => kind)).not.toContain('create');
  });

  it('is not offered to a user who has one, and no more when another tab has created one', async () => {
    const world = new TestWorld();
    const first = await open({ world });
    await first.logIn();
    const { client } = world.open();
    await client.session.authenticate();
    await client.webauthn.register({ is_passkey: true });
    await first.reaches('AuthenticateFlowComplete');
    expect(first.told()).not.toContain('PASSKEY_SKIP');
    await first.services.lifecycle.revoke(true);
    await first.reaches('Main');
    await first.logIn('OTPConfirmation');
  });

  it('ends when another person signs in in another tab, and declines nothing', async () => {
    const world = new TestWorld();
    const first = await open({ world });
    await first.logIn();
    const ada = first.sessions.state().user?.user_id;
    const { client } = world.open();
    const { method_id } = await client.otps.email.loginOrCreate('eve@example.com');
    await client.otps.authenticate(world.server.codeFor('eve@example.com') ?? '', method_id, {
      session_duration_minutes: 60,
    });
    await vi.waitFor(async () => {
      await world.settle();
      expect(first.sessions.state().user?.user_id).not.toBe(ada);
    });
    await first.reaches('AuthenticateFlowComplete');
    expect(first.told()).not.toContain('PASSKEY_SKIP');
    first.store.send(CREATE);
    await world.settle();
    expect(world.transport.requestsTo(webauthn.registerStart)).toEqual([]);
  });

  it('ends with the session', async () => {
    const { logIn, services, reaches } = await open();
    await logIn();
    await services.lifecycle.revoke(true);
    await reaches('Main');
  });
});
