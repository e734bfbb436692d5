import { parseJson } from '#domain/json.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import type { Config } from '#provider/accounts/passwords/exported/migrated-hash.ts';
import { checkFirebaseConfig } from '#provider/accounts/passwords/exported/scrypt-forms.ts';
import type { HashDefaults } from '#provider/accounts/account/hash-defaults.ts';
import { textOfFile } from '#provider/base/text-file.ts';
import { UsageError } from '#provider/base/usage-error.ts';

/** The names of the parameters: those of the console of Firebase, then those of its API. */
const PARAMETERS = {
  base64_signer_key: ['base64_signer_key', 'signerKey'],
  base64_salt_separator: ['base64_salt_separator', 'saltSeparator'],
  rounds: ['rounds'],
  mem_cost: ['mem_cost', 'memoryCost'],
} as const;

const PAIR = /(?<![\w-])(\w{1,40}) ?: ?"?([^\s,"}]{1,1000})/gu;

/** The `name: value` pairs of the text that the console shows. */
const pairsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from(text.matchAll(PAIR), ([, name = '', value = '']) => [name, value]));

/** The parameters of a project as the console of Firebase shows them, or as JSON. */
export function firebaseConfig(text: string): Config {
  const json = parseJson(text);
  const pairs: Readonly<Record<string, unknown>> = isRecord(json) ? json : pairsIn(text);
  const config: Record<string, unknown> = {};
  for (const [field, names] of Object.entries(PARAMETERS)) {
    const value = names.map((name) => pairs[name]).find((each) => each !== undefined);
    const isNumber = field === 'rounds' || field === 'mem_cost';
    config[field] = isNumber && typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value;
  }
  return config;
}

function readFirebaseConfig(path: string): Config {
  let text: string;
  try {
    text = textOfFile(path);
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? ''}.`, { cause: error });
  }
  const config = firebaseConfig(text);
  try {
    checkFirebaseConfig(config);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const how =
      'Copy the text that the console of Firebase shows under Authentication, Users, Password hash parameters.';
    throw new UsageError(`Nothing was imported. ${path}: ${error.message} ${how}`, { cause: error });
  }
  return config;
}

/** What the options of an import say about the hashes of all its lines. */
export function hashDefaultsFrom(fields: Readonly<Record<string, unknown>>): HashDefaults {
  const { firebase_config: path, hash_type: hashType } = fields;
  return {
    hash_type: typeof hashType === 'string' ? hashType : undefined,
    firebase_config: typeof path === 'string' ? readFirebaseConfig(path) : undefined,
  };
}
