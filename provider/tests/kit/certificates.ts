import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** DER (X.690) of a value: its tag, its length, its contents. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  if (body.length < 128) return Buffer.concat([Buffer.of(tag, body.length), body]);
  const length = Buffer.of(body.length >> 16, (body.length >> 8) & 255, body.length & 255);
  const short = length.subarray(length.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.of(tag, 128 + short.length), short, body]);
}

const TAG = { boolean: 1, integer: 2, bits: 3, octets: 4, oid: 6, utf8: 12, time: 24, sequence: 48, set: 49 };

export const sequence = (...contents: readonly Uint8Array[]): Buffer => der(TAG.sequence, ...contents);
export const octets = (contents: Uint8Array): Buffer => der(TAG.octets, contents);
export const integer = (value: number): Buffer => der(TAG.integer, Buffer.of(value));

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = rest.flatMap((part) => {
    const groups = [part & 127];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 127) | 128);
    return groups;
  });
  return der(TAG.oid, Buffer.of(first * 40 + second, ...bytes));
}

const ATTRIBUTES: Readonly<Record<string, string>> = { C: '2.5.4.6', O: '2.5.4.10', OU: '2.5.4.11', CN: '2.5.4.3' };
const ECDSA_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));

export type Subject = Readonly<Record<string, string>>;

const nameOf = (subject: Subject): Buffer =>
  sequence(
    ...Object.entries(subject).map(([attribute, value]) =>
      der(TAG.set, sequence(oid(ATTRIBUTES[attribute] ?? ''), der(TAG.utf8, Buffer.from(value)))),
    ),
  );

/** An extension of a certificate (RFC 5280, section 4.2). */
export const extension = (id: string, value: Uint8Array): Buffer => sequence(oid(id), octets(value));

/** Where a list of revoked certificates would be (section 4.2.1.13). */
export const revokedAt = (url: string): Buffer =>
  extension('2.5.29.31', sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(url)))))));

/** The host to which a certificate belongs (section 4.2.1.6). */
export const ofHost = (host: string): Buffer => extension('2.5.29.17', sequence(der(0x82, Buffer.from(host))));

export interface Holder {
  readonly subject: Subject;
  readonly der: Buffer;
  readonly privateKey: KeyObject;
}

interface CertificateOptions {
  /** Itself when absent. */
  readonly by?: Holder;
  readonly ca?: boolean;
  readonly extensions?: readonly Buffer[];
  /** Such as 20240101000000Z. */
  readonly from?: string;
  readonly until?: string;
  readonly pair?: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
}

/** A certificate (RFC 5280) of a key on P-256, with its private key. */
export function certify(subject: Subject, options: CertificateOptions = {}): Holder {
  const pair = options.pair ?? generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { by = { subject, privateKey: pair.privateKey }, ca = false, extensions = [] } = options;
  const { from = '20240101000000Z', until = '20990101000000Z' } = options;
  const basic = sequence(...(ca ? [der(TAG.boolean, Buffer.of(255))] : []));
  const body = sequence(
    der(0xa0, integer(2)),
    der(TAG.integer, Buffer.of(1), randomBytes(8)),
    ECDSA_SHA256,
    nameOf(by.subject),
    sequence(der(TAG.time, Buffer.from(from)), der(TAG.time, Buffer.from(until))),
    nameOf(subject),
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension('2.5.29.19', basic), ...extensions)),
  );
  const signature = der(TAG.bits, Buffer.of(0), sign('sha256', body, by.privateKey));
  return { subject, privateKey: pair.privateKey, der: sequence(body, ECDSA_SHA256, signature) };
}

export const pemOf = ({ der: bytes }: Pick<Holder, 'der'>): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;

/** A certificate in the form of metadata statements. */
export const base64Of = ({ der: bytes }: Pick<Holder, 'der'>): string => bytes.toString('base64');

/** A BLOB of the FIDO Metadata Service 3.0, signed by the first holder, whose certificate the next one issued. */
export function signedBlob(signers: readonly Holder[], payload: unknown, header: object = {}): string {
  const [signer] = signers;
  if (signer === undefined) throw new Error('a BLOB needs a signer');
  const head = { alg: 'ES256', typ: 'JWT', x5c: signers.map((holder) => base64Of(holder)), ...header };
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part(head)}.${part(payload)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: signer.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

export const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');
