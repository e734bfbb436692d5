/** `portico/react`: the client's streams as hooks, and the login widget as a component. */
import { createContext, useContext, useEffect, useId, useRef, useSyncExternalStore, type ReactNode } from 'react';
import type { Session } from '../domain/session.ts';
import type { User } from '../domain/user.ts';
import type { PorticoClient } from './client.ts';
import type { WidgetHandle } from './mount.tsx';
import type { PorticoUIClient } from './ui-client.ts';
import type { MountLoginOptions } from './widgets.ts';

const ClientContext = createContext<PorticoClient | null>(null);

/** Gives the components below it a client. `null` while there is none, as on a server. */
export function PorticoProvider(props: { readonly client: PorticoClient | null; readonly children?: ReactNode }) {
  return <ClientContext.Provider value={props.client}>{props.children}</ClientContext.Provider>;
}

/** The client of the nearest provider, or null. */
export function useClient(): PorticoClient | null {
  return useContext(ClientContext);
}

const NEVER = (): (() => void) => () => undefined;

/** What one of the client's parts holds now; the server's rendering, and the first one in the browser, see nothing. */
function useKnown<T>(part: { onChange(callback: () => void): () => void } | undefined, read: () => T, none: T): T {
  const subscribe = part === undefined ? NEVER : (changed: () => void) => part.onChange(changed);
  return useSyncExternalStore(subscribe, read, () => none);
}

/** Who is signed in, as far as this browser knows; `isInitialized` is false until it has looked. */
export function useUser(): {
  readonly user: User | null;
  readonly isInitialized: boolean;
  readonly fromCache: boolean;
} {
  const user = useClient()?.user;
  return {
    user: useKnown(user, () => user?.getSync() ?? null, null),
    isInitialized: useKnown(user, () => user !== undefined, false),
    fromCache: useKnown(user, () => user?.getInfo().fromCache ?? false, false),
  };
}

/** The session, as far as this browser knows; `isInitialized` is false until it has looked. */
export function useSession(): {
  readonly session: Session | null;
  readonly isInitialized: boolean;
  readonly fromCache: boolean;
} {
  const session = useClient()?.session;
  return {
    session: useKnown(session, () => session?.getSync() ?? null, null),
    isInitialized: useKnown(session, () => session !== undefined, false),
    fromCache: useKnown(session, () => session?.getInfo().fromCache ?? false, false),
  };
}

/** The login widget, in an element of its own. `client` comes from `portico` or `portico/standalone`. */
export function Login(props: Omit<MountLoginOptions, 'elementId'> & { readonly client: PorticoUIClient }) {
  const id = `portico-${useId().replaceAll(/\W/gu, '')}`;
  const mounted = useRef<WidgetHandle | null>(null);
  const { client, ...options } = props;
  useEffect(() => {
    mounted.current = client.mountLogin({ ...options, elementId: `#${id}` });
  });
  useEffect(() => () => mounted.current?.unmount(), [client, id]);
  return <div id={id} />;
}
