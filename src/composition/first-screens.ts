import { INITIAL_SCREEN } from '#domain/screens/screen.ts';
import type { Screen } from '#domain/screens/screen.ts';
import type { PartName } from '#presentation/parts/parts.ts';

interface FirstScreen {
  readonly screen: Screen;
  /** The part with this screen; null for the first screen of the login, which is loaded with the page. */
  readonly part: Exclude<PartName, 'login'> | null;
}

/** What a server renders for each widget, by its name in the markup. `reset-link` is the reset page of a link that logs in. */
export const FIRST_SCREENS = {
  login: { screen: INITIAL_SCREEN, part: null },
  reset: { screen: { name: 'PasswordResetForm', tokenType: 'reset' }, part: 'passwords' },
  'reset-link': { screen: { name: 'PasswordResetForm', tokenType: 'login' }, part: 'passwords' },
  passkeys: { screen: { name: 'PasskeyRegistrationStart', creation: null }, part: 'passkeys' },
  consent: { screen: { name: 'IDPConsent' }, part: 'consent' },
  account: { screen: { name: 'Account' }, part: 'account' },
} as const satisfies Readonly<Record<string, FirstScreen>>;

export type FirstScreenName = keyof typeof FIRST_SCREENS;
