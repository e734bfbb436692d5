import type { Fixture } from './fixture.ts';
import { ACCOUNT_FIXTURES } from './fixtures/account.ts';
import { CONSENT_FIXTURES } from './fixtures/consent.ts';
import { FACTOR_FIXTURES } from './fixtures/factors.ts';
import { EMAIL_FIXTURES } from './fixtures/email.ts';
import { LOOK_FIXTURES } from './fixtures/look.ts';
import { SOCIAL_FIXTURES } from './fixtures/social.ts';
import { WALLET_FIXTURES } from './fixtures/wallets.ts';
import { PHONE_FIXTURES } from './fixtures/phone.ts';
import { PASSKEY_FIXTURES } from './fixtures/passkeys.ts';
import { PASSWORD_FIXTURES } from './fixtures/passwords.ts';

export { apiError, BROKEN, EMAIL_OTP, MAGIC_LINK, NOW, otpSent, type Fixture } from './fixture.ts';

/** Every screen in every state that looks different. The gallery and the tests walk this list. */
export const FIXTURES: readonly Fixture[] = [
  ...EMAIL_FIXTURES,
  ...PASSWORD_FIXTURES,
  ...PHONE_FIXTURES,
  ...WALLET_FIXTURES,
  ...SOCIAL_FIXTURES,
  ...PASSKEY_FIXTURES,
  ...FACTOR_FIXTURES,
  ...CONSENT_FIXTURES,
  ...ACCOUNT_FIXTURES,
  ...LOOK_FIXTURES,
];

export function byScreen(fixtures: readonly Fixture[]): ReadonlyMap<string, readonly Fixture[]> {
  const screens = new Map<string, Fixture[]>();
  for (const fixture of fixtures) {
    const { name } = fixture.state.screen;
    screens.set(name, [...(screens.get(name) ?? []), fixture]);
  }
  return screens;
}
