/** `portico/react`: the client's streams as hooks, and the widgets as components. */
export { PorticoProvider, useClient, useIsAuthorized, useSession, useUser } from './react-client.tsx';
export { IdentityProvider, Login, PasskeyRegistration, PasswordReset } from './react-widgets.tsx';
