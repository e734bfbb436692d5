/** The `prf` extension of a ceremony: secrets that the passkey derives from a site's values (WebAuthn Level 3, section 10.1.4). */
import { base64url } from './base64url.ts';
import { parseJson } from './json.ts';
import { isRecord } from './shape.ts';

/** One value or two, for example to replace the first with the second later. */
export interface PrfValues<T> {
  readonly first: T;
  readonly second?: T | undefined;
}

/** Bytes, or base64url text of them (RFC 4648, section 5). */
export type PrfInput = ArrayBuffer | ArrayBufferView | string;

/** The extensions of a ceremony. Without `eval`, a registration only reports whether the passkey supports it. */
export interface PasskeyExtensions {
  readonly prf?: { readonly eval?: PrfValues<PrfInput> | undefined } | undefined;
}

/** The response of the browser and the authenticator. `results` are 32 bytes each; some authenticators return them only at a login. */
export interface PasskeyExtensionResults {
  readonly prf?: { readonly enabled?: boolean; readonly results?: PrfValues<ArrayBuffer> };
}

const BASE64URL = /^[\w-]+$/u;
/** The maximum size of a value, in bytes; the browser hashes it. */
const MOST_BYTES = 1_024;

const isBuffer = (value: unknown): value is ArrayBuffer =>
  Object.prototype.toString.call(value) === '[object ArrayBuffer]';

function bytesOf(value: unknown): Uint8Array | null {
  if (isBuffer(value)) return new Uint8Array(value);
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : null;
}

/** The value as base64url; null for any other value, an empty one, and one of more than 1,024 bytes. */
export function prfText(value: unknown): string | null {
  const bytes = bytesOf(value);
  const text = bytes === null ? value : base64url(bytes);
  if (typeof text !== 'string' || !BASE64URL.test(text) || text.length % 4 === 1) return null;
  return text.length <= Math.ceil((MOST_BYTES * 4) / 3) ? text : null;
}

function decoded(text: unknown): ArrayBuffer | undefined {
  if (typeof text !== 'string' || !BASE64URL.test(text) || text.length % 4 === 1) return undefined;
  const latin1 = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(latin1, (letter) => letter.charCodeAt(0)).buffer;
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});

/** The results in the JSON of a credential, decoded. */
export function prfResults(credential: string): PasskeyExtensionResults {
  const { prf } = fieldsOf(fieldsOf(parseJson(credential))['clientExtensionResults']);
  if (!isRecord(prf)) return {};
  const { enabled, results } = prf;
  const { first, second } = fieldsOf(results);
  const [one, two] = [decoded(first), decoded(second)];
  return {
    prf: {
      ...(typeof enabled === 'boolean' && { enabled }),
      ...(one && { results: { first: one, ...(two && { second: two }) } }),
    },
  };
}

/** The JSON of the credential without the results, which are secrets of this browser. Any other text is returned unchanged. */
export function withoutPrfResults(credential: string): string {
  const whole = parseJson(credential);
  const extensions = fieldsOf(whole)['clientExtensionResults'];
  if (!isRecord(whole) || !isRecord(extensions) || !('prf' in extensions)) return credential;
  const { enabled } = fieldsOf(extensions['prf']);
  return JSON.stringify({ ...whole, clientExtensionResults: { ...extensions, prf: { enabled } } });
}
