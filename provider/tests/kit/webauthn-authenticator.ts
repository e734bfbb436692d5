import {
  createHash,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import type { Fields } from './harness.ts';

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest();
const encode = (data: Uint8Array | string): string => Buffer.from(data).toString('base64url');

type Cbor = number | string | Uint8Array | readonly Uint8Array[] | ReadonlyMap<number | string, unknown>;

/** CBOR (RFC 8949) of what an authenticator says: small integers, texts, byte strings, lists of them, and maps. */
function cbor(value: Cbor): Buffer {
  const head = (major: number, count: number): Buffer => {
    if (count < 24) return Buffer.of((major << 5) | count);
    return count < 256 ? Buffer.of((major << 5) | 24, count) : Buffer.of((major << 5) | 25, count >> 8, count & 255);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (!('size' in value)) return Buffer.concat([head(4, value.length), ...value.map((item) => cbor(item))]);
  const entries = [...value].flatMap(([key, item]) => [cbor(key), cbor(item as string)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

const FLAGS = { present: 1, verified: 4, eligible: 8, backedUp: 16, attested: 64 };

/** How a response differs from an honest one. */
export interface ResponseFaults {
  readonly origin?: string;
  readonly crossOrigin?: boolean;
  readonly challenge?: string;
  readonly type?: string;
  readonly rpId?: string;
  readonly present?: boolean;
  readonly verified?: boolean;
  readonly eligible?: boolean;
  readonly backedUp?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | null;
  readonly signWith?: KeyObject;
}

/** What an authenticator signs as a credential is made (WebAuthn Level 3, section 6.5). */
export interface AttestedData {
  readonly authData: Buffer;
  readonly clientDataHash: Buffer;
  /** The new credential's. */
  readonly pair: KeyPairKeyObjectResult;
}

/** How a model of authenticators attests what it makes. */
export interface Attester {
  readonly aaguid: string;
  /** The format of the statement, and its fields. */
  readonly attest: (data: AttestedData) => readonly [format: string, statement: ReadonlyMap<string, unknown>];
}

/** A passkey provider in software: one ES256 credential, synced, that verifies its user (WebAuthn Level 3, section 6). */
export class SoftwareAuthenticator {
  readonly id = randomBytes(32);
  counter = 0;
  private readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private userHandle = '';

  constructor(
    private readonly origin = 'http://localhost:3000',
    private readonly attester?: Attester,
  ) {}

  /** What `navigator.credentials.create()` gives, as JSON text. */
  create(options: Fields, spoiled: ResponseFaults = {}): string {
    this.userHandle = options['user'].id;
    const { x = '', y = '' } = this.pair.publicKey.export({ format: 'jwk' }) as { x?: string; y?: string };
    const key = cbor(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    const length = Buffer.of(this.id.length >> 8, this.id.length & 255);
    const aaguid = Buffer.from((this.attester?.aaguid ?? '').replaceAll('-', '').padStart(32, '0'), 'hex');
    const attested = Buffer.concat([aaguid, length, this.id, key]);
    const authData = Buffer.concat([this.authData(options['rp'].id, spoiled, FLAGS.attested), attested]);
    const clientData = this.clientData('webauthn.create', options, spoiled);
    const data = { authData, clientDataHash: sha256(clientData), pair: this.pair };
    const [format, statement] = this.attester?.attest(data) ?? ['none', new Map()];
    const attestation = new Map<string, unknown>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', authData],
    ]);
    return JSON.stringify({
      id: encode(this.id),
      rawId: encode(this.id),
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: {
        clientDataJSON: encode(clientData),
        attestationObject: encode(cbor(attestation)),
        transports: ['internal', 'hybrid'],
      },
    });
  }

  /** What `navigator.credentials.get()` gives, as JSON text. */
  get(options: Fields, spoiled: ResponseFaults = {}): string {
    const authData = this.authData(options['rpId'], spoiled);
    const clientData = this.clientData('webauthn.get', options, spoiled);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    const userHandle = spoiled.userHandle === undefined ? this.userHandle : spoiled.userHandle;
    return JSON.stringify({
      id: encode(this.id),
      rawId: encode(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: encode(clientData),
        authenticatorData: encode(authData),
        signature: encode(sign('sha256', signed, spoiled.signWith ?? this.pair.privateKey)),
        userHandle,
      },
    });
  }

  private clientData(type: string, options: Fields, spoiled: ResponseFaults): string {
    return JSON.stringify({
      type: spoiled.type ?? type,
      challenge: spoiled.challenge ?? options['challenge'],
      origin: spoiled.origin ?? this.origin,
      crossOrigin: spoiled.crossOrigin ?? false,
    });
  }

  private authData(rpId: string, spoiled: ResponseFaults, more = 0): Buffer {
    const eligible = spoiled.eligible ?? true;
    const flags =
      (spoiled.present === false ? 0 : FLAGS.present) |
      (spoiled.verified === false ? 0 : FLAGS.verified) |
      (eligible ? FLAGS.eligible : 0) |
      (eligible && spoiled.backedUp !== false ? FLAGS.backedUp : 0) |
      more;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(spoiled.counter ?? this.counter);
    return Buffer.concat([sha256(spoiled.rpId ?? rpId), Buffer.of(flags), counter]);
  }
}
