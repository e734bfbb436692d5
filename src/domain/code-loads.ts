import { isAuthError, unreachable } from './errors.ts';

/** The loads of code that have not ended. The virtual clock of `portico/testing` waits for them. */
export const pendingLoads = new Set<Promise<unknown>>();

/** The log that reports files that fail to load: that of the newest client. */
export const missingFiles: { log: { error(message: string): void } | null } = { log: null };
const loggedFiles = new Set<string>();

/** Reports a file once. The built script reports its own parts, and names the option to set. */
function tell(file: string, cause: unknown): void {
  const { log } = missingFiles;
  if (log === null || loggedFiles.has(file) || (cause as { readonly isTold?: true } | null)?.isTold) return;
  loggedFiles.add(file);
  log.error(
    `A part did not load: ${file}. Does the site serve every file of its build, and those of the page's deployment?`,
  );
}

/**
 * Waits for an `import()`, or a promise based on one: `codeLoad(import('./late.ts'))`. The load counts as pending until it ends.
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
