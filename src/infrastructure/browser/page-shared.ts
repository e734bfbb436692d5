/**
 * An object that all code of this page shares under a name, including copies of the package in other bundles. The first call creates it.
 */
export function pageShared<T extends object>(window: object, name: string, make: () => T): T {
  const shelf = window as Record<symbol, T | undefined>;
  return (shelf[Symbol.for(`portico.${name}`)] ??= make());
}
