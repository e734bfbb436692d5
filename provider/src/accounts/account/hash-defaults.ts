import { isRecord } from '#domain/shape.ts';
import type { Config, DescribedHash } from '../passwords/exported/migrated-hash.ts';
import { namesItsType } from '../passwords/migrated-hashes.ts';

/** What is the same for the hashes of all lines of an import. */
export interface HashDefaults {
  /** The type of a hash whose text does not show it. */
  readonly hash_type?: string | undefined;
  /** The parameters of the project, for hashes that come with a salt. */
  readonly firebase_config?: Config | undefined;
}

/** The value of a line with what is the same for all. A line that says it itself does not change. */
export function withHashDefaults(value: unknown, { hash_type, firebase_config }: HashDefaults): unknown {
  if (!isRecord(value) || !isRecord(value['password'])) return value;
  const password = { ...value['password'] };
  if (firebase_config !== undefined && typeof password['salt'] === 'string') {
    password['firebase_config'] ??= firebase_config;
  }
  // The salt and the parameters of the project show the type, too.
  const description = Object.fromEntries(Object.entries(password).filter(([, field]) => field !== null));
  const isText = typeof description['hash'] === 'string';
  if (hash_type !== undefined && isText && !namesItsType(description as unknown as DescribedHash)) {
    password['hash_type'] ??= hash_type;
  }
  return { ...value, password };
}
