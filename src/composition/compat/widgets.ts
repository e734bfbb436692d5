/** The exports that the entries with widgets share. */
export { createStytchHeadlessClient, StytchHeadlessClient } from './headless-client.ts';
export {
  createStytchUIClient,
  createStytchUIClient as createStytchClient,
  mountIdentityProvider,
  mountLogin,
  mountPasskeyRegistration,
  mountResetPassword,
  StytchUIClient,
  StytchUIClient as StytchClient,
} from './ui-client.ts';
export {
  StytchIdentityProvider,
  StytchResetPassword,
  StytchUI,
  type IDPSDKConfig,
  type ResetPasswordSDKConfig,
  type SDKConfig,
  type StytchDOMEvent,
  type StytchErrorEvent,
} from './elements.ts';
export {
  defaultDarkTheme,
  defaultTheme,
  iconsBlack,
  iconsWhite,
  shadcnTheme,
  styleToTheme,
  type IconRegistry,
  type PresentationConfig,
  type PresentationOptions,
  type Theme,
} from './theme.ts';
