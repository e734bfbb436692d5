import { base32Of, base32Secret, totpApp, type App } from '../person/totp.ts';
import type { Passkey, RecoveryCodeHash } from '../person/person.ts';
import { itemsOrLoss, orLoss } from '../rows/loss.ts';
import type { Row, Values } from '../rows/row.ts';
import type { Loss } from '../vendor.ts';

/** What the credentials of a user are here. */
export interface Credentials {
  readonly passwords: readonly (Values | Loss)[];
  readonly apps: readonly (App | Loss)[];
  readonly passkeys: readonly (Passkey | Loss)[];
  readonly recovery_codes: readonly (RecoveryCodeHash | Loss)[];
}

const ALGORITHMS: ReadonlySet<unknown> = new Set(['pbkdf2', 'pbkdf2-sha256', 'pbkdf2-sha512', 'argon2']);

/** Since version 8 a credential has JSON in two texts; before, the fields themselves. */
function partsOf(row: Row): { readonly data: Row; readonly secret: Row } {
  const isOld = row.value('hashedSaltedValue') !== null;
  return isOld ? { data: row, secret: row } : { data: row.within('credentialData'), secret: row.within('secretData') };
}

function passwordOf(values: Values, row: Row): Values | Loss {
  const { data, secret } = partsOf(row);
  const value = secret.text('hashedSaltedValue') ?? secret.text('value');
  if (value === null) return { what: 'password', reason: 'the export has no hash of it' };
  const algorithm = data.text('algorithm') ?? 'pbkdf2-sha256';
  // Of a plugin that writes the text of bcrypt.
  if (/^\$2[aby]\$/u.test(value)) return { hash: value };
  if (!ALGORITHMS.has(algorithm)) return { what: 'password', reason: 'a plugin of Keycloak made the hash' };
  const { type: _, ...fields } = values;
  return { hash: JSON.stringify({ type: 'password', ...fields }) };
}

function appOf(row: Row): App | Loss {
  const { data, secret } = partsOf(row);
  const type = row.text('type');
  const kind = type === 'otp' ? (data.text('subType') ?? 'totp') : type;
  if (kind === 'hotp')
    return { what: 'app', reason: 'its codes are counted (HOTP), and only those of the time are accepted here' };
  const value = secret.text('hashedSaltedValue') ?? secret.requiredText('value');
  const encoding = data.text('secretEncoding')?.toUpperCase() ?? null;
  if (encoding !== null && encoding !== 'BASE32')
    return { what: 'app', reason: 'its secret has an encoding other than BASE32' };
  // Without an encoding the bytes of the text are the secret, also if it looks like base32.
  const base32 = encoding === null ? base32Of(value) : base32Secret(value);
  if (base32 === null) throw secret.fault('value', 'base32, as secretEncoding names it');
  return totpApp({
    secret: base32,
    algorithm: data.text('algorithm'),
    digits: data.count('digits'),
    period: data.count('period'),
  });
}

function passkeyOf(row: Row, userId: string): Passkey {
  const { data } = partsOf(row);
  return {
    credential_id: data.requiredBytes('credentialId'),
    public_key: data.requiredBytes('credentialPublicKey'),
    counter: data.count('counter') ?? 0,
    transports: data.texts('transports'),
    // The bytes of the id as text.
    user_handle: Buffer.from(userId).toString('base64url'),
    name: row.text('userLabel'),
    created_at: row.time('createdDate'),
    backed_up: null,
    backup_eligible: null,
  };
}

/** Unused codes, because a used one is removed. Each is hashed once, without a salt. */
function codesOf(row: Row): readonly (RecoveryCodeHash | Loss)[] {
  const { data, secret } = partsOf(row);
  const isUsual = (data.count('hashIterations') ?? 1) <= 1 && (data.text('algorithm') ?? 'RS512').endsWith('512');
  if (!isUsual) return [{ what: 'recovery codes', reason: 'their hashes are of an unknown kind' }];
  return secret.rows('codes').map((code) => ({ hash: code.requiredText('encodedHashedValue'), hash_type: 'sha_512' }));
}

export function credentialsOf(user: Row, userId: string): Credentials {
  const passwords: (Values | Loss)[] = [];
  const apps: (App | Loss)[] = [];
  const passkeys: (Passkey | Loss)[] = [];
  const recovery_codes: (RecoveryCodeHash | Loss)[] = [];
  for (const [at, values] of user.objects('credentials').entries()) {
    const row = user.within(`credentials[${at}]`, values);
    switch (row.text('type')) {
      case 'password':
        passwords.push(orLoss('password', () => passwordOf(values, row)));
        break;
      case 'otp':
      case 'totp':
      case 'hotp':
        apps.push(orLoss('app', () => appOf(row)));
        break;
      case 'webauthn':
      case 'webauthn-passwordless':
        passkeys.push(orLoss('passkey', () => passkeyOf(row, userId)));
        break;
      case 'recovery-authn-codes':
        recovery_codes.push(...itemsOrLoss('recovery codes', () => codesOf(row)));
        break;
      case 'password-history':
        break;
      default:
        apps.push({ what: 'app', reason: 'it is a credential of a plugin' });
    }
  }
  return { passwords, apps, passkeys, recovery_codes };
}
