import type { LockRequests } from '#infrastructure/browser/web-locks.ts';

interface Request {
  readonly grant: () => void;
}

/** `navigator.locks` of one origin: exclusive locks, first come first served (Web Locks API, section 4). */
export class StandInLockManager implements LockRequests {
  private readonly queues = new Map<string, Request[]>();

  async request(
    name: string,
    { signal }: { readonly signal: AbortSignal },
    task: () => Promise<unknown>,
  ): Promise<unknown> {
    signal.throwIfAborted();
    const queue = this.queues.get(name) ?? [];
    this.queues.set(name, queue);
    return new Promise((resolve, reject) => {
      const request: Request = {
        grant: () => {
          signal.removeEventListener('abort', abort);
          const result = (async () => task())();
          void (async () => {
            await result.catch(() => undefined);
            queue.shift();
            queue[0]?.grant();
            resolve(result);
          })();
        },
      };
      const abort = (): void => {
        queue.splice(queue.indexOf(request), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
      queue.push(request);
      if (queue.length === 1) queueMicrotask(() => queue[0] === request && request.grant());
    });
  }
}
