import { isAuthError, unreachable } from './errors.ts';

/** The loads of code that have not ended. The virtual clock of `portico/testing` waits for them. */
export const pendingLoads = new Set<Promise<unknown>>();

/**
 * The result of an `import()`, or of what loads by one, such as `codeLoad(import('./late.ts'))`. It counts as pending until it ends.
 *
 * @throws {SDKAPIUnreachableError} its `problem` is `file`; an error of this library is thrown unchanged
 */
export function codeLoad<T>(load: Promise<T>): Promise<T> {
  const counted = load
    .catch((cause: unknown) => {
      throw isAuthError(cause) ? cause : unreachable(cause);
    })
    .finally(() => pendingLoads.delete(counted));
  pendingLoads.add(counted);
  return counted;
}
