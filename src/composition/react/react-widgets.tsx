import { useCallback, useId, useRef, useState, useSyncExternalStore } from 'react';
import { useBeforePaint } from '#presentation/hooks/before-paint.ts';
import { leaveFocus } from '#presentation/hooks/left-focus.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { MountOptions, WidgetHandle } from '../mount.tsx';
import { renderOnServer } from '../prerender/on-page.ts';
import type { PasswordResetPrerenderSettings, PrerenderedWidget, PrerenderSettings } from '../prerender/options.ts';
import { noProvider, useProvided } from './react-client.tsx';
import { usePropWarnings, type PropTable } from './react-props.ts';
import type {
  PorticoUIClient,
  MountAccountOptions,
  MountIdentityProviderOptions,
  MountLoginOptions,
  MountPasskeyRegistrationOptions,
  MountResetPasswordOptions,
} from '../ui-client.ts';

/** The options of a widget. The client must be a client with widgets; the default is the provider's. */
type Props<Options> = Omit<Options, 'elementId'> & { readonly client?: PorticoUIClient | null | undefined };

type Mount =
  | 'mountAccount'
  | 'mountLogin'
  | 'mountResetPassword'
  | 'mountPasskeyRegistration'
  | 'mountIdentityProvider';

/**
 * Mounts a widget in its own element, and renders it again when the options change. Throws outside of a provider, unless the options
 * contain a client.
 *
 * @param contents the props that set the element's contents. Default: it is empty
 */
export function useMounted(
  { client: own, ...options }: Props<object>,
  mount: Mount,
  provider?: string,
  contents?: object,
) {
  const mounted = useRef<WidgetHandle | null>(null);
  const place = useRef<HTMLElement>(null);
  const provided = useProvided();
  if (own === undefined && provided === null) throw noProvider(provider);
  const client = own ?? ((provided?.client ?? null) as PorticoUIClient | null);
  if (client !== null && typeof client[mount] !== 'function') {
    throw new TypeError('A widget needs a PorticoUIClient of portico; this client has no widgets.');
  }
  // The first frame shows the widget.
  useBeforePaint(() => {
    if (client === null) return;
    if (place.current) mounted.current = client[mount]({ ...options, elementId: place.current });
  });
  useBeforePaint(
    () => () => {
      mounted.current?.unmount();
      mounted.current = null;
    },
    [client],
  );
  // React removes the element before the cleanup of the effect above, but calls this before the removal.
  const attach = useCallback((element: HTMLElement | null): void => {
    if (element === null && place.current) leaveFocus(place.current);
    place.current = element;
  }, []);
  return <div ref={attach} {...contents} />;
}

const never = () => () => undefined;

/** True on a server, and in the rendering in which React takes over a server's HTML. */
const useServerHtml = (): boolean =>
  useSyncExternalStore(
    never,
    () => false,
    () => true,
  );

/** What a server renders into the first HTML, which the widget takes over. */
interface PrerenderProps<Settings = PrerenderSettings> {
  /**
   * A server renders the first screen into the first HTML, and the widget takes it over. `true` needs the style sheet of the widget, such
   * as `login.css`, and `early.js` at `/portico/`. The other options must be the same on the server and in the browser.
   */
  readonly prerender?: boolean | Settings | undefined;
}

/** In the browser React leaves the contents as a server rendered them. */
const AS_RENDERED = { suppressHydrationWarning: true, dangerouslySetInnerHTML: { __html: '' } };

const PRERENDER: PropTable<PrerenderProps> = { prerender: ['boolean', 'object'] };

/**
 * Like `useMounted`, with the contents that a server renders.
 *
 * @param component its name, for warnings
 */
function usePrerendered(
  component: string,
  widget: PrerenderedWidget,
  mount: Mount,
  {
    prerender,
    ...props
  }: Props<MountOptions & { readonly config?: LoginConfig | undefined }> &
    PrerenderProps<PasswordResetPrerenderSettings>,
) {
  usePropWarnings<PrerenderProps>(component, { prerender }, PRERENDER);
  const isServerHtml = useServerHtml();
  const id = useId();
  // Always the contents of the first rendering, because React empties an element that loses them.
  const [contents] = useState(() => {
    if (!prerender || !isServerHtml) return undefined;
    if (renderOnServer === null) return AS_RENDERED;
    return { children: renderOnServer(widget, props, prerender === true ? {} : prerender, id) };
  });
  return useMounted(props, mount, undefined, contents);
}

/** The login. */
export function Login(props: Props<MountLoginOptions> & PrerenderProps) {
  return usePrerendered('Login', 'login', 'mountLogin', props);
}

/** The page that a reset mail leads to. */
export function PasswordReset(
  props: Props<MountResetPasswordOptions> & PrerenderProps<PasswordResetPrerenderSettings>,
) {
  return usePrerendered('PasswordReset', 'reset', 'mountResetPassword', props);
}

/** The passkeys of the signed-in user. */
export function PasskeyRegistration(props: Props<MountPasskeyRegistrationOptions> & PrerenderProps) {
  return usePrerendered('PasskeyRegistration', 'passkeys', 'mountPasskeyRegistration', props);
}

/** The account page of the signed-in user. */
export function Account(props: Props<MountAccountOptions> & PrerenderProps) {
  return usePrerendered('Account', 'account', 'mountAccount', props);
}

/** The consent or logout page for another app. */
export function IdentityProvider(props: Props<MountIdentityProviderOptions> & PrerenderProps) {
  return usePrerendered('IdentityProvider', 'consent', 'mountIdentityProvider', props);
}
