import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import type { Session } from '../domain/session.ts';
import type { User } from '../domain/user.ts';
import type { PorticoClient } from './client.ts';

const ClientContext = createContext<PorticoClient | null>(null);

/** Gives the components below it a client. `null` while there is no client, as on a server. */
export function PorticoProvider(props: { readonly client: PorticoClient | null; readonly children?: ReactNode }) {
  return <ClientContext.Provider value={props.client}>{props.children}</ClientContext.Provider>;
}

/** The client of the nearest provider, or null. */
export function useClient(): PorticoClient | null {
  return useContext(ClientContext);
}

const NEVER = (): (() => void) => () => undefined;

interface Part {
  onChange(callback: () => void): () => void;
}

/** The current value of one of the client's parts; `none` in the server's rendering and in the first one in the browser. */
function useKnown<T>(part: Part | undefined, read: () => T, none: T): T {
  const subscribe = useCallback(
    (changed: () => void) => (part === undefined ? NEVER() : part.onChange(changed)),
    [part],
  );
  return useSyncExternalStore(subscribe, read, () => none);
}

/** Returned by every hook beside its value: whether the value has been read, and whether the server has yet to confirm it. */
interface Known {
  readonly isInitialized: boolean;
  readonly fromCache: boolean;
}

/** The signed-in user, as far as this browser knows; `isInitialized` is false until it has been read. */
export function useUser(): Known & { readonly user: User | null } {
  const user = useClient()?.user;
  return {
    user: useKnown(user, () => user?.getSync() ?? null, null),
    isInitialized: useKnown(user, () => user !== undefined, false),
    fromCache: useKnown(user, () => user?.getInfo().fromCache ?? false, false),
  };
}

/** The session, as far as this browser knows; `isInitialized` is false until it has been read. */
export function useSession(): Known & { readonly session: Session | null } {
  const session = useClient()?.session;
  return {
    session: useKnown(session, () => session?.getSync() ?? null, null),
    isInitialized: useKnown(session, () => session !== undefined, false),
    fromCache: useKnown(session, () => session?.getInfo().fromCache ?? false, false),
  };
}

/**
 * Whether the roles of the signed-in user allow the action on the resource (specification, section 6). Use it to decide what
 * to show; the server decides what is allowed. False until the policy is known.
 */
export function useIsAuthorized(resource: string, action: string): Known & { readonly isAuthorized: boolean } {
  const client = useClient();
  const user = client?.user;
  const [loaded, setLoaded] = useState<PorticoClient | null>(null);
  useEffect(() => {
    if (client === null) return undefined;
    let gone = false;
    const load = async (): Promise<void> => {
      await client.rbac.isAuthorized(resource, action);
      if (!gone) setLoaded(client);
    };
    void load();
    return () => {
      gone = true;
    };
  }, [client, resource, action]);
  const ready = client !== null && loaded === client;
  return {
    isAuthorized: useKnown(user, () => ready && client.rbac.isAuthorizedSync(resource, action), false),
    isInitialized: ready,
    fromCache: useKnown(user, () => user?.getInfo().fromCache ?? false, false),
  };
}
