import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { endsSession, type Session } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';
import type { PorticoClient } from '../client.ts';

/** The signed-in user and session at the time when the app's server rendered the page. The user is optional. */
export interface InitialState {
  readonly session: Session;
  readonly user: User | null;
}

interface ProvidedClient {
  readonly client: PorticoClient | null;
  /** null without a session; undefined when the server did not check. */
  readonly initial: InitialState | null | undefined;
  /** Drops `initial`, because the session known to the server has ended. */
  readonly forget: () => void;
}

/** Null outside of all providers. */
const GivenContext = createContext<ProvidedClient | null>(null);

interface ProviderProps {
  /** `null` while there is no client, for example on a server. */
  readonly client: PorticoClient | null;
  /**
   * The sign-in state at the time when a server rendered the page: the result of `auth()` of `portico/server/next`, or null for
   * nobody. The hooks return it from the first HTML on, until the client has its own state.
   */
  readonly initial?: InitialState | null | undefined;
  readonly children?: ReactNode;
}

/** Gives the components below it a client. Throws for anything else, such as undefined, because nothing would ever be rendered. */
export function PorticoProvider({ client, initial: first, children }: ProviderProps) {
  if (client !== null && typeof (client as Partial<PorticoClient> | undefined)?.session !== 'object') {
    throw new Error('<PorticoProvider> needs a client: give it a PorticoUIClient, or null on a server.');
  }
  const [initial, forget] = useUntilKnown(client, first);
  const context = useMemo(() => ({ client, initial, forget }), [client, initial, forget]);
  return <GivenContext.Provider value={context}>{children}</GivenContext.Provider>;
}

/** The value of the nearest provider, or null outside every provider. */
export const useProvided = (): ProvidedClient | null => useContext(GivenContext);

/** @param provider the name of the missing component, in this package or in `portico/compat` */
export function noProvider(provider = 'PorticoProvider client={client}'): Error {
  return new Error(`This hook or component needs a client: put it inside <${provider}>.`);
}

function useGiven(): ProvidedClient {
  const context = useProvided();
  if (context === null) throw noProvider();
  return context;
}

const NEVER = (): (() => void) => () => undefined;
const NOTHING = (): null => null;

/**
 * The client of the nearest provider. Null while there is none, for example on a server, and while React takes over a server's HTML, so
 * that the first rendering in the browser equals the server's. Like every hook, throws outside of a provider.
 */
export function useClient(): PorticoClient | null {
  const { client } = useGiven();
  return useSyncExternalStore(NEVER, () => client, NOTHING);
}

/** Drops the state that the server rendered, after a sign-out. */
export const useForget = (): (() => void) => useGiven().forget;

/**
 * The server's state, until the client has its own. If the browser's storage has no session, the client calls the API once, because the
 * cookies may still be there.
 */
function useUntilKnown(
  client: PorticoClient | null,
  first: ProvidedClient['initial'],
): readonly [ProvidedClient['initial'], ProvidedClient['forget']] {
  const [initial, setInitial] = useState(first);
  const forget = useCallback(() => setInitial(undefined), []);
  useEffect(() => {
    if (client === null || !initial) return undefined;
    let isGone = false;
    const settle = async (): Promise<void> => {
      try {
        if (client.session.getSync() === null) await client.session.authenticate();
      } catch (error) {
        // An unreachable API does not mean that the session is over.
        if (!endsSession(error)) return;
      }
      if (!isGone) forget();
    };
    void settle();
    return () => {
      isGone = true;
    };
  }, [client, initial, forget]);
  return [initial, forget];
}

interface Part<T> {
  getSync(): T | null;
  getInfo(): { readonly fromCache: boolean };
  onChange(callback: () => void): () => void;
}

/** The current value of one of the client's parts; `first` during the server's rendering and the first one in the browser. */
function useSnapshot<T>(part: Pick<Part<unknown>, 'onChange'> | undefined, read: () => T, first: T): T {
  const subscribe = useCallback(
    (changed: () => void) => (part === undefined ? NEVER() : part.onChange(changed)),
    [part],
  );
  return useSyncExternalStore(subscribe, read, () => first);
}

/**
 * The state that every hook returns in addition to its value: whether the value has been read, and whether the server has yet to confirm
 * it.
 */
interface HookState {
  readonly isInitialized: boolean;
  readonly fromCache: boolean;
}

/** @param first the server's state; undefined when it is unknown */
function useKnown<T>(part: Part<T> | undefined, first: T | null | undefined): HookState & { readonly value: T | null } {
  const value = (): T | null => part?.getSync() ?? first ?? null;
  const isFirst = (): boolean => Boolean(first) && (part?.getSync() ?? null) === null;
  return {
    value: useSnapshot(part, value, first ?? null),
    isInitialized: useSnapshot(part, () => part !== undefined || first !== undefined, first !== undefined),
    fromCache: useSnapshot(part, () => isFirst() || part?.getInfo().fromCache === true, Boolean(first)),
  };
}

/** The signed-in user in this browser's state. `isInitialized` is false until the state has been read. */
export function useUser(): HookState & { readonly user: User | null } {
  const { client, initial } = useGiven();
  // If the server verified a JWT, it has only the session.
  const { value: user, ...status } = useKnown(client?.user, initial && (initial.user ?? undefined));
  return { user, ...status };
}

/** The session in this browser's state. `isInitialized` is false until the state has been read. */
export function useSession(): HookState & { readonly session: Session | null } {
  const { client, initial } = useGiven();
  const { value: session, ...status } = useKnown(client?.session, initial && initial.session);
  return { session, ...status };
}

/**
 * Whether the roles of the signed-in user allow the action on the resource (specification, section 6). Use it to decide what
 * to show; the server decides what is allowed. False until the policy is known.
 */
export function useIsAuthorized(resource: string, action: string): HookState & { readonly isAuthorized: boolean } {
  const client = useClient();
  const user = client?.user;
  const [loaded, setLoaded] = useState<PorticoClient | null>(null);
  useEffect(() => {
    if (client === null) return undefined;
    let isGone = false;
    const load = async (): Promise<void> => {
      await client.rbac.isAuthorized(resource, action);
      if (!isGone) setLoaded(client);
    };
    void load();
    return () => {
      isGone = true;
    };
  }, [client, resource, action]);
  const ready = client !== null && loaded === client;
  return {
    isAuthorized: useSnapshot(user, () => ready && client.rbac.isAuthorizedSync(resource, action), false),
    isInitialized: ready,
    fromCache: useSnapshot(user, () => user?.getInfo().fromCache ?? false, false),
  };
}
