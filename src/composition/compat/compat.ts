/**
 * `portico/compat`: the names that apps of the reference client import, of its vanilla and its React package, 5.x and 6.x.
 * Both have a `StytchPasskeyRegistration`: here it is React's; the web component is that of `portico/compat/vanilla`.
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
