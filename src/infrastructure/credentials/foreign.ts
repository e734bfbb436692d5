/** How to handle objects that somebody else put into the page: any of their properties may throw, or be anything. */

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** What an object has under a name; undefined where it has nothing, is no object, or throws. */
export function read(from: unknown, name: string): unknown {
  try {
    return isObject(from) ? (Reflect.get(from, name) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

/** True when the object has methods of all these names. */
export function has(from: unknown, ...methods: readonly string[]): from is object {
  return isObject(from) && methods.every((name) => typeof read(from, name) === 'function');
}

/** Calls a method of the object, and waits for what it answers. Rejects with what it throws. */
export async function call(on: object, method: string, ...args: readonly unknown[]): Promise<unknown> {
  return Reflect.apply(read(on, method) as (...args: unknown[]) => unknown, on, args);
}

/** The names of the object's flags `is…` that are true. */
export function flagsOf(from: object): readonly string[] {
  try {
    const names: string[] = [];
    for (const name in from) if (/^is[A-Z]/u.test(name) && read(from, name) === true) names.push(name);
    return names;
  } catch {
    return [];
  }
}
