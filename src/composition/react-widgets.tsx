import { useCallback, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { leaveFocus } from '../presentation/hooks/focus.ts';
import type { WidgetHandle } from './mount.tsx';
import { useClient } from './react-client.tsx';
import type {
  PorticoUIClient,
  MountAccountOptions,
  MountIdentityProviderOptions,
  MountLoginOptions,
  MountPasskeyRegistrationOptions,
  MountResetPasswordOptions,
} from './ui-client.ts';

/** The options of a widget. The client is the provider's unless given, and must be a client with widgets. */
type Props<Options> = Omit<Options, 'elementId'> & { readonly client?: PorticoUIClient | null | undefined };

type Mount =
  | 'mountAccount'
  | 'mountLogin'
  | 'mountResetPassword'
  | 'mountPasskeyRegistration'
  | 'mountIdentityProvider';

/** Before the paint, so that the first frame shows the widget. A server runs neither, and React 18 warns of a layout effect there. */
const useBrowserEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect;

/** Mounts a widget in its own element, and renders it again when the options change. */
export function useMounted({ client: own, ...options }: Props<object>, mount: Mount) {
  const id = `portico-${useId().replaceAll(/\W/gu, '')}`;
  const mounted = useRef<WidgetHandle | null>(null);
  const provided = useClient() as PorticoUIClient | null;
  const client = own ?? provided;
  useBrowserEffect(() => {
    if (client === null) return;
    if (typeof client[mount] !== 'function') throw new TypeError('A widget needs a PorticoUIClient.');
    mounted.current = client[mount]({ ...options, elementId: `#${id}` });
  });
  useBrowserEffect(
    () => () => {
      mounted.current?.unmount();
      mounted.current = null;
    },
    [client, id],
  );
  const place = useRef<HTMLElement>(null);
  // React removes the element before the cleanup of the effect above, and calls this before the removal.
  const attach = useCallback((element: HTMLElement | null): void => {
    if (element === null && place.current) leaveFocus(place.current);
    place.current = element;
  }, []);
  return <div id={id} ref={attach} />;
}

/** The login. */
export function Login(props: Props<MountLoginOptions>) {
  return useMounted(props, 'mountLogin');
}

/** The page that a reset mail leads to. */
export function PasswordReset(props: Props<MountResetPasswordOptions>) {
  return useMounted(props, 'mountResetPassword');
}

/** The passkeys of the signed-in user. */
export function PasskeyRegistration(props: Props<MountPasskeyRegistrationOptions>) {
  return useMounted(props, 'mountPasskeyRegistration');
}

/** The account page of the signed-in user. */
export function Account(props: Props<MountAccountOptions>) {
  return useMounted(props, 'mountAccount');
}

/** The consent or logout page for another app. */
export function IdentityProvider(props: Props<MountIdentityProviderOptions>) {
  return useMounted(props, 'mountIdentityProvider');
}
