/**
 * `portico/compat`: the names that apps of the reference client import, of its vanilla and its React package, 5.x and 6.x.
 * Both have a `StytchPasskeyRegistration`: this entry exports React's; `portico/compat/vanilla` exports the web component.
 */
export * from './common.ts';
export * from './widgets.ts';
export { StytchPasskeyRegistration as StytchPasskeyRegistrationElement } from './elements.ts';
export {
  IdentityProvider,
  StytchLogin,
  StytchPasskeyRegistration,
  StytchPasswordReset,
  StytchProvider,
  useStytch,
  useStytchIsAuthorized,
  useStytchSession,
  useStytchUser,
  withStytch,
  withStytchPermissions,
  withStytchSession,
  withStytchUser,
  type IdentityProviderProps,
  type StytchProps,
  type StytchProviderProps,
  type StytchResetPasswordProps,
} from './react.tsx';
