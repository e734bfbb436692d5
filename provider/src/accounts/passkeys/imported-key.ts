import { ed25519 } from '@noble/curves/ed25519.js';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** The first byte of a DER sequence (X.690), and the major type of a CBOR map (RFC 8949, section 3.1). */
const DER_SEQUENCE = 0x30;
const CBOR_MAP = 5;

/** Parameters of a COSE key (RFC 9053, section 7), and its types. */
const KTY = 1;
const ALG = 3;
const [CRV, X, Y] = [-1, -2, -3];
const [N, E] = [-1, -2];
const OKP = 1;
const EC2 = 2;
const RSA = 3;

interface Curve {
  readonly crv: number;
  readonly alg: number;
  /** The length of a coordinate. */
  readonly bytes: number;
}

const CURVES: Readonly<Record<string, Curve>> = {
  'P-256': { crv: 1, alg: -7, bytes: 32 },
  'P-384': { crv: 2, alg: -35, bytes: 48 },
  'P-521': { crv: 3, alg: -36, bytes: 66 },
};
const ED25519 = { crv: 6, alg: -8, bytes: 32 } as const;
const RS256 = -257;
const RSA_BITS = { min: 2048, max: 8192 } as const;

type CoseKey = ReadonlyMap<unknown, unknown>;
type Encodable = Parameters<typeof isoCBOR.encode>[0];

/**
 * The public key of a passkey as it is stored (COSE in base64url), from the COSE key or from SPKI, as other systems store it. Null for
 * anything else: a key of another algorithm than a new passkey may have, or a point that is not on its curve.
 */
export function publicKeyFrom(bytes: Uint8Array): string | null {
  const first = bytes[0] ?? 0;
  try {
    const key = first === DER_SEQUENCE ? spkiKey(bytes) : first >> 5 === CBOR_MAP ? coseKey(bytes) : null;
    return key === null ? null : coseOf(key);
  } catch {
    return null;
  }
}

function spkiKey(der: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
}

/** Null if the key is for an algorithm that is not one of its type. */
function coseKey(bytes: Uint8Array): KeyObject | null {
  const fields = isoCBOR.decodeFirst<CoseKey>(Uint8Array.from(bytes));
  if (!(fields instanceof Map)) return null;
  const jwk = jwkOf(fields);
  if (jwk === null) return null;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return fields.get(ALG) === algorithmOf(key) ? key : null;
}

function jwkOf(fields: CoseKey): JsonWebKey | null {
  const text = (label: number): string => {
    const value = fields.get(label);
    if (!(value instanceof Uint8Array)) throw new TypeError('the parameter is no byte string');
    return Buffer.from(value).toString('base64url');
  };
  switch (fields.get(KTY)) {
    case EC2: {
      const name = Object.keys(CURVES).find((curve) => CURVES[curve]?.crv === fields.get(CRV));
      return name === undefined ? null : { kty: 'EC', crv: name, x: text(X), y: text(Y) };
    }
    case OKP:
      return fields.get(CRV) === ED25519.crv ? { kty: 'OKP', crv: 'Ed25519', x: text(X) } : null;
    case RSA:
      return { kty: 'RSA', n: text(N), e: text(E) };
    default:
      return null;
  }
}

/** Undefined for an algorithm that no passkey of this server has. */
function algorithmOf(key: KeyObject): number | undefined {
  const { crv = '' } = key.export({ format: 'jwk' });
  if (key.asymmetricKeyType === 'ec') return CURVES[crv]?.alg;
  if (key.asymmetricKeyType === 'ed25519') return ED25519.alg;
  return key.asymmetricKeyType === 'rsa' ? RS256 : undefined;
}

/** Node's import of a key checks that an elliptic point is on its curve, except on that of Ed25519. */
function coseOf(key: KeyObject): string | null {
  const { crv = '', x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' });
  const curve = CURVES[crv];
  if (key.asymmetricKeyType === 'ec' && curve !== undefined) {
    return encoded([
      [KTY, EC2],
      [ALG, curve.alg],
      [CRV, curve.crv],
      [X, padded(x, curve.bytes)],
      [Y, padded(y, curve.bytes)],
    ]);
  }
  if (key.asymmetricKeyType === 'ed25519') {
    const point = padded(x, ED25519.bytes);
    // Throws if there is no such point. One of small order would accept signatures that its holder did not make.
    if (ed25519.Point.fromBytes(point, false).isSmallOrder()) return null;
    return encoded([
      [KTY, OKP],
      [ALG, ED25519.alg],
      [CRV, ED25519.crv],
      [X, point],
    ]);
  }
  if (key.asymmetricKeyType !== 'rsa' || !isSafe(key)) return null;
  return encoded([
    [KTY, RSA],
    [ALG, RS256],
    [N, bytesOf(n)],
    [E, bytesOf(e)],
  ]);
}

function isSafe(key: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  const isOdd = publicExponent % 2n === 1n;
  return modulusLength >= RSA_BITS.min && modulusLength <= RSA_BITS.max && publicExponent > 1n && isOdd;
}

const encoded = (entries: readonly (readonly [number, number | Uint8Array<ArrayBuffer>])[]): string =>
  Buffer.from(isoCBOR.encode(new Map(entries) as unknown as Encodable)).toString('base64url');

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64url'));

/** A coordinate in its whole length: some encoders drop the zeros before it. */
function padded(text: string, length: number): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(text);
  const whole = new Uint8Array(length);
  whole.set(bytes, length - bytes.length);
  return whole;
}
