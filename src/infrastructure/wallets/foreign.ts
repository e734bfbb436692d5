/** Safe access to objects that other software put into the page: any property may throw, or have any type. */

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** A property of an object; undefined when it is missing, when `from` is not an object, or when reading throws. */
export function read(from: unknown, name: string): unknown {
  try {
    return isObject(from) ? (Reflect.get(from, name) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

/** True when the value is an object with all these methods. */
export function has(from: unknown, ...methods: readonly string[]): from is object {
  return isObject(from) && methods.every((name) => typeof read(from, name) === 'function');
}

/** Calls a method of the object and resolves with its result. Rejects when the method throws. */
export async function call(on: object, method: string, ...args: readonly unknown[]): Promise<unknown> {
  return Reflect.apply(read(on, method) as (...args: unknown[]) => unknown, on, args);
}

/** The names of the object's `is…` flags that are true. */
export function flagsOf(from: object): readonly string[] {
  try {
    const names: string[] = [];
    for (const name in from) if (/^is[A-Z]/u.test(name) && read(from, name) === true) names.push(name);
    return names;
  } catch {
    return [];
  }
}
