import { isRecord } from '#domain/shape.ts';
import type { Limit } from '#provider/base/security/rate-windows.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { FieldError, Mistakes, misspelled, object, whole, within, type Reader } from '../readers/readers.ts';

const limit = object<{ readonly max: number; readonly seconds: number }>({
  max: whole(1, 1_000_000),
  seconds: whole(1, 30 * 86_400),
});

const snake = (name: string): string => name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
const LIMIT_NAMES = new Map(Object.keys(DEFAULT_LIMITS).map((name) => [snake(name), name]));

/** `{ sends_per_address: { max, seconds } }`, for every name of Limits. */
export const limits: Reader<Partial<Limits>> = (value, path) => {
  if (!isRecord(value)) throw new FieldError(path, 'an object');
  const mistakes = new Mistakes();
  const names = [...LIMIT_NAMES.keys()];
  const entries = Object.entries(value).map(([field, fieldValue]) =>
    mistakes.attempt((): [string, Limit] => {
      const name = LIMIT_NAMES.get(field);
      if (name === undefined) {
        throw new FieldError(within(path, field), `one of ${names.join(', ')}${misspelled(field, names)}`);
      }
      const { max, seconds } = limit(fieldValue, `${path}.${field}`);
      return [name, { max, windowMs: seconds * 1000 }];
    }),
  );
  mistakes.check();
  return Object.fromEntries(entries.filter((entry) => entry !== undefined));
};
