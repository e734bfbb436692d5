/** The loads of code that have not ended. The virtual clock of `portico/testing` waits for them. */
export const pendingLoads = new Set<Promise<unknown>>();

/** Returns a load of code, such as `codeLoad(import('./late.ts'))`, and counts it as pending until it ends. */
export function codeLoad<T>(load: Promise<T>): Promise<T> {
  const end = (): unknown => pendingLoads.delete(load);
  pendingLoads.add(load);
  load.then(end, end);
  return load;
}
