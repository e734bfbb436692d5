import { createHash, verify, type X509Certificate } from 'node:crypto';
import { SettingsService } from '@simplewebauthn/server';
import { parseJson } from '#domain/json.ts';
import { compactJwt } from '#domain/rules/compact-jwt.ts';
import { isRecord } from '#domain/shape.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { CERTIFICATIONS } from '#provider/project/settings/passkeys.ts';
import { certificateFrom, leadsTo } from './certificates.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;

/** The metadata file cannot be used. The message completes a sentence about the file. */
export class MetadataError extends Error {}

/**
 * The host name in the certificate of the FIDO Alliance's signer. It must be checked, because the same roots issue certificates to
 * everybody.
 */
const SIGNER = 'mds.fidoalliance.org';

/** The algorithms of FIDO's BLOBs (RFC 7518, section 3.1), by the type of the signer's key. */
const ALGORITHMS: Readonly<Record<string, string>> = { rsa: 'RS256', ec: 'ES256' };

/** The statuses that make a model unacceptable for passkeys, no matter when they were given (FIDO Metadata Service 3.0, section 3.1.4). */
const COMPROMISED: ReadonlySet<unknown> = new Set([
  'REVOKED',
  'USER_VERIFICATION_BYPASS',
  'ATTESTATION_KEY_COMPROMISE',
  'USER_KEY_REMOTE_COMPROMISE',
  'USER_KEY_PHYSICAL_COMPROMISE',
]);

/** A model of authenticators, as its entry in the metadata file describes it. */
export interface AuthenticatorModel {
  /** Null for a model of FIDO U2F. */
  readonly aaguid: string | null;
  /** Such as "YubiKey 5 Series with NFC"; null without a description. */
  readonly name: string | null;
  /** The status that makes passkeys of this model refused; null if there is none. */
  readonly compromise: string | null;
  /** The certificates that prove the model. */
  readonly anchors: () => readonly X509Certificate[];
  /** The index of its highest certification in `CERTIFICATIONS`; -1 without one. */
  readonly certificationAt: (now: number) => number;
}

/** A verified BLOB of the FIDO Metadata Service 3.0. */
export interface AuthenticatorMetadata {
  /** The number of the BLOB. Every publication has a higher one. */
  readonly no: number;
  /** When the file becomes outdated, in milliseconds since 1970. */
  readonly outdatedAt: number;
  /** The model with this AAGUID, or, for authenticators without one, the model of the attestation certificate. */
  readonly modelOf: (aaguid: string | null, certificate: X509Certificate | undefined) => AuthenticatorModel | undefined;
}

interface BlobOptions {
  /** The roots that issue the signer's certificate; null for the FIDO Alliance's. */
  readonly roots: readonly X509Certificate[] | null;
  /** In milliseconds since 1970. */
  readonly now: number;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const records = (value: unknown) => list(value).filter((item) => isRecord(item));
const strings = (value: unknown) => list(value).filter((item) => typeof item === 'string');
const jsonOf = (part: string): unknown => parseJson(Buffer.from(part, 'base64url').toString('utf8'));

/** The signed text of a BLOB (section 3.1.7 of the metadata service: a JWS in compact form, with the signer's chain in `x5c`). */
function payloadOf(blob: string, { roots, now }: BlobOptions): Readonly<Record<string, unknown>> {
  const parts = compactJwt(blob.trim());
  const header = parts && jsonOf(parts.header);
  if (parts === null || !isRecord(header)) throw new MetadataError('must be a signed BLOB, a JWT');
  const chain = strings(header['x5c']).map((der) => certificateFrom(der));
  const [signer] = chain;
  if (signer === undefined || chain.includes(undefined)) {
    throw new MetadataError('must have the certificates of its signer in x5c');
  }
  const certificates = chain.filter((certificate) => certificate !== undefined);
  const isFido = roots !== null || signer.checkHost(SIGNER) !== undefined;
  if (!isFido || !leadsTo(roots ?? fidoRoots(), certificates, now)) {
    throw new MetadataError(
      roots === null
        ? 'must be signed by the FIDO Alliance, with certificates that are valid now'
        : 'must be signed with certificates of metadata_roots_file that are valid now',
    );
  }
  const { publicKey: key } = signer;
  const algorithm = ALGORITHMS[key.asymmetricKeyType ?? ''];
  if (algorithm === undefined || header['alg'] !== algorithm) {
    throw new MetadataError('must be signed by RS256 or ES256');
  }
  const signature = Buffer.from(parts.signature, 'base64url');
  if (!verify('sha256', Buffer.from(parts.signingInput), { key, dsaEncoding: 'ieee-p1363' }, signature)) {
    throw new MetadataError('has a signature that is not that of its signer');
  }
  const payload = jsonOf(parts.payload);
  if (!isRecord(payload)) throw new MetadataError('must contain a JSON object');
  return payload;
}

function fidoRoots(): readonly X509Certificate[] {
  return SettingsService.getRootCertificates({ identifier: 'mds' })
    .map((pem) => certificateFrom(Buffer.from(pem)))
    .filter((certificate) => certificate !== undefined);
}

/** The end of the day of a date such as 2026-11-26, in UTC. */
function endOf(date: unknown): number {
  const day = typeof date === 'string' && /^\d{4}-\d\d-\d\d$/u.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(day)) throw new MetadataError('must have a nextUpdate such as 2026-11-26');
  return day + DAY_MS;
}

