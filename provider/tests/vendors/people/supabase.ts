import { createCipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { asLines, firstRow, type Values } from '../exports.ts';
import { argon2Text, bcryptText, FIREBASE, firebaseHash } from '../old-hashes.ts';
import { uuidOf, type OldPerson, type OldSystem } from '../old-people.ts';

const KEY = randomBytes(32);
const AT = '2024-02-03 04:05:06.789012+00';

/** As `internal/crypto/crypto.go` encrypts a text for a row. */
function sealed(text: string, id: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(hkdfSync('sha256', KEY, '', id, 32)), nonce);
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return JSON.stringify({ key_id: 'k1', alg: 'aes-gcm-hkdf', data: data.toString('base64'), nonce: nonce.toString('base64') }); // prettier-ignore
}

function firebaseText(password: string): string {
  const salt = randomBytes(10);
  const { base64_salt_separator: separator, base64_signer_key: key, mem_cost, rounds } = FIREBASE;
  return `$fbscrypt$v=1,n=${mem_cost},r=${rounds},p=1,ss=${separator},sk=${key}$${salt.toString('base64')}$${firebaseHash(password, salt, FIREBASE)}`;
}

const HASHERS: readonly ((password: string, id: string) => Promise<string> | string)[] = [
  (password) => bcryptText(password, '2a'),
  async (password, id) => sealed(await bcryptText(password, '2a'), id),
  (password) => argon2Text(password),
  (password) => argon2Text(password, 'i'),
  firebaseText,
];

async function userOf({ n, id, first, last, emails: [address], phone, password, isBlocked, metadata }: OldPerson): Promise<Values> {
  const confirmed = address?.verified === true ? AT : null;
  return {
    ...firstRow('supabase', 'users'),
    id,
    email: address?.email ?? null,
    encrypted_password: password === null ? '' : await HASHERS[n % HASHERS.length]?.(password, id),
    email_confirmed_at: confirmed,
    confirmed_at: confirmed,
    phone: phone?.slice(1) ?? null,
    phone_confirmed_at: phone === null ? null : AT,
    banned_until: isBlocked ? '2999-01-01 00:00:00+00' : n % 4 === 0 ? AT : null,
    raw_app_meta_data: { provider: 'email', providers: ['email'] },
    raw_user_meta_data: { full_name: `${first} ${last}`, ...metadata },
  };
} // prettier-ignore

const PROVIDERS: Readonly<Record<string, string>> = { linkedin: 'linkedin_oidc', microsoft: 'azure' };

function identitiesOf({ id: user_id, emails: [address], social, wallet }: OldPerson): readonly Values[] {
  const row = { ...firstRow('supabase', 'identities'), user_id };
  const identity = (provider: string, sub: string, data: object): Values =>
    ({ ...row, id: randomUUID(), provider, provider_id: sub, identity_data: { sub, ...data } }); // prettier-ignore
  return [
    ...(address === undefined ? [] : [identity('email', user_id, { email: address.email, email_verified: address.verified })]),
    ...(social === null ? [] : [identity(PROVIDERS[social.provider] ?? social.provider, social.subject, { email: social.account })]),
    ...(wallet === null ? [] : [identity('web3', `web3:${wallet.type}:${wallet.address}`, {})]),
  ];
} // prettier-ignore

function factorsOf({ n, id: user_id, app }: OldPerson): readonly Values[] {
  const row = { ...firstRow('supabase', 'mfa_factors'), user_id };
  const id = randomUUID();
  if (app === null) return [];
  const secret = n % 2 === 0 ? app.secret : sealed(app.secret, id);
  return [
    { ...row, id: randomUUID() },
    { ...row, id, status: 'verified', secret },
  ];
}

const passkeysOf = ({ id: user_id, passkeys }: OldPerson): readonly Values[] =>
  passkeys.map(({ line }) => {
    const bytea = (text: string): string => `\\x${Buffer.from(text, 'base64url').toString('hex')}`;
    const { counter: sign_count, transports, backed_up, backup_eligible, name: friendly_name } = line;
    return { ...firstRow('supabase', 'webauthn_credentials'), id: randomUUID(), user_id, credential_id: bytea(line.credential_id), public_key: bytea(line.public_key), sign_count, transports, backed_up, backup_eligible, friendly_name }; // prettier-ignore
  });

export const SUPABASE: OldSystem = {
  features: ['password', 'app', 'passkey', 'social', 'wallet', 'phone'],
  providers: ['google', 'github', 'linkedin', 'microsoft', 'discord', 'twitch'],
  wallets: ['ethereum', 'solana'],
  idOf: uuidOf,
  options: { secret: `k0:${randomBytes(32).toString('base64url')},k1:${KEY.toString('base64url')}` },
  write: async (people) => ({
    'users.ndjson': asLines(await Promise.all(people.map(userOf))),
    'identities.ndjson': asLines(people.flatMap(identitiesOf)),
    'mfa_factors.ndjson': asLines(people.flatMap(factorsOf)),
    'webauthn_credentials.ndjson': asLines(people.flatMap(passkeysOf)),
  }),
};
