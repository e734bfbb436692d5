/** The provider, hooks, wrappers and components of the reference's React package, 5.x and 6.x. */
import { useEffect, useState, type ComponentType, type ReactElement, type ReactNode } from 'react';
import type { PermissionsMap } from '#application/use-cases/sessions/access-control.ts';
import type { PorticoClient } from '../client.ts';
import { PorticoProvider, useIsAuthorized, useProvided, useSession, useUser } from '../react/react-client.tsx';
import { useMounted } from '../react/react-widgets.tsx';
import type { StytchProjectConfiguration, StytchProjectConfigurationInput } from './client-options.ts';
import type { AnyClient, StytchHeadlessClient } from './headless-client.ts';
import type { Session, User } from './replies.ts';
import type { AuthTokenParams, IDPConsentManifestGenerator, AppearanceOptions, StytchLoginConfig } from './options.ts';

const PROVIDER = 'StytchProvider';

export interface StytchProviderProps {
  readonly stytch: AnyClient;
  /** Accepted, without effect: known values are shown from the first rendering on, except on a server. */
  readonly assumeHydrated?: boolean;
  readonly children?: ReactNode;
}

/** Gives the components below it a client. */
export function StytchProvider({ stytch, children }: StytchProviderProps): ReactElement {
  if (useProvided()?.client) throw new Error('A <StytchProvider> cannot stand inside another <StytchProvider>.');
  return <PorticoProvider client={(stytch ?? null) as unknown as PorticoClient}>{children}</PorticoProvider>;
}

function useGiven(name: string): StytchHeadlessClient {
  const client = useProvided()?.client ?? null;
  if (client === null) throw new Error(`${name} can only be used inside <StytchProvider>.`);
  return client as unknown as StytchHeadlessClient;
}

/** The client of the provider. */
export function useStytch<
  Configuration extends StytchProjectConfigurationInput = StytchProjectConfiguration,
>(): StytchHeadlessClient<Configuration> {
  return useGiven('useStytch');
}

interface ReadState {
  readonly isInitialized: true;
  readonly fromCache: boolean;
}
interface UninitializedState {
  readonly isInitialized: false;
  readonly fromCache: false;
}
/** With `false`, the type includes the first rendering (on a server, or of hydration), which has no values. */
type HookResult<Hydrated extends boolean, Value, None> = Hydrated extends true
  ? ReadState & Value
  : (ReadState & Value) | (UninitializedState & None);

/** The user, and whether the sign-in state is already known. */
export function useStytchUser<AssumeHydrated extends boolean = true>() {
  useGiven('useStytchUser');
  return useUser() as unknown as HookResult<AssumeHydrated, { readonly user: User | null }, { readonly user: null }>;
}

/** The session, and whether the sign-in state is already known. */
export function useStytchSession<AssumeHydrated extends boolean = true>() {
  useGiven('useStytchSession');
  return useSession() as unknown as HookResult<
    AssumeHydrated,
    { readonly session: Session | null },
    { readonly session: null }
  >;
}

/** Whether to show an action, by the roles of the signed-in user. The server decides what is allowed. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- apps of the reference name it
export function useStytchIsAuthorized<_AssumeHydrated extends boolean = true>(
  resourceId: string,
  action: string,
): { readonly isAuthorized: boolean; readonly isInitialized: boolean; readonly fromCache: boolean } {
  useGiven('useStytchIsAuthorized');
  return useIsAuthorized(resourceId, action);
}

/** Gives a component a display name that includes the wrapped component's. */
function wrapped<Props extends object>(
  name: string,
  inner: { readonly displayName?: string | undefined; readonly name?: string },
  component: (props: Props) => ReactElement | null,
): ComponentType<Props> {
  return Object.assign(component, { displayName: `${name}(${inner.displayName ?? inner.name ?? 'Component'})` });
}

/** Gives a component the client. */
export function withStytch<
  Props extends object,
  Configuration extends StytchProjectConfigurationInput = StytchProjectConfiguration,
>(Component: ComponentType<Props & { stytch: StytchHeadlessClient<Configuration> }>): ComponentType<Props> {
  return wrapped<Props>('withStytch', Component, (props) => <Component {...props} stytch={useGiven('withStytch')} />);
}

/** Gives a component the user. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- apps of the reference name it
export function withStytchUser<Props extends object, _AssumeHydrated extends boolean = true>(
  Component: ComponentType<
    Props & { stytchUser: User | null; stytchUserIsInitialized: boolean; stytchUserIsFromCache: boolean }
  >,
): ComponentType<Props> {
  return wrapped<Props>('withStytchUser', Component, (props) => {
    const { user, isInitialized, fromCache } = useStytchUser();
    return (
      <Component
        {...props}
        stytchUser={user}
        stytchUserIsInitialized={isInitialized}
        stytchUserIsFromCache={fromCache}
      />
    );
  });
}

/** Gives a component the session. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- apps of the reference name it
export function withStytchSession<Props extends object, _AssumeHydrated extends boolean = true>(
  Component: ComponentType<
    Props & { stytchSession: Session | null; stytchSessionIsInitialized: boolean; stytchSessionIsFromCache: boolean }
  >,
): ComponentType<Props> {
  return wrapped<Props>('withStytchSession', Component, (props) => {
    const { session, isInitialized, fromCache } = useStytchSession();
    return (
      <Component
        {...props}
        stytchSession={session}
        stytchSessionIsInitialized={isInitialized}
        stytchSessionIsFromCache={fromCache}
      />
    );
  });
}

/** Renders nothing until the permissions are known. They are read again when the user changes. */
export function withStytchPermissions<Permissions extends Record<string, string>, Props extends object>(
  Component: ComponentType<Props & { stytchPermissions: PermissionsMap<Permissions> }>,
): ComponentType<Props> {
  return wrapped<Props>('withStytchPermissions', Component, (props) => {
    const client = useGiven('withStytchPermissions');
    const { user } = useStytchUser();
    const [permissions, setPermissions] = useState<PermissionsMap<Permissions> | null>(null);
    useEffect(() => {
      let isGone = false;
      const load = async (): Promise<void> => {
        const allPermissions = await client.rbac.allPermissions<Permissions>();
        if (!isGone) setPermissions(allPermissions);
      };
      void load();
      return () => {
        isGone = true;
      };
    }, [client, user]);
    return permissions === null ? null : <Component {...props} stytchPermissions={permissions} />;
  });
}

export interface StytchProps extends AppearanceOptions {
  readonly config: StytchLoginConfig;
}
export interface StytchResetPasswordProps extends StytchProps {
  readonly passwordResetToken: string;
}
export interface IdentityProviderProps extends AppearanceOptions {
  readonly getIDPConsentManifest?: IDPConsentManifestGenerator;
  readonly authTokenParams?: AuthTokenParams;
}

/** The login. */
export function StytchLogin(props: StytchProps): ReactElement {
  return useMounted(props, 'mountLogin', PROVIDER);
}

/** The page that a reset mail opens. */
export function StytchPasswordReset(props: StytchProps & { readonly passwordResetToken?: string }): ReactElement {
  return useMounted({ passwordResetToken: '', ...props }, 'mountResetPassword', PROVIDER);
}

/** The passkeys of the signed-in user. */
export function StytchPasskeyRegistration(props: StytchProps): ReactElement {
  return useMounted(props, 'mountPasskeyRegistration', PROVIDER);
}

/** The consent or logout page for another app. */
export function IdentityProvider(props: IdentityProviderProps): ReactElement {
  return useMounted(props, 'mountIdentityProvider', PROVIDER);
}
