interface OverrideLayer {
  value: unknown;
}

/** What stands over a field of an object, the newest last. */
interface FieldOverrides {
  /** Undefined for a field of the prototype. */
  readonly own: PropertyDescriptor | undefined;
  readonly original: unknown;
  readonly over: OverrideLayer[];
}

const changed = new WeakMap<object, Map<PropertyKey, FieldOverrides>>();

/**
 * Replaces a method or field of one object, and leaves its prototype alone. Throws a TypeError for a frozen object.
 *
 * @param make makes the replacement. It is given what says the value below at that moment, because several may stand over one field
 * @returns takes the replacement away, in any order; the last one restores what was there
 */
export function override<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  make: (below: () => Target[Name]) => Target[Name],
): () => void {
  const fields = changed.get(target) ?? new Map<PropertyKey, FieldOverrides>();
  const { own, original, over } = fields.get(name) ?? {
    own: Object.getOwnPropertyDescriptor(target, name),
    original: target[name],
    over: [],
  };
  const put = (value: unknown): void => {
    const enumerable = own?.enumerable ?? false;
    Object.defineProperty(target, name, { configurable: true, enumerable, writable: true, value });
  };
  const layer: OverrideLayer = { value: undefined };
  const below = (): Target[Name] => {
    const under = over[over.indexOf(layer) - 1];
    return (under === undefined ? original : under.value) as Target[Name];
  };
  over.push(layer);
  try {
    layer.value = make(below);
    put(layer.value);
  } catch (error) {
    over.pop();
    throw error;
  }
  changed.set(target, fields.set(name, { own, original, over }));
  return () => {
    const at = over.indexOf(layer);
    if (at < 0) return;
    over.splice(at, 1);
    const top = over.at(-1);
    if (top !== undefined) return put(top.value);
    fields.delete(name);
    if (own === undefined) delete target[name];
    else Object.defineProperty(target, name, own);
  };
}
