import { createHash, createHmac, randomBytes } from 'node:crypto';
import { asLines, exportOf, type Values } from '../exports.ts';
import { argon2Text, bcryptText, digestOf, FIREBASE, firebaseHash, pbkdf2Key, SCRYPT, scryptKey, sshaText } from '../old-hashes.ts'; // prettier-ignore
import { uuidOf, type OldPerson, type OldSystem } from '../old-people.ts';

const [FIRST] = exportOf('kratos')['identities'] as readonly Values[];
const AT = '2024-02-03T04:05:06.789Z';

const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64');
const plain = (bytes: Buffer): string => base64(bytes).replaceAll('=', '');
const salted = (make: (salt: Buffer) => string) => make(randomBytes(16));

/** The forms of `hash/` in Kratos. */
const HASHERS: readonly ((password: string) => Promise<string> | string)[] = [
  (password) => bcryptText(password, '2a'),
  (password) => argon2Text(password),
  (password) => salted((salt) => `$scrypt$ln=${SCRYPT.N},r=8,p=1$${base64(salt)}$${base64(scryptKey(password, salt, 32))}`),
  (password) => salted((salt) => `$pbkdf2-sha256$i=1000,l=32$${plain(salt)}$${plain(pbkdf2Key(password, salt, 'sha256'))}`),
  (password) => salted((salt) => `$pbkdf2-sha512$i=1000,l=32$${plain(salt)}$${plain(pbkdf2Key(password, salt, 'sha512', 32))}`),
  (password) => salted((salt) => `$firescrypt$ln=${FIREBASE.mem_cost},r=8,p=1$${base64(salt)}$${firebaseHash(password, salt, FIREBASE)}$${FIREBASE.base64_salt_separator}$${FIREBASE.base64_signer_key}`),
  sshaText,
  (password) => `$sha256$pf=${base64('{SALT}{PASSWORD}')}$${base64('seasalt')}$${base64(digestOf(`seasalt${password}`, 'sha256'))}`,
  (password) => `$md5$${base64(digestOf(password, 'md5'))}`,
  (password) => `$hmac-sha256$${base64(createHmac('sha256', '12345').update(password).digest('hex'))}$${base64('12345')}`,
]; // prettier-ignore

async function credentialsOf({ n, id, emails, password, app, codes, used, passkeys, social }: OldPerson): Promise<Values> {
  const identifiers = emails.slice(0, 1).map(({ email }) => email.toLowerCase());
  const of = (type: string, config: object): Values => ({ [type]: { type, identifiers, version: 1, created_at: AT, updated_at: AT, config } });
  const keys = passkeys.map(({ line }) => ({ id: base64(Buffer.from(line.credential_id, 'base64url')), public_key: base64(Buffer.from(line.public_key, 'base64url')), attestation_type: 'none', authenticator: { aaguid: 'AAAAAAAAAAAAAAAAAAAAAA==', sign_count: line.counter, clone_warning: false }, display_name: 'Phone', added_at: AT, flags: { backup_eligible: line.backup_eligible, backup_state: line.backed_up } }));
  const options = app === null ? '' : `algorithm=${app.algorithm}&digits=${app.digits}&issuer=Old&period=${app.period}&secret=${app.secret}`;
  return {
    ...(password === null ? {} : of('password', { hashed_password: await HASHERS[n % HASHERS.length]?.(password) })),
    ...(app === null ? {} : of('totp', { totp_url: `otpauth://totp/Old:x@example.com?${options}` })),
    ...(codes.length === 0 ? {} : of('lookup_secret', { recovery_codes: [...used.map((code) => ({ code, used_at: AT })), ...codes.map((code) => ({ code, used_at: null }))] })),
    ...(keys.length === 0 ? {} : of('passkey', { credentials: keys, user_handle: base64(id) })),
    ...(social === null ? {} : of('oidc', { providers: [{ provider: social.provider, subject: social.subject, initial_id_token: '' }] })),
  };
} // prettier-ignore

async function identityOf(old: OldPerson): Promise<Values> {
  const { id, first, last, emails, phone, isBlocked, metadata } = old;
  const address = (value: string, via: string, verified: boolean) => ({ id: createHash('sha1').update(value).digest('hex'), value, via, verified, status: verified ? 'completed' : 'sent' }); // prettier-ignore
  return {
    ...FIRST,
    id,
    credentials: await credentialsOf(old),
    state: isBlocked ? 'inactive' : 'active',
    traits: { email: emails[0]?.email, phone: phone ?? undefined, name: { first, last }, ...metadata },
    verifiable_addresses: [...emails.map(({ email, verified }) => address(email, 'email', verified)), ...(phone === null ? [] : [address(phone, 'sms', true)])], // prettier-ignore
    recovery_addresses: [],
    metadata_admin: null,
  };
}

export const KRATOS: OldSystem = {
  features: ['password', 'app', 'codes', 'passkey', 'social', 'phone', 'addresses'],
  providers: ['google', 'github', 'discord', 'gitlab', 'apple', 'facebook'],
  apps: [
    { algorithm: 'SHA1', digits: 6, period: 30 },
    { algorithm: 'SHA256', digits: 8, period: 60 },
  ],
  codeOf: () => randomBytes(4).toString('hex'),
  idOf: uuidOf,
  write: async (people) => ({ 'identities.ndjson': asLines(await Promise.all(people.map(identityOf))) }),
};
