import { isAuthError, unreachable } from './errors.ts';

/** The loads of code that have not ended. The virtual clock of `portico/testing` waits for them. */
export const pendingLoads = new Set<Promise<unknown>>();

/** Where a file that does not load is told to the developer: the log of the newest client. */
export const missingFiles: { log: { error(message: string): void } | null } = { log: null };
const loggedFiles = new Set<string>();

/** The built script tells of its parts by itself, with the option that it has. */
function tell(file: string, cause: unknown): void {
  const { log } = missingFiles;
  if (log === null || loggedFiles.has(file) || (cause as { readonly isTold?: true } | null)?.isTold) return;
  loggedFiles.add(file);
  log.error(
    `A part did not load: ${file}. Does the site serve every file of its build, and those of the page's deployment?`,
  );
}

/**
 * The result of an `import()`, or of what loads by one, such as `codeLoad(import('./late.ts'))`. It counts as pending until it ends.
 *
 * @throws {SDKAPIUnreachableError} its `problem` is `file`; an error of this library is thrown unchanged
 */
export function codeLoad<T>(load: Promise<T>): Promise<T> {
  const counted = load
    .catch((cause: unknown) => {
      if (isAuthError(cause)) throw cause;
      const error = unreachable(cause);
      tell(error.url ?? String(cause), cause);
      throw error;
    })
    .finally(() => pendingLoads.delete(counted));
  pendingLoads.add(counted);
  return counted;
}
