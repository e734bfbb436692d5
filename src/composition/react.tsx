/** `portico/react`: the client's streams as hooks, the widgets as components, and components that depend on the sign-in state. */
export type { InitialState } from './react/react-client.tsx';
export { PorticoProvider, useClient, useIsAuthorized, useSession, useUser } from './react/react-client.tsx';
export { Account, IdentityProvider, Login, PasskeyRegistration, PasswordReset } from './react/react-widgets.tsx';
export { RequireRole, SignedIn, SignedOut } from './react/react-signed-in.tsx';
export {
  SignOutButton,
  useSignOut,
  type SignOutButtonProps,
  type SignOutOptions,
  type SignOutState,
} from './react/react-sign-out.tsx';
export { UserButton, type UserButtonProps } from './react/user-button.tsx';
