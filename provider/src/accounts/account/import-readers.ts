import type { AcceptedTerms } from '#server-rules/profile.ts';
import { Refusal, SchemaRefusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import type { DescribedHash } from '../passwords/exported/migrated-hash.ts';
import { FieldError, object, text, textThat, type Reader, type Readers } from '#provider/project/readers/readers.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A reader that also runs a check, and turns its refusal into an error that names the field. */
export function checked<T>(read: Reader<T>, check: (value: T) => unknown): Reader<T> {
  return (value, path) => {
    const result = read(value, path);
    try {
      check(result);
    } catch (error) {
      if (error instanceof Refusal) throw new FieldError(path, `acceptable: ${error.message.replace(/\.$/u, '')}`);
      if (error instanceof SchemaRefusal) throw new FieldError(path, `acceptable: ${error.body[0]?.message ?? ''}`);
      throw error;
    }
    return result;
  };
}

export const fields: Reader<Fields> = (value, path) => {
  if (!isRecord(value)) throw new FieldError(path, 'an object');
  return value;
};

export const TIME: Reader<string> = textThat('a time such as 2026-01-31T12:00:00Z', (timestamp) => {
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/u.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  return time > 0 && time < Date.UTC(2100, 0);
});

/** The most contacts, roles and so on of an imported user: each line is one small transaction. */
const MOST = 50;
export function few<T>(read: Reader<readonly T[]>): Reader<readonly T[]> {
  return (value, path) => {
    const list = read(value, path);
    if (list.length > MOST) throw new FieldError(path, `a list of at most ${MOST}`);
    return list;
  };
}

const MOST_TERMS = 50;
const accepted = object<{ readonly version: string; readonly accepted_at: string }>({
  version: textThat('1 to 40 visible characters without blanks', (version) => /^[^\p{C}\s]{1,40}$/u.test(version)),
  accepted_at: TIME,
});

/** The accepted version of each terms, by their ids. Terms that the project does not have are kept. */
export const acceptedTerms: Reader<AcceptedTerms> = (value, path) => {
  const entries = Object.entries(fields(value, path));
  const isId = ([id]: readonly [string, unknown]): boolean => /^[a-z][a-z0-9_]{0,39}$/u.test(id);
  if (entries.length > MOST_TERMS || !entries.every(isId)) {
    throw new FieldError(
      path,
      `an object with at most ${MOST_TERMS} ids of terms, such as { "tos": { "version": "1", "accepted_at": … } }`,
    );
  }
  return Object.fromEntries(entries.map(([id, each]) => [id, accepted(each, `${path}.${id}`)]));
};

/** A text; or the JSON of a credential, as Keycloak exports it. */
const hashText: Reader<string> = (value, path) => (isRecord(value) ? JSON.stringify(value) : text(value, path));

/** The fields of a hash that another system made. */
export const HASH_READERS: Readers<DescribedHash> = {
  hash: hashText,
  hash_type: text,
  salt: text,
  md_5_config: fields,
  argon_2_config: fields,
  sha_1_config: fields,
  sha_256_config: fields,
  sha_512_config: fields,
  scrypt_config: fields,
  pbkdf_2_config: fields,
  firebase_config: fields,
};
export const HASH_FALLBACKS: Omit<DescribedHash, 'hash'> = {
  hash_type: undefined,
  salt: undefined,
  md_5_config: undefined,
  argon_2_config: undefined,
  sha_1_config: undefined,
  sha_256_config: undefined,
  sha_512_config: undefined,
  scrypt_config: undefined,
  pbkdf_2_config: undefined,
  firebase_config: undefined,
};

export const readHash = object<DescribedHash>(HASH_READERS, HASH_FALLBACKS);

/** The mistake in a hash: a whole sentence, which names the field. */
export class HashFault extends Error {}

/** Checks the hash of a field. */
export function hashOf<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new HashFault(`${path}.${error.message.replace(/\.$/u, '')}`, { cause: error });
  }
}
