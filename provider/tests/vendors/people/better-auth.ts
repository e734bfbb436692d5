import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Secret } from 'otpauth';
import { ensureDeps } from '#scripts/ensure-deps.mjs';
import { ROOT } from '#scripts/lib/root.mjs';
import { asCsv, asLines, firstRow, type Values } from '../exports.ts';
import type { OldPerson, OldSystem } from '../old-people.ts';

const SECRET = 'secret of the old app, from 2026';
const FOLDER = join(ROOT, 'tests/clients-soak');

/** What better-auth itself hashes and encrypts with. */
interface BetterAuthCrypto {
  readonly hashPassword: (password: string) => Promise<string>;
  readonly symmetricEncrypt: (value: { readonly key: string; readonly data: string }) => Promise<string>;
}

async function cryptoOf(): Promise<BetterAuthCrypto> {
  const path = join(FOLDER, 'node_modules/better-auth/dist/crypto/index.mjs');
  return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as BetterAuthCrypto;
}

const userOf = ({ n, id, first, last, emails: [address], phone, app, isBlocked, wallet }: OldPerson): Values => ({
  ...firstRow('better-auth', 'user'),
  id,
  name: `${first} ${last}`,
  email: address?.email ?? (wallet === null ? `${id}@old.invalid` : `${wallet.address}@old.example`),
  emailVerified: address?.verified ?? false,
  phoneNumber: phone,
  phoneNumberVerified: phone !== null,
  twoFactorEnabled: app !== null,
  banned: isBlocked || n % 6 === 0,
  banExpires: isBlocked ? null : n % 6 === 0 ? '2024-02-03T04:05:06.789Z' : null,
  plan: 'gold, "24"',
});

const accountsOf = ({ hashPassword }: BetterAuthCrypto) => async ({ id: userId, password, social }: OldPerson): Promise<readonly Values[]> => {
  const row = { ...firstRow('better-auth', 'account'), userId };
  return [
    ...(password === null ? [] : [{ ...row, id: randomUUID(), accountId: userId, password: await hashPassword(password) }]),
    ...(social === null ? [] : [{ ...row, id: randomUUID(), providerId: social.provider, accountId: social.subject, password: null }]),
  ];
}; // prettier-ignore

const passkeysOf = ({ id: userId, passkeys }: OldPerson): readonly Values[] =>
  passkeys.map(({ line }) => ({
    ...firstRow('better-auth', 'passkey'),
    id: randomUUID(),
    userId,
    credentialID: line.credential_id,
    publicKey: Buffer.from(line.public_key, 'base64url').toString('base64'),
    counter: line.counter,
    deviceType: line.backup_eligible ? 'multiDevice' : 'singleDevice',
    backedUp: line.backed_up,
    transports: line.transports.join(','),
  }));

const appsOf = ({ symmetricEncrypt }: BetterAuthCrypto) => async ({ n, id: userId, app, codes }: OldPerson): Promise<readonly Values[]> => {
  if (app === null) return [];
  const row = { ...firstRow('better-auth', 'twoFactor'), id: randomUUID(), userId };
  const encrypt = (data: string) => symmetricEncrypt({ key: SECRET, data });
  // The secret is the bytes of a text; one that was imported is named.
  const secret = n % 2 === 0 ? Secret.fromBase32(app.secret).utf8 : `base32:${app.secret}`;
  return [{ ...row, secret: await encrypt(secret), backupCodes: await encrypt(JSON.stringify(codes)) }];
}; // prettier-ignore

const walletsOf = ({ id: userId, wallet }: OldPerson): readonly Values[] =>
  wallet === null ? [] : [{ ...firstRow('better-auth', 'walletAddress'), id: randomUUID(), userId, address: wallet.address }]; // prettier-ignore

const letters = (): string => randomBytes(5).toString('base64url').replaceAll(/[-_]/gu, 'x').slice(0, 5);

export const BETTER_AUTH: OldSystem = {
  features: ['password', 'app', 'codes', 'passkey', 'social', 'wallet', 'phone'],
  providers: ['google', 'github', 'discord', 'twitch', 'gitlab'],
  codeOf: () => `${letters()}-${letters()}`,
  idOf: (n) => `user${String(n).padStart(28, '0')}`,
  passwordOfEvery: 4,
  options: { secret: SECRET },
  prepare: () => ensureDeps(FOLDER),
  async write(people) {
    const crypto = await cryptoOf();
    return {
      'user.csv': asCsv(people.map(userOf)),
      'account.ndjson': asLines((await Promise.all(people.map(accountsOf(crypto)))).flat()),
      'passkey.ndjson': asLines(people.flatMap(passkeysOf)),
      'twoFactor.ndjson': asLines((await Promise.all(people.map(appsOf(crypto)))).flat()),
      'walletAddress.ndjson': asLines(people.flatMap(walletsOf)),
    };
  },
};