function modelFrom(entry: Readonly<Record<string, unknown>>): AuthenticatorModel {
  const statement = isRecord(entry['metadataStatement']) ? entry['metadataStatement'] : {};
  const { description, attestationRootCertificates: anchors } = statement;
  const reports = records(entry['statusReports']);
  const compromise = reports.find(({ status }) => COMPROMISED.has(status))?.['status'];
  return {
    aaguid: typeof entry['aaguid'] === 'string' ? entry['aaguid'] : null,
    name: typeof description === 'string' ? description : null,
    compromise: typeof compromise === 'string' ? compromise : null,
    anchors: () =>
      strings(anchors)
        .map((der) => certificateFrom(der))
        .filter((certificate) => certificate !== undefined),
    certificationAt(now) {
      const levels = reports
        .filter(({ effectiveDate: date }) => !(typeof date === 'string' && Date.parse(date) > now))
        // Before there were other levels, the first one had this name.
        .map(({ status }) => (status === 'FIDO_CERTIFIED' ? 0 : CERTIFICATIONS.findIndex((each) => each === status)));
      return Math.max(-1, ...levels);
    },
  };
}

/** The key of a certificate as entries identify it: SHA-1 of its BIT STRING (RFC 5280, section 4.2.1.2, method 1), hexadecimal. */
function keyIdentifierOf({ publicKey }: X509Certificate): string | null {
  const hash = (key: Uint8Array): string => createHash('sha1').update(key).digest('hex');
  if (publicKey.asymmetricKeyType === 'rsa') return hash(publicKey.export({ type: 'pkcs1', format: 'der' }));
  const { x, y } = publicKey.export({ format: 'jwk' });
  if (x === undefined || y === undefined) return null;
  return hash(Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]));
}

/** Verifies and reads a BLOB. Throws a MetadataError. */
export function metadataFrom(blob: string, options: BlobOptions): AuthenticatorMetadata {
  const { no, nextUpdate, entries } = payloadOf(blob, options);
  if (typeof no !== 'number' || !Number.isSafeInteger(no)) throw new MetadataError('must have a whole number as no');
  const outdatedAt = endOf(nextUpdate);
  if (options.now >= outdatedAt) {
    const day = new Date(outdatedAt - DAY_MS).toISOString().slice(0, 10);
    throw new MetadataError(`is out of date: its next update was due on ${day}`);
  }
  if (!Array.isArray(entries)) throw new MetadataError('must have a list of entries');
  const byAaguid = new Map<string, AuthenticatorModel>();
  const byKey = new Map<string, AuthenticatorModel>();
  for (const entry of records(entries)) {
    const model = modelFrom(entry);
    if (model.aaguid !== null) byAaguid.set(model.aaguid, model);
    for (const key of strings(entry['attestationCertificateKeyIdentifiers'])) byKey.set(key, model);
  }
  return {
    no,
    outdatedAt,
    modelOf(aaguid, certificate) {
      if (aaguid !== null) return byAaguid.get(aaguid);
      const key = certificate === undefined ? null : keyIdentifierOf(certificate);
      return key === null ? undefined : byKey.get(key);
    },
  };
}
