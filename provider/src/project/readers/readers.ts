import { isRecord } from '#domain/shape.ts';
import { didYouMean, meantName } from '#domain/widget/meant-name.ts';

/** Reads a value of the project file, or throws a FieldError that names its path. */
export type Reader<T> = (value: unknown, path: string) => T;

/** The error of one field, such as `clients[2].redirect_uris[0] must be a URL`; never the field's value. */
export class FieldError extends Error {
  /** This mistake, and those of the other fields that were read together with it. */
  readonly all: readonly FieldError[];

  constructor(
    readonly path: string,
    readonly must: string,
    others: readonly FieldError[] = [],
    /** The value without its wrong parts, if it is an object or a list. */
    readonly draft?: unknown,
  ) {
    super(`in the project file, ${path} must be ${must}`);
    this.all = [this, ...others];
  }
}

/** A secret that is not where the file says, or has another form. No relation to another field depends on it. */
export class WrongSecret extends FieldError {}

/** Collects the mistakes of several fields, so that none hides the next. */
export class Mistakes {
  private readonly found: FieldError[] = [];

  /** The top-level fields of the file that they are in. */
  get fields(): ReadonlySet<string> {
    return fieldsOf(this.found);
  }

  /** Those fields in which more than secrets is wrong. */
  get wrongFields(): ReadonlySet<string> {
    return fieldsOf(this.found.filter((mistake) => !(mistake instanceof WrongSecret)));
  }

  /** Reads a value. If it is wrong: what is right of an object or a list, or else undefined. */
  attempt<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      this.found.push(...error.all);
      return error.draft as T | undefined;
    }
  }

  refuseIf(isWrong: boolean, path: string, must: string): void {
    if (isWrong) this.found.push(new FieldError(path, must));
  }

  /**
   * Throws one FieldError for all mistakes, if there are any.
   *
   * @param draft the value without its wrong parts
   */
  check(draft?: unknown): void {
    const [first, ...others] = this.found;
    if (first === undefined) return;
    const Kind = first instanceof WrongSecret ? WrongSecret : FieldError;
    throw new Kind(first.path, first.must, others, draft);
  }
}

const fieldsOf = (mistakes: readonly FieldError[]): ReadonlySet<string> =>
  new Set(mistakes.map(({ path }) => path.split(/[.[]/u)[0] ?? ''));

export const text: Reader<string> = (value, path) => {
  if (typeof value !== 'string') throw new FieldError(path, 'a string');
  return value;
};

export const flag: Reader<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new FieldError(path, 'a boolean');
  return value;
};

/** A whole number within the bounds, both included. */
export function whole(min: number, max: number): Reader<number> {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
      throw new FieldError(path, `a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

/**
 * A text that passes the test, without surrounding blanks, which often come with pasting. The error does not repeat the text, because it
 * may be a secret in the wrong field.
 */
export function textThat(must: string, passes: (text: string) => boolean): Reader<string> {
  return (value, path) => {
    const result = text(value, path).trim();
    if (!passes(result)) throw new FieldError(path, must);
    return result;
  };
}

/** A regular expression. */
export const pattern = textThat('a regular expression', (source) => {
  try {
    return new RegExp(source, 'u').unicode;
  } catch {
    return false;
  }
});

export function oneOf<const T extends string>(...allowed: readonly T[]): Reader<T> {
  return (value, path) => {
    const found = allowed.find((each) => each === value);
    if (found === undefined) throw new FieldError(path, `one of ${allowed.join(', ')}`);
    return found;
  };
}

export function listOf<T>(read: Reader<T>, kind = 'an array'): Reader<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new FieldError(path, kind);
    const mistakes = new Mistakes();
    const items = value.map((item: unknown, index) => mistakes.attempt(() => read(item, `${path}[${index}]`)));
    mistakes.check(items);
    return items as readonly T[];
  };
}

export function texts(read: Reader<string> = text): Reader<readonly string[]> {
  return listOf(read, 'an array of strings');
}

/** A list of URLs that are compared exactly, so a wildcard would match nothing. */
export function addresses(read: Reader<string>): Reader<readonly string[]> {
  return texts((value, path) => {
    if (typeof value === 'string' && /^[^?]*\*/u.test(value)) {
      throw new FieldError(path, 'without *: addresses are compared exactly, so list each one');
    }
    return read(value, path);
  });
}

/** A list whose items all have different keys. */
export function distinct<T>(field: string, key: (item: T) => string, read: Reader<readonly T[]>): Reader<readonly T[]> {
  return (value, path) => {
    const items = read(value, path);
    const mistakes = new Mistakes();
    const keys = new Set<string>();
    items.forEach((item, index) => {
      mistakes.refuseIf(keys.has(key(item)), `${path}[${index}].${field}`, 'unique');
      keys.add(key(item));
    });
    mistakes.check();
    return items;
  };
}

export type Readers<T> = { readonly [K in keyof T]-?: Reader<T[K]> };

/**
 * An object with exactly these fields. A field that is missing or null gets its fallback; without a fallback it is required.
 *
 * @param names the fields to search for the one that was misspelled
 */
export function object<T extends object>(
  readers: Readers<T>,
  fallbacks: Partial<T> = {},
  names: readonly string[] = Object.keys(readers),
): Reader<T> {
  const fields = Object.entries(readers) as readonly (readonly [string, Reader<unknown>])[];
  const optional = new Map<string, unknown>(Object.entries(fallbacks));
  return (value, path) => {
    if (!isRecord(value)) throw new FieldError(path, 'an object');
    const mistakes = new Mistakes();
    const unknown = Object.keys(value).filter((field) => !Object.hasOwn(readers, field));
    for (const field of unknown) mistakes.refuseIf(true, within(path, field), noSuchField(field, names));
    const suggestions = new Set(unknown.map((field) => meantName(field, names)));
    const result: Record<string, unknown> = {};
    for (const [field, read] of fields) {
      const fieldValue = value[field] ?? undefined;
      // If a required field was misspelled, its error mentions the existing name.
      if (fieldValue === undefined && suggestions.has(field)) continue;
      const isAbsent = fieldValue === undefined && optional.has(field);
      result[field] = isAbsent ? optional.get(field) : mistakes.attempt(() => read(fieldValue, within(path, field)));
    }
    mistakes.check(result);
    return result as T;
  };
}

/** Reads the given fields. */
export function partial<T extends object>(readers: Readers<T>): Reader<Partial<T>> {
  return (value, path) => {
    if (!isRecord(value)) throw new FieldError(path, 'an object');
    const entries = Object.entries(readers).filter(([field]) => Object.hasOwn(value, field));
    return object<T>(Object.fromEntries(entries) as Readers<T>, {}, Object.keys(readers))(value, path);
  };
}

/** Matches plausible field names, with at most one digit. Anything else may be a pasted secret, so it is not repeated. */
const FIELD_NAME = /^[A-Za-z_]{1,40}(?:\d[A-Za-z_]{0,30})?$/u;

/** A hint about a field that does not exist. */
function noSuchField(field: string, names: readonly string[]): string {
  return `left out: there is no such field${misspelled(field, names)}`;
}

/** The end of a sentence about a misspelled name: a suggestion, or nothing. */
export function misspelled(field: string, names: readonly string[]): string {
  const question = FIELD_NAME.test(field) ? didYouMean(field, names) : '';
  return question && `.${question}`;
}

/** The path of a field. */
export function within(path: string, field: string): string {
  const name = FIELD_NAME.test(field) ? field : '(an odd name)';
  return path === '' ? name : `${path}.${name}`;
}
