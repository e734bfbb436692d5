import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import { Secret } from 'otpauth';
import { exportOf, type Values } from '../exports.ts';
import { bcryptText, pbkdf2Key } from '../old-hashes.ts';
import { uuidOf, type OldPerson, type OldSystem } from '../old-people.ts';

const REALM = exportOf('keycloak')['realm'] as Values;
const [FIRST] = REALM['users'] as readonly Values[];

/** A credential of Keycloak 8 and newer: two texts with JSON. */
const credential = (type: string, secretData: object, credentialData: object): Values => {
  const [id, createdDate] = [randomUUID(), 1_706_933_106_789];
  return { id, type, createdDate, secretData: JSON.stringify(secretData), credentialData: JSON.stringify(credentialData) }; // prettier-ignore
};

const byPbkdf2 = (algorithm: 'pbkdf2' | 'pbkdf2-sha256' | 'pbkdf2-sha512', bytes: number) => (password: string) => {
  const salt = randomBytes(16);
  const sha = ({ pbkdf2: 'sha1', 'pbkdf2-sha256': 'sha256', 'pbkdf2-sha512': 'sha512' } as const)[algorithm];
  const value = pbkdf2Key(password, salt, sha, bytes).toString('base64');
  return { value, salt: salt.toString('base64'), data: { hashIterations: 1000, algorithm, additionalParameters: {} } };
};

const HASHERS: readonly ((password: string) => Promise<PasswordHash> | PasswordHash)[] = [
  byPbkdf2('pbkdf2-sha256', 64),
  byPbkdf2('pbkdf2-sha256', 32),
  byPbkdf2('pbkdf2-sha512', 64),
  byPbkdf2('pbkdf2', 64),
  async (password) => {
    const salt = randomBytes(16);
    const value = (await hashRaw(password, { salt, memoryCost: 64, timeCost: 2, parallelism: 1, outputLen: 32 })).toString('base64');
    const additionalParameters = { hashLength: ['32'], memory: ['64'], type: ['id'], version: ['1.3'], parallelism: ['1'] };
    return { value, salt: salt.toString('base64'), data: { hashIterations: 2, algorithm: 'argon2', additionalParameters } };
  },
  // Of a plugin.
  async (password) => ({ value: await bcryptText(password), salt: '', data: { hashIterations: 10, algorithm: 'bcrypt' } }),
]; // prettier-ignore

interface PasswordHash {
  readonly value: string;
  readonly salt: string;
  readonly data: object;
}

async function credentialsOf({ n, password, app, codes, passkeys }: OldPerson): Promise<readonly Values[]> {
  const hashed = password === null ? undefined : await HASHERS[n % HASHERS.length]?.(password);
  const digest = (code: string): string => createHash('sha512').update(code).digest('base64');
  return [
    ...(hashed === undefined ? [] : [credential('password', { value: hashed.value, salt: hashed.salt, additionalParameters: {} }, hashed.data)]),
    ...(app === null ? [] : [credential('otp', { value: secretOf(n, app.secret) }, { subType: 'totp', digits: app.digits, counter: 0, period: app.period, algorithm: `Hmac${app.algorithm}`, ...(n % 2 === 0 ? {} : { secretEncoding: 'BASE32' }) })]),
    ...(codes.length === 0 ? [] : [credential('recovery-authn-codes', { codes: codes.map((code, at) => ({ number: at + 2, encodedHashedValue: digest(code) })) }, { hashIterations: 1, algorithm: 'RS512', totalCodes: 5, remainingCodes: codes.length })]),
    ...passkeys.map(({ line }) => credential('webauthn-passwordless', {}, { aaguid: '00000000-0000-0000-0000-000000000000', credentialId: line.credential_id, counter: line.counter, credentialPublicKey: line.public_key, transports: line.transports })),
  ];
} // prettier-ignore

/** The bytes of a text, or base32 if the credential says so. */
const secretOf = (n: number, base32: string): string => (n % 2 === 0 ? Secret.fromBase32(base32).utf8 : base32);

const ALIASES: Readonly<Record<string, string>> = { google: 'our-google' };

async function userOf(old: OldPerson): Promise<Values> {
  const { id, first, last, emails: [address], phone, social, isBlocked } = old; // prettier-ignore
  const attributes = { locale: ['de'], ...(phone === null ? {} : { phoneNumber: [phone], phoneNumberVerified: ['true'] }) }; // prettier-ignore
  const user = { id, username: address?.email.toLowerCase() ?? id, firstName: first, lastName: last, emailVerified: address?.verified ?? false, enabled: !isBlocked, attributes, credentials: await credentialsOf(old) }; // prettier-ignore
  const identity = { identityProvider: ALIASES[social?.provider ?? ''] ?? social?.provider, userId: social?.subject };
  return { ...FIRST, email: address?.email, ...user, federatedIdentities: social === null ? [] : [identity] };
}

export const KEYCLOAK: OldSystem = {
  features: ['password', 'app', 'codes', 'passkey', 'social', 'phone'],
  providers: ['google', 'github'],
  apps: [
    { algorithm: 'SHA1', digits: 6, period: 30 },
    { algorithm: 'SHA256', digits: 8, period: 60 },
    { algorithm: 'SHA512', digits: 6, period: 30 },
  ],
  codeOf: () => randomBytes(6).toString('hex').toUpperCase(),
  idOf: uuidOf,
  write: async (people) => ({
    'realm.json': JSON.stringify({ ...REALM, users: await Promise.all(people.map(userOf)) }, null, 2),
  }),
};
