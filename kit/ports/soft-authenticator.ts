import { base64url } from '#domain/base64url.ts';
import type { UserNames } from '#domain/passkeys/user-names.ts';

/** UP, UV, BE and BS: the user was present and verified, and the passkey is synced (WebAuthn Level 3, section 6.1). */
const FLAGS = 0x1d;
/** BE and BS: no person confirmed the passkey. */
const SILENT_FLAGS = 0x18;
const ATTESTED = 0x40;
const ES256 = -7;
const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

type Bytes = Uint8Array<ArrayBuffer>;

interface Passkey {
  readonly id: Bytes;
  readonly rpId: string;
  readonly userHandle: ArrayBuffer;
  readonly key: CryptoKey;
  /** The secret of the `prf` extension (section 10.1.4). */
  readonly secret: Bytes;
  readonly names: UserNames;
}

/** The result of a ceremony: the fields of a credential that a platform authenticator sets. */
export interface SoftCredential {
  readonly id: string;
  readonly rawId: Bytes;
  readonly type: 'public-key';
  readonly authenticatorAttachment: 'platform';
  readonly clientExtensionResults: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>>;
}

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
const bytes = (...parts: readonly (Iterable<number> | number)[]): Bytes =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...part])));
const word16 = (value: number): readonly number[] => [value >> 8, value & 0xff];
const sha256 = async (data: Bytes): Promise<Bytes> =>
  new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', data));
const viewOf = (data: BufferSource): Uint8Array =>
  data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
const idOf = (id: BufferSource): string => base64url(viewOf(id));

/** An integer of a DER sequence (X.690, section 8.3). */
function derInteger(unsigned: Bytes): Bytes {
  let start = 0;
  while (start < unsigned.length - 1 && unsigned[start] === 0) start += 1;
  const short = unsigned.subarray(start);
  const value = (short[0] ?? 0) > 0x7f ? bytes(0, short) : short;
  return bytes(2, value.length, value);
}

/** Converts Web Cryptography's signature (r and s) to the DER form of WebAuthn (section 6.5.5). */
function der(raw: Bytes): Bytes {
  const pair = bytes(derInteger(raw.subarray(0, 32)), derInteger(raw.subarray(32)));
  return bytes(0x30, pair.length, pair);
}

/** A platform authenticator in memory. Its ES256 passkeys create real signatures, which a real server accepts. */
export class SoftAuthenticator {
  /** Newest first. */
  private readonly passkeys: Passkey[] = [];

  /** The number of stored passkeys. */
  get count(): number {
    return this.passkeys.length;
  }

  /** Deletes every passkey, as a person can in a password manager. */
  clear(): void {
    this.passkeys.length = 0;
  }

  /** Deletes a passkey that is unknown to the site (section 5.1.10.1). */
  forget(rpId: string, credentialId: string): void {
    this.keep((passkey) => passkey.rpId !== rpId || idOf(passkey.id) !== credentialId);
  }

  /** Deletes the user's passkeys that the site no longer accepts (section 5.1.10.2). */
  keepAccepted(rpId: string, userId: string, credentialIds: readonly string[]): void {
    const isTheirs = (passkey: Passkey): boolean => passkey.rpId === rpId && idOf(passkey.userHandle) === userId;
    this.keep((passkey) => !isTheirs(passkey) || credentialIds.includes(idOf(passkey.id)));
  }

  /** The names shown with its passkeys, newest first. */
  get names(): readonly UserNames[] {
    return this.passkeys.map(({ names }) => names);
  }

  /** Changes the names shown with the user's passkeys (section 5.1.10.3). */
  rename(rpId: string, userId: string, names: UserNames): void {
    for (const [index, passkey] of this.passkeys.entries()) {
      if (passkey.rpId === rpId && idOf(passkey.userHandle) === userId) this.passkeys[index] = { ...passkey, names };
    }
  }

  private keep(isKept: (passkey: Passkey) => boolean): void {
    this.passkeys.splice(0, this.passkeys.length, ...this.passkeys.filter(isKept));
  }

