import { closeSync, openSync, readSync } from 'node:fs';
import { isRecord } from '#domain/shape.ts';
import { textOfBytes } from '#provider/base/text-file.ts';
import { WrongSecret, FieldError, object, textThat, type Reader } from './readers.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const NAME = textThat('the name of an environment variable', (name) => /^[A-Za-z_][A-Za-z0-9_]*$/u.test(name));
const PATH = textThat('the path of a file', (path) => path !== '' && !path.includes('\0'));

/** Whether a variable has quotes around its value. A shell removes them, but files of `docker run --env-file` keep them. */
export const isQuoted = (value: string): boolean =>
  value.length > 2 && /^["']/u.test(value) && value.endsWith(value.slice(0, 1));

/**
 * Reads a secret: a string, `{ "env": "NAME" }` for an environment variable, or `{ "file": "/path" }` for a file, such as those that
 * containers and systemd mount. Surrounding blanks, which often come with pasting, are removed. The error names the field and the variable
 * or file, never the secret.
 */
export function secretTextFrom(env: Environment): Reader<string> {
  return (value, path) => {
    const secret = typeof value === 'string' ? value.trim() : fromElsewhere(value, path, env);
    if (secret === '') throw new WrongSecret(path, 'a text that is not empty');
    noted?.add(secret);
    return secret;
  };
}

let noted: Set<string> | undefined;

/** A value, and all secrets that were read for it. */
export interface WithSecrets<T> {
  readonly value: T;
  readonly secrets: ReadonlySet<string>;
}

/** What the function returns, and every secret that a reader of this file returned meanwhile, as it stands in the value. */
export function withSecrets<T>(read: () => T): WithSecrets<T> {
  const before = noted;
  const secrets = new Set<string>();
  noted = secrets;
  try {
    return { value: read(), secrets };
  } finally {
    noted = before;
  }
}

/** Like `secretTextFrom`, with the environment of this process. */
export const secretText: Reader<string> = (value, path) => secretTextFrom(process.env)(value, path);

/**
 * A secret that passes the test.
 *
 * @param form the secret in the form of the settings
 */
export const secretThat =
  (must: string, passes: (secret: string) => boolean, form = (secret: string): string => secret): Reader<string> =>
  (value, path) => {
    const secret = secretText(value, path);
    if (!passes(secret)) throw new WrongSecret(path, must);
    const formed = form(secret);
    noted?.add(formed);
    return formed;
  };

function fromElsewhere(value: unknown, path: string, env: Environment): string {
  if (!isRecord(value) || (value['env'] === undefined) === (value['file'] === undefined)) {
    throw new FieldError(path, 'a text, { "env": "NAME" } or { "file": "/path" }');
  }
  if (value['env'] !== undefined) {
    const name = object<{ readonly env: string }>({ env: NAME })(value, path).env;
    const found = Object.hasOwn(env, name) ? (env[name] ?? '').trim() : '';
    if (found === '') {
      throw new WrongSecret(path, `in the environment variable ${name}, which is not set`);
    }
    if (isQuoted(found)) throw new WrongSecret(path, `in the environment variable ${name} without quotes around it`);
    return found;
  }
  const { file } = object<{ readonly file: string }>({ file: PATH })(value, path);
  try {
    return readSecretFile(file);
  } catch (error) {
    throw new WrongSecret(path, `in the file ${file}: ${error instanceof Error ? error.message : ''}`);
  }
}

/** Larger than any key or certificate chain. */
const MAX_BYTES = 64 * 1024;

/** The text of a file without surrounding blanks and line breaks. Throws an Error with a short reason, never with the contents. */
export function readSecretFile(path: string): string {
  const text = textOfBytes(firstBytes(path)).trim();
  if (text === '') throw new Error('it is empty');
  return text;
}

/** Reads no more than the limit, because the path may be an endless device. */
function firstBytes(path: string): Buffer {
  const bytes = Buffer.alloc(MAX_BYTES + 1);
  let size = 0;
  try {
    const file = openSync(path, 'r');
    try {
      for (let part = -1; part !== 0 && size < bytes.length; size += part) {
        part = readSync(file, bytes, size, bytes.length - size, null);
      }
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new Error(`it cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown error'})`, { cause });
  }
  if (size > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES / 1024} kB`);
  return bytes.subarray(0, size);
}
