import { asCsv, asLines, firstRow, type Values } from '../exports.ts';
import { argon2Text, bcryptText } from '../old-hashes.ts';
import type { OldPerson, OldSystem } from '../old-people.ts';

async function userOf({ n, id, first, last, emails: [address], phone, password, isBlocked }: OldPerson): Promise<Values> {
  return {
    ...firstRow('next-auth', 'User'),
    id,
    name: `${first} ${last}`,
    email: address?.email ?? null,
    emailVerified: address?.verified === true ? '2024-02-03T04:05:06.789Z' : null,
    phone,
    password: password === null ? null : await (n % 3 === 0 ? argon2Text(password) : bcryptText(password, n % 2 === 0 ? '2b' : '2a')),
    banned: isBlocked,
  };
} // prettier-ignore

const PROVIDERS: Readonly<Record<string, string>> = { microsoft: 'microsoft-entra-id' };

const base64 = (text: string): string => Buffer.from(text, 'base64url').toString('base64');

function accountsOf({ id: userId, social, passkeys }: OldPerson): readonly Values[] {
  const row = { ...firstRow('next-auth', 'Account'), userId, id_token: null };
  return [
    ...(social === null ? [] : [{ ...row, provider: PROVIDERS[social.provider] ?? social.provider, providerAccountId: social.subject }]),
    ...passkeys.map(({ line }) => ({ ...row, type: 'webauthn', provider: 'passkey', providerAccountId: base64(line.credential_id) })),
  ];
} // prettier-ignore

const passkeysOf = ({ id: userId, passkeys }: OldPerson): readonly Values[] =>
  passkeys.map(({ line }) => ({
    ...firstRow('next-auth', 'Authenticator'),
    userId,
    credentialID: base64(line.credential_id),
    providerAccountId: base64(line.credential_id),
    credentialPublicKey: base64(line.public_key),
    counter: line.counter,
    credentialDeviceType: line.backup_eligible ? 'multiDevice' : 'singleDevice',
    credentialBackedUp: line.backed_up,
    transports: line.transports.join(','),
  }));

export const NEXT_AUTH: OldSystem = {
  features: ['password', 'passkey', 'social', 'phone'],
  providers: ['google', 'github', 'microsoft', 'apple', 'discord'],
  idOf: (n) => `clx${String(n).padStart(4, '0')}user`,
  write: async (people) => ({
    'User.csv': asCsv(await Promise.all(people.map(userOf))),
    'Account.ndjson': asLines(people.flatMap(accountsOf)),
    'Authenticator.ndjson': asLines(people.flatMap(passkeysOf)),
  }),
};
