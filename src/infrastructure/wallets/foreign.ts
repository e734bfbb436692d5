/** Safe access to objects that other software put into the page. Any property may throw, or have any type. */

const MAX_ITEMS = 100;
const MAX_BYTES = 65_536;

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** A property of an object; undefined if it is missing, if `from` is not an object, or if reading throws. */
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

/** The first items of a list, at most `most`; none if the value is not a list, or if reading throws. */
export function itemsOf(value: unknown, most = MAX_ITEMS): readonly unknown[] {
  try {
    const length = Array.isArray(value) ? read(value, 'length') : 0;
    return Array.from({ length: Math.min(Number(length), most) }, (_, at) => read(value, String(at)));
  } catch {
    return [];
  }
}

const isByte = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;

/** The bytes in a view or in a list of numbers, at most 64 KiB of a list; null for any other value. */
export function bytesIn(value: unknown): Uint8Array | null {
  try {
    if (ArrayBuffer.isView(value))
      return Uint8Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    const items = itemsOf(value, MAX_BYTES);
    return items.length > 0 && items.every(isByte) ? Uint8Array.from(items) : null;
  } catch {
    return null;
  }
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
