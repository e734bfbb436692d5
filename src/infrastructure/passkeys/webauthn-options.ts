/**
 * Reads the options of a ceremony from JSON (WebAuthn Level 3, sections 5.1.8 and 5.1.9). Unknown fields, and extensions with
 * binary input other than `prf`, are left out. A field of the wrong type throws a TypeError.
 */
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import { bytesOf } from './binary.ts';

/** The longest options text: even with all passkeys of a person, real options have only a few KiB. */
const LONGEST_TEXT = 65_536;
/** The longest credential id, in bytes (section 4, "credential ID"). */
const LONGEST_ID = 1_023;
/** The longest user id, in bytes (section 5.4.3, `id`). */
const LONGEST_USER_ID = 64;
const LONGEST_CHALLENGE = 1_024;
/** The longest value of the extension `prf`, in bytes: browsers hash it. */
const LONGEST_VALUE = 1_024;
const LONGEST_TIMEOUT_MS = 2 ** 32 - 1;

type Reader<T> = (value: unknown, name: string) => T;

function wrong(name: string): never {
  throw new TypeError(`The passkey options are not understood: ${name}`);
}

const text: Reader<string> = (value, name) => (typeof value === 'string' ? value : wrong(name));
const integer: Reader<number> = (value, name) => (Number.isInteger(value) ? (value as number) : wrong(name));
const milliseconds: Reader<number> = (value, name) =>
  typeof value === 'number' && value >= 0 && value <= LONGEST_TIMEOUT_MS ? value : wrong(name);
const flag: Reader<boolean> = (value, name) => (typeof value === 'boolean' ? value : wrong(name));

const binary =
  (most: number): Reader<ArrayBuffer> =>
  (value, name) => {
    try {
      return bytesOf(text(value, name), most);
    } catch {
      return wrong(name);
    }
  };

/** Accepts undefined and null: some servers send null for an absent field. */
const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (value, name) =>
    value === undefined || value === null ? undefined : read(value, name);

const listOf =
  <T>(read: Reader<T>): Reader<T[]> =>
  (value, name) =>
    Array.isArray(value) ? value.map((item) => read(item, name)) : wrong(name);

type Readers = Readonly<Record<string, Reader<unknown>>>;
type ReadFields<R extends Readers> = { [K in keyof R]: ReturnType<R[K]> };

const object =
  <R extends Readers>(readers: R): Reader<ReadFields<R>> =>
  (value, name) => {
    if (!isRecord(value)) return wrong(name);
    const read = Object.entries(readers).map(([key, reader]) => [key, reader(value[key], key)] as const);
    return Object.fromEntries(read.filter(([, item]) => item !== undefined)) as ReadFields<R>;
  };

/** The `prf` extension (section 10.1.4), without values by credential. */
const prf = object({
  eval: optional(object({ first: binary(LONGEST_VALUE), second: optional(binary(LONGEST_VALUE)) })),
});

const extensions: Reader<AuthenticationExtensionsClientInputs> = (value, name) => {
  if (!isRecord(value)) return wrong(name);
  const simple = Object.entries(value).filter(([, input]) => typeof input === 'boolean' || typeof input === 'string');
  const prfInput = value['prf'];
  return { ...Object.fromEntries(simple), ...(isRecord(prfInput) && { prf: prf(prfInput, 'prf') }) };
};

const credential = object({ type: text, id: binary(LONGEST_ID), transports: optional(listOf(text)) });

const creation = object({
  rp: object({ id: optional(text), name: text }),
  user: object({ id: binary(LONGEST_USER_ID), name: text, displayName: text }),
  challenge: binary(LONGEST_CHALLENGE),
  pubKeyCredParams: listOf(object({ type: text, alg: integer })),
  timeout: optional(milliseconds),
  excludeCredentials: optional(listOf(credential)),
  authenticatorSelection: optional(
    object({
      authenticatorAttachment: optional(text),
      residentKey: optional(text),
      requireResidentKey: optional(flag),
      userVerification: optional(text),
    }),
  ),
  hints: optional(listOf(text)),
  attestation: optional(text),
  attestationFormats: optional(listOf(text)),
  extensions: optional(extensions),
});

const request = object({
  challenge: binary(LONGEST_CHALLENGE),
  timeout: optional(milliseconds),
  rpId: optional(text),
  allowCredentials: optional(listOf(credential)),
  userVerification: optional(text),
  hints: optional(listOf(text)),
  extensions: optional(extensions),
});

const parsed = (json: string): unknown => (json.length > LONGEST_TEXT ? wrong('too long') : parseJson(json));

/** The creation options in a JSON text. Throws a TypeError when they are malformed. */
export function creationOptions(json: string): PublicKeyCredentialCreationOptions {
  return creation(parsed(json), 'not an object') as PublicKeyCredentialCreationOptions;
}

/** The request options in a JSON text. Throws a TypeError when they are malformed. */
export function requestOptions(json: string): PublicKeyCredentialRequestOptions {
  return request(parsed(json), 'not an object') as PublicKeyCredentialRequestOptions;
}
