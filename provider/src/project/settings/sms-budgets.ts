import { isRecord } from '#domain/shape.ts';
import { FieldError, listOf, Mistakes, textThat, whole, within, type Reader } from '../readers/readers.ts';

const budget = whole(0, 1_000_000);

/** `{ US: 5000 }`. */
export const smsBudgets: Reader<Readonly<Record<string, number>>> = (value, path) => {
  if (!isRecord(value)) throw new FieldError(path, 'an object');
  const mistakes = new Mistakes();
  const entries = Object.entries(value).map(([country, amount]) =>
    mistakes.attempt((): [string, number] => {
      if (!/^[A-Z]{2}$/u.test(country))
        throw new FieldError(within(path, country), 'named by an ISO 3166 code such as US');
      return [country, budget(amount, `${path}.${country}`)];
    }),
  );
  mistakes.check();
  return Object.fromEntries(entries.filter((entry) => entry !== undefined));
};

/** The countries that text messages can be sent to; null for all. */
export const smsCountries: Reader<readonly string[] | null> = (value, path) =>
  value === 'all'
    ? null
    : listOf(
        textThat('an ISO 3166 code such as US', (code) => /^[A-Z]{2}$/u.test(code)),
        "'all' or an array of ISO 3166 codes",
      )(value, path);
