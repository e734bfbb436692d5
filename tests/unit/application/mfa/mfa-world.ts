import type { MfaRules } from '#server-rules/mfa-policy.ts';
import '#application/widget/effects/sessions/second-factor.ts';
import '#application/session/login-binding.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { TestWorld } from '../world.ts';

export const ADA = 'ada@example.com';
export const CODES: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };

export const RULES: MfaRules = {
  policy: 'when_enrolled',
  factors: ['totp', 'webauthn', 'sms', 'recovery_code'],
  trusted_devices: { days: 30 },
  show_recovery_codes_again: false,
  recovery_hours: null,
};

/** A server in memory whose project requires a second factor. */
export function mfaWorld(rules: Partial<MfaRules> = {}): TestWorld {
  const world = new TestWorld();
  world.server.settings.mfa = { ...RULES, ...rules };
  return world;
}

/** As `mfaWorld`, with a user who has an authenticator app. */
export async function worldWithApp(rules: Partial<MfaRules> = {}) {
  const world = mfaWorld(rules);
  const { client } = world.open();
  await world.signIn(client);
  const { secret, recovery_codes } = await client.totps.create({ expiration_minutes: 5 });
  await client.totps.authenticate({ totp_code: world.server.totpCode(secret), session_duration_minutes: 60 });
  await client.session.revoke();
  client.destroy();
  // A code works once.
  await world.clock.advance(30_000);
  return { world, secret, recovery_codes };
}
