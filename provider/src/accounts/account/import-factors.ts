import { normalRecoveryCode } from '#server-rules/totps.ts';
import { isRelyingParty, nameFrom } from '#server-rules/passkeys.ts';
import { OAUTH_PROVIDERS } from '#domain/social/oauth-providers.ts';
import { isRecord } from '#domain/shape.ts';
import { Secret } from 'otpauth';
import { publicKeyFrom } from '../passkeys/imported-key.ts';
import type { MigratedHash } from '../passwords/exported/migrated-hash.ts';
import { migratedHash } from '../passwords/migrated-hashes.ts';
import type { Project } from '#provider/project/settings/project.ts';
import {
  FieldError,
  flag,
  listOf,
  object,
  oneOf,
  text,
  textThat,
  whole,
  type Reader,
} from '#provider/project/readers/readers.ts';
import { TOTP_ALGORITHMS, USUAL_TOTP, type TotpParameters } from '../totps/code.ts';
import { readAddress } from '../wallets/challenges.ts';
import { few, hashOf, readHash, TIME } from './import-readers.ts';

/** An authenticator app: its secret in base32, and how it computes codes. */
export interface ImportedTotp extends TotpParameters {
  readonly secret: string;
}

/** An unused recovery code in its normal form, or the hash that the old system made of it. */
export type ImportedCode = string | MigratedHash;

export interface ImportedPasskey {
  readonly credential_id: string;
  /** COSE in base64url, as it is stored. */
  readonly public_key: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly rp_id: string;
  readonly user_handle: string | null;
  readonly name: string | null;
  readonly created_at: string | null;
  readonly backed_up: boolean | null;
  readonly backup_eligible: boolean | null;
}

export interface ImportedAccount {
  readonly provider: string;
  readonly subject: string;
  /** Not stored: an account is found by its subject. */
  readonly email: string | null;
}

export interface ImportedWallet {
  readonly type: 'ethereum' | 'solana';
  readonly address: string;
}

/** The login methods of a line beside contacts and the password. */
export interface ImportedFactors {
  readonly totp: ImportedTotp | null;
  readonly recovery_codes: readonly ImportedCode[];
  readonly passkeys: readonly ImportedPasskey[];
  readonly social_accounts: readonly ImportedAccount[];
  readonly wallets: readonly ImportedWallet[];
}

export const NO_FACTORS: ImportedFactors = {
  totp: null,
  recovery_codes: [],
  passkeys: [],
  social_accounts: [],
  wallets: [],
};

/** The bounds of a secret in bytes: many systems made the first one of 80 bits. */
const SECRET_BYTES = { min: 10, max: 128 } as const;
const PERIOD_SECONDS = { min: 10, max: 300 } as const;

/** In upper case, without the padding, blanks and hyphens that people and systems add. */
const secretIn: Reader<string> = (value, path) => {
  const secret = text(value, path)
    .toUpperCase()
    .replace(/[\s=-]/gu, '');
  const bytes = Math.floor((secret.length * 5) / 8);
  if (!/^[A-Z2-7]*$/u.test(secret) || bytes < SECRET_BYTES.min || bytes > SECRET_BYTES.max) {
    throw new FieldError(
      path,
      `base32 (letters A to Z and digits 2 to 7) of ${SECRET_BYTES.min} to ${SECRET_BYTES.max} bytes`,
    );
  }
  // Apps ignore what is left after the last whole byte.
  return Secret.fromBase32(secret).base32;
};

const digits: Reader<TotpParameters['digits']> = (value, path) => {
  if (value !== 6 && value !== 8) throw new FieldError(path, '6 or 8');
  return value;
};

export const importedTotp = object<ImportedTotp>(
  {
    secret: secretIn,
    algorithm: oneOf(...TOTP_ALGORITHMS),
    digits,
    period: whole(PERIOD_SECONDS.min, PERIOD_SECONDS.max),
  },
  USUAL_TOTP,
);

/** Fewer letters could be guessed within the limits of tries. */
const CODE_LETTERS = { min: 6, max: 64 } as const;

const code: Reader<ImportedCode> = (value, path) => {
  if (isRecord(value)) return hashOf(path, () => migratedHash(readHash(value, path)));
  if (typeof value !== 'string') throw new FieldError(path, 'the text of a code, or an object with its hash');
  const normal = normalRecoveryCode(value);
  const letters = normal.replaceAll('-', '').length;
  if (letters < CODE_LETTERS.min || letters > CODE_LETTERS.max) {
    throw new FieldError(path, `a code of ${CODE_LETTERS.min} to ${CODE_LETTERS.max} letters and digits`);
  }
  return normal;
};

/** A wrong code is compared with each hash of its user. */
const MOST_HASHES = 20;

const codes: Reader<readonly ImportedCode[]> = (value, path) => {
  const list = few(listOf(code))(value, path);
  const hashes = list.filter((each) => typeof each !== 'string');
  if (hashes.length > MOST_HASHES) throw new FieldError(path, `a list of at most ${MOST_HASHES} hashes`);
  if (new Set(list.map((each) => JSON.stringify(each))).size < list.length) {
    throw new FieldError(path, 'different from each other');
  }
  return list;
};

