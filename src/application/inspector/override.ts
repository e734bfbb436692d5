/**
 * Replaces a method or field of one object, and leaves its prototype alone. The returned function restores what was there. Throws a
 * TypeError for a frozen object.
 */
export function override<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  value: Target[Name],
): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: before?.enumerable ?? false,
    writable: true,
    value,
  });
  return () => {
    if (before === undefined) delete target[name];
    else Object.defineProperty(target, name, before);
  };
}
