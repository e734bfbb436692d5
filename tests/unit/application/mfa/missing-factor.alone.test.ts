import { expect, it, vi } from 'vitest';
import '#application/session/login-binding.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { openLogin } from '../open-widget.ts';
import { TestWorld } from '../world.ts';

vi.mock('#application/widget/effects/sessions/second-factor.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

const ADA = 'ada@example.com';
const CODES: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };

/** A server in memory whose project requires a second factor, and a user who has an authenticator app. */
async function worldWithApp(): Promise<TestWorld> {
  const world = new TestWorld();
  world.server.settings.mfa = {
    policy: 'when_enrolled',
    factors: ['totp'],
    trusted_devices: null,
    show_recovery_codes_again: false,
    recovery_hours: null,
  };
  const { client } = world.open();
  await world.signIn(client);
  const { secret } = await client.totps.create({ expiration_minutes: 5 });
  await client.totps.authenticate({ totp_code: world.server.totpCode(secret), session_duration_minutes: 60 });
  await client.session.revoke();
  client.destroy();
  return world;
}

/** Proves the first factor: a code by email. */
async function first(world: TestWorld) {
  const opened = openLogin(CODES, { world });
  await world.settle();
  opened.store.send({ type: 'otp/requested', method: 'email', destination: ADA });
  await world.settle();
  opened.store.send({ type: 'otp/codeEntered', code: world.server.codeFor(ADA) ?? '' });
  await vi.waitFor(async () => {
    await world.settle();
    expect(opened.store.getState().pending).toBeNull();
  });
  return opened;
}

it('if the code of the second factor does not load, the form of the first one says so', async () => {
  const { store, screen, heard } = await first(await worldWithApp());
  expect(screen().name).toBe('OTPAuthenticate');
  expect(store.getState()).toMatchObject({ error: { problem: 'file' }, failed: 'otp/codeEntered' });
  expect(heard.map(({ type }) => type)).not.toContain('AUTHENTICATE_FLOW_COMPLETE');
});

it('if it does not load after a reload of the page, its own screen shows, and the step is kept', async () => {
  const world = await worldWithApp();
  const { widget, ports } = await first(world);
  widget.destroy();
  const { screen, sessions } = openLogin(CODES, { world, tab: ports });
  await vi.waitFor(async () => {
    await world.settle();
    expect(screen()).toEqual({ name: 'SecondFactor', flow: { at: 'arriving', isStepUp: false }, isConsent: false });
  });
  expect(sessions.intermediateToken()).not.toBeNull();
});

it('if it does not load after a login by the host, its own screen shows', async () => {
  const world = await worldWithApp();
  const { api, screen } = openLogin(CODES, { world });
  await world.settle();
  const { method_id } = await api.otps.email.loginOrCreate(ADA);
  await api.otps.authenticate(world.server.codeFor(ADA) ?? '', method_id, { session_duration_minutes: 60 });
  await vi.waitFor(async () => {
    await world.settle();
    expect(screen()).toEqual({ name: 'SecondFactor', flow: { at: 'arriving', isStepUp: false }, isConsent: false });
  });
});
