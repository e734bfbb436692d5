/**
 * What everything in this page shares under a name, copies of the package in other bundles included. Made on the first
 * call.
 */
export function pageShared<T extends object>(window: Window, name: string, make: () => T): T {
  const shelf = window as unknown as Record<symbol, T | undefined>;
  return (shelf[Symbol.for(`portico.${name}`)] ??= make());
}
