interface OverrideLayer {
  value: unknown;
}

/** The overrides of one field of an object, newest last. */
interface FieldOverrides {
  /** Undefined if the field comes from the prototype. */
  readonly own: PropertyDescriptor | undefined;
  readonly original: unknown;
  readonly over: OverrideLayer[];
}

const changed = new WeakMap<object, Map<PropertyKey, FieldOverrides>>();

/**
 * Replaces a method or field of one object, but not of its prototype. Throws a TypeError for a frozen object.
 *
 * @param make creates the replacement. Its argument returns the current value below the override, because a field can have several
 * overrides
 * @returns a function that removes the override. Overrides may be removed in any order; removing the last one restores the original
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
  const assign = (value: unknown): void => {
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
    assign(layer.value);
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
    if (top !== undefined) return assign(top.value);
    fields.delete(name);
    if (own === undefined) delete target[name];
    else Object.defineProperty(target, name, own);
  };
}