  /** @param isSilent creates the passkey without asking (section 5.1.3, conditional mediation) */
  async create(options: PublicKeyCredentialCreationOptions, origin: string, isSilent = false): Promise<SoftCredential> {
    const rpId = checkedRpId(options.rp.id, origin);
    const excluded = new Set((options.excludeCredentials ?? []).map(({ id }) => idOf(id)));
    if (this.passkeys.some(({ id }) => excluded.has(idOf(id)))) {
      throw new DOMException('A passkey is here already', 'InvalidStateError');
    }
    const { pubKeyCredParams } = options;
    if (pubKeyCredParams.length > 0 && !pubKeyCredParams.some(({ alg }) => alg === ES256)) {
      throw new DOMException('Only ES256 is spoken here', 'NotSupportedError');
    }
    const pair = await globalThis.crypto.subtle.generateKey(ECDSA, true, ['sign']);
    const point = new Uint8Array(await globalThis.crypto.subtle.exportKey('raw', pair.publicKey));
    const id = globalThis.crypto.getRandomValues(new Uint8Array(32));
    const { id: userHandle, name, displayName } = options.user;
    const names = { name, displayName };
    const secret = globalThis.crypto.getRandomValues(new Uint8Array(32));
    this.passkeys.unshift({ id, rpId, userHandle: userHandle as ArrayBuffer, key: pair.privateKey, names, secret });
    // COSE_Key (RFC 9052, section 7): EC2, ES256, P-256, x, y.
    const x = bytes(0x21, 0x58, 32, point.subarray(1, 33));
    const y = bytes(0x22, 0x58, 32, point.subarray(33));
    const cose = bytes(0xa5, 1, 2, 3, 0x26, 0x20, 1, x, y);
    const head = await authenticatorData(rpId, (isSilent ? SILENT_FLAGS : FLAGS) | ATTESTED);
    const authData = bytes(head, new Uint8Array(16), word16(id.length), id, cose);
    // { fmt: 'none', attStmt: {}, authData } in CBOR (RFC 8949).
    const attestationObject = bytes(
      [0xa3, 0x63, ...utf8('fmt'), 0x64, ...utf8('none'), 0x67, ...utf8('attStmt'), 0xa0, 0x68, ...utf8('authData')],
      [0x59, ...word16(authData.length), ...authData],
    );
    const clientDataJSON = clientData('webauthn.create', options.challenge, origin);
    const answers = await derived(options.extensions, secret, { enabled: true });
    return credential(id, { clientDataJSON, attestationObject, transports: ['internal', 'hybrid'] }, answers);
  }

  async get(options: PublicKeyCredentialRequestOptions, origin: string): Promise<SoftCredential> {
    const rpId = checkedRpId(options.rpId, origin);
    const allowed = new Set((options.allowCredentials ?? []).map(({ id }) => idOf(id)));
    const isAllowed = ({ id }: Passkey): boolean => allowed.size === 0 || allowed.has(idOf(id));
    const passkey = this.passkeys.find((one) => one.rpId === rpId && isAllowed(one));
    if (passkey === undefined) throw new DOMException('No passkey here will do', 'NotAllowedError');
    const data = await authenticatorData(rpId, FLAGS);
    const clientDataJSON = clientData('webauthn.get', options.challenge, origin);
    const payload = bytes(data, await sha256(clientDataJSON));
    const raw = new Uint8Array(await globalThis.crypto.subtle.sign(ECDSA, passkey.key, payload));
    const { userHandle } = passkey;
    const answers = await derived(options.extensions, passkey.secret, {});
    return credential(
      passkey.id,
      { clientDataJSON, authenticatorData: data, signature: der(raw), userHandle },
      answers,
    );
  }
}

type Extensions = AuthenticationExtensionsClientInputs | undefined;

/** The result of the `prf` extension, if it was requested. */
async function derived(
  extensions: Extensions,
  secret: Bytes,
  answer: object,
): Promise<SoftCredential['clientExtensionResults']> {
  const { prf } = extensions ?? {};
  if (prf === undefined) return {};
  const { first, second } = prf.eval ?? {};
  if (first === undefined) return { prf: answer };
  const key = await globalThis.crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  const of = async (value: BufferSource): Promise<ArrayBuffer> =>
    globalThis.crypto.subtle.sign('HMAC', key, await sha256(bytes(utf8('WebAuthn PRF'), 0, viewOf(value))));
  const results = { first: await of(first), ...(second && { second: await of(second) }) };
  return { prf: { ...answer, results } };
}

function credential(
  rawId: Bytes,
  response: SoftCredential['response'],
  clientExtensionResults: SoftCredential['clientExtensionResults'],
): SoftCredential {
  const kind = { type: 'public-key', authenticatorAttachment: 'platform' } as const;
  return { id: idOf(rawId), rawId, ...kind, clientExtensionResults, response };
}

/** The page's own host name, or a parent domain of it (section 5.1.3, step 8). */
function checkedRpId(rpId: string | undefined, origin: string): string {
  const { hostname } = new URL(origin);
  if (rpId === undefined || rpId === hostname || hostname.endsWith(`.${rpId}`)) return rpId ?? hostname;
  throw new DOMException('The page is not of that name', 'SecurityError');
}

/** Authenticator data (section 6.1). The signature counter is always 0, as for synced passkeys. */
async function authenticatorData(rpId: string, flags: number): Promise<Bytes> {
  return bytes(await sha256(utf8(rpId)), flags, 0, 0, 0, 0);
}

function clientData(type: string, challenge: BufferSource, origin: string): Bytes {
  return utf8(JSON.stringify({ type, challenge: idOf(challenge), origin, crossOrigin: false }));
}
