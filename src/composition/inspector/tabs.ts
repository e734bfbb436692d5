/** Counts the tabs of this browser in which the inspector is open for the same client. Each holds a shared Web Lock. */
export interface InspectedTabs {
  /** Null without Web Locks, for example if the page is not a secure context. */
  count(): Promise<number | null>;
  end(): void;
}

const NONE: InspectedTabs = { count: () => Promise.resolve(null), end: () => undefined };

export function inspectedTabs(locks: LockManager | null | undefined, publicToken: string): InspectedTabs {
  if (!locks) return NONE;
  const name = `portico-inspector ${publicToken}`;
  const closed = new AbortController();
  const lockRequest = locks.request(
    name,
    { mode: 'shared', signal: closed.signal },
    () => new Promise<void>((resolve) => closed.signal.addEventListener('abort', () => resolve(), { once: true })),
  );
  // An opaque origin cannot hold a lock, and an abort ends a request that was not granted yet.
  lockRequest.catch(() => undefined);
  return {
    count: async () => {
      try {
        const { held: all = [] } = await locks.query();
        return all.filter((lock) => lock.name === name).length;
      } catch {
        return null;
      }
    },
    end: () => closed.abort(),
  };
}