/** The bytes of base64 in either alphabet, with or without padding; null for another text. */
function base64Bytes(value: string): Uint8Array | null {
  const plain = value
    .replace(/={1,2}$/u, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  const bytes = Buffer.from(plain, 'base64url');
  return plain !== '' && bytes.toString('base64url') === plain ? bytes : null;
}

/** Base64url of so many bytes, in the one spelling that a browser sends. */
function base64url(min: number, max: number): Reader<string> {
  return (value, path) => {
    const plain = text(value, path).replace(/={1,2}$/u, '');
    const bytes = /^[\w-]+$/u.test(plain) ? base64Bytes(plain) : null;
    if (bytes === null || bytes.length < min || bytes.length > max) {
      throw new FieldError(path, `base64url of ${min} to ${max} bytes`);
    }
    return plain;
  };
}

const publicKey: Reader<string> = (value, path) => {
  const bytes = base64Bytes(text(value, path));
  if (bytes === null) throw new FieldError(path, 'base64url or base64 of a public key in COSE or SPKI');
  const key = publicKeyFrom(bytes);
  if (key !== null) return key;
  const algorithms = 'EdDSA (Ed25519), ES256, ES384, ES512 or RS256';
  throw new FieldError(path, `a key in COSE or SPKI, valid and for ${algorithms}: take other passkeys out of the line`);
};

/** WebAuthn Level 3, section 5.1: an id has 16 bytes at least, 1023 at most. */
const ID_BYTES = { min: 16, max: 1023 } as const;
const MOST_TRANSPORTS = 8;
const MAX_COUNT = 2 ** 32 - 1;
const SUBJECT = /^[\x21-\x7e]{1,255}$/u;

const passkeysOf = (project: Project): Reader<ImportedPasskey> => {
  const read = object<ImportedPasskey>(
    {
      credential_id: base64url(ID_BYTES.min, ID_BYTES.max),
      public_key: publicKey,
      counter: whole(0, MAX_COUNT),
      transports: (value, path) => {
        const transport = textThat('a transport such as internal, hybrid or usb', (name) =>
          /^[a-z-]{1,32}$/u.test(name),
        );
        const list = listOf(transport)(value, path);
        if (list.length > MOST_TRANSPORTS) throw new FieldError(path, `a list of at most ${MOST_TRANSPORTS}`);
        return list;
      },
      rp_id: textThat(
        'the host of one of origins of the project file: add the origin of the site that has its passkeys',
        (id) => isRelyingParty(project, id),
      ),
      user_handle: base64url(1, 64),
      name: (value, path) => {
        const name = nameFrom(text(value, path));
        if (name === null) throw new FieldError(path, 'a name of 1 to 120 visible characters');
        return name;
      },
      created_at: TIME,
      backed_up: flag,
      backup_eligible: flag,
    },
    {
      counter: 0,
      transports: [],
      user_handle: null,
      name: null,
      created_at: null,
      backed_up: null,
      backup_eligible: null,
    },
  );
  return (value, path) => {
    const passkey = read(value, path);
    if (passkey.backed_up !== true) return passkey;
    if (passkey.backup_eligible === false)
      throw new FieldError(`${path}.backed_up`, 'false for a key that is not synced');
    return { ...passkey, backup_eligible: true };
  };
};

const accountsOf = ({ oauth_clients }: Project): Reader<ImportedAccount> => {
  const names = [...new Set([...Object.keys(OAUTH_PROVIDERS), ...Object.keys(oauth_clients)])];
  return object<ImportedAccount>(
    {
      provider: (value, path) => {
        const name = text(value, path).toLowerCase();
        const found = names.find((each) => each.toLowerCase() === name);
        if (found !== undefined) return found;
        throw new FieldError(path, `one of ${names.join(', ')}, or a name in oauth_clients of the project file`);
      },
      subject: textThat('the id of the account at the provider: 1 to 255 characters without blanks', (id) =>
        SUBJECT.test(id),
      ),
      email: text,
    },
    { email: null },
  );
};

const wallet: Reader<ImportedWallet> = (value, path) => {
  const { type, address } = object<ImportedWallet>({ type: oneOf('ethereum', 'solana'), address: text })(value, path);
  const normal = readAddress(type, address.trim());
  if (normal !== null) return { type, address: normal };
  const form =
    type === 'ethereum' ? '0x and 40 hexadecimal digits, with a right checksum or in lower case' : 'base58 of 32 bytes';
  throw new FieldError(`${path}.address`, form);
};

/** The readers of the five fields. */
export const factorReaders = (
  project: Project,
): { readonly [Field in keyof ImportedFactors]: Reader<ImportedFactors[Field]> } => ({
  totp: importedTotp,
  recovery_codes: codes,
  passkeys: few(listOf(passkeysOf(project))),
  social_accounts: few(listOf(accountsOf(project))),
  wallets: few(listOf(wallet)),
});

/** A credential of a line, which only one user can have. */
export interface FactorKey {
  readonly kind: 'passkey' | 'social' | 'wallet';
  /** Its field in the line, and that of all lines. */
  readonly field: string;
  readonly fields: string;
  readonly key: string;
}

export function factorKeys({ passkeys, social_accounts, wallets }: ImportedFactors): readonly FactorKey[] {
  const keys = <Item>(
    kind: FactorKey['kind'],
    list: string,
    name: string,
    items: readonly Item[],
    key: (item: Item) => string,
  ) =>
    items.map((item, place) => ({
      kind,
      field: `${list}[${place}].${name}`,
      fields: `${list}.${name}`,
      key: key(item),
    }));
  return [
    ...keys('passkey', 'passkeys', 'credential_id', passkeys, ({ credential_id }) => credential_id),
    ...keys(
      'social',
      'social_accounts',
      'subject',
      social_accounts,
      ({ provider, subject }) => `${provider} ${subject}`,
    ),
    ...keys('wallet', 'wallets', 'address', wallets, ({ type, address }) => `${type} ${address}`),
  ];
}
