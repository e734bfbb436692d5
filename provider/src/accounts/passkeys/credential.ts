import { damagedCredential } from '#server-rules/passkeys.ts';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';

/** The authenticator's response, with every field that the ceremonies need; binary fields are base64url. */
export interface Credential<Response> {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly authenticatorAttachment?: 'platform' | 'cross-platform';
  readonly clientExtensionResults: Record<string, never>;
  readonly response: Response;
}

export interface Attestation {
  readonly clientDataJSON: string;
  readonly attestationObject: string;
  readonly transports: string[];
}

export interface Assertion {
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle?: string;
}

/** The client data, the browser's description of the ceremony (WebAuthn Level 3, section 5.8.1). */
export interface ClientData {
  readonly challenge: string;
  readonly origin: string;
  /** True for a ceremony in a frame of another site. */
  readonly framed: boolean;
}

const BASE64URL = /^[A-Za-z0-9_-]+$/u;
const MAX_CLIENT_DATA = 8 * 1024;
const MAX_TRANSPORTS = 8;
const TRANSPORT = /^[a-z-]{1,32}$/u;

/** Strict (RFC 4648, section 3.5): every sequence of bytes has only one text. */
function isBase64url(text: string): boolean {
  return BASE64URL.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text;
}

function binary(fields: Readonly<Record<string, unknown>>, field: string, max = Infinity): string {
  const value = fields[field];
  if (typeof value !== 'string' || value.length > max || !isBase64url(value)) {
    throw damagedCredential(`${field} must be base64url`);
  }
  return value;
}

function envelope(json: unknown): {
  readonly outer: Omit<Credential<never>, 'response'>;
  readonly inner: Readonly<Record<string, unknown>>;
} {
  if (!isRecord(json) || !isRecord(json['response'])) throw damagedCredential('it must be the JSON of a credential');
  const id = binary(json, 'id');
  if (json['rawId'] !== id) throw damagedCredential('id and rawId must be the same');
  if (json['type'] !== 'public-key') throw damagedCredential('type must be public-key');
  const attachment = json['authenticatorAttachment'];
  return {
    outer: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      ...(attachment === 'platform' || attachment === 'cross-platform' ? { authenticatorAttachment: attachment } : {}),
    },
    inner: json['response'],
  };
}

/** Parses the JSON of the result of `navigator.credentials.create()`. */
export function attestationFrom(text: string): Credential<Attestation> {
  const { outer, inner } = envelope(parseJson(text));
  const transports: unknown = inner['transports'];
  return {
    ...outer,
    response: {
      clientDataJSON: binary(inner, 'clientDataJSON', MAX_CLIENT_DATA),
      attestationObject: binary(inner, 'attestationObject'),
      transports: (Array.isArray(transports) ? (transports as unknown[]) : [])
        .filter((transport): transport is string => typeof transport === 'string' && TRANSPORT.test(transport))
        .slice(0, MAX_TRANSPORTS),
    },
  };
}

/** Parses the JSON of the result of `navigator.credentials.get()`. */
export function assertionFrom(text: string): Credential<Assertion> {
  const { outer, inner } = envelope(parseJson(text));
  const handle = inner['userHandle'];
  return {
    ...outer,
    response: {
      clientDataJSON: binary(inner, 'clientDataJSON', MAX_CLIENT_DATA),
      authenticatorData: binary(inner, 'authenticatorData'),
      signature: binary(inner, 'signature'),
      ...(handle === undefined || handle === null || handle === '' ? {} : { userHandle: binary(inner, 'userHandle') }),
    },
  };
}

/** The client data of a response. The signature covers its bytes, so it is trustworthy only after the verification. */
export function clientDataOf({ clientDataJSON }: { readonly clientDataJSON: string }): ClientData {
  const json = parseJson(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
  if (!isRecord(json) || typeof json['challenge'] !== 'string' || typeof json['origin'] !== 'string') {
    throw damagedCredential('clientDataJSON must be client data');
  }
  const framed = (json['crossOrigin'] ?? false) !== false || json['topOrigin'] !== undefined;
  return { challenge: json['challenge'], origin: json['origin'], framed };
}
