import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { uniqueEmail } from '../attacks/attacker.ts';
import { ANY_DATABASE } from '../kit/harness.ts';
import { imported, oldPasskey, SECRET } from '../kit/old-system.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

describe('a line of an import of users', () => {
  const provider = suiteProvider(ANY_DATABASE);

  it.each([
    [{ user_id: 'user-live-16d9ba61-97a1-4ba4-9720-b03761dc50c6' }, ''],
    [{ user_id: 'user-test-16D9BA61-97a1-4ba4-9720-b03761dc50c6' }, 'user_id must be user-test- or user-live- and a UUID in lower case; give an id of another form as external_id'], // prettier-ignore
    [{ user_id: 'auth0|5f7c' }, 'user_id must be user-test- or user-live- and a UUID in lower case; give an id of another form as external_id'], // prettier-ignore
    [{ external_id: 'auth0|5f7c' }, ''],
    [{ external_id: 'user-live-16d9ba61-97a1-4ba4-9720-b03761dc50c6' }, 'external_id must be acceptable: An external id has 1 to 128 letters, digits and . _ - |, and is not in the form of a user id'], // prettier-ignore
  ])('belongs to a user with the old id: %j', async (ids, refusal) => {
    const { address } = new SoftwareWallet();
    const { user_id, reason } = await imported(provider, { ...ids, wallets: [{ type: 'ethereum', address }] });
    expect(reason).toBe(refusal);
    if ('user_id' in ids && refusal === '') expect(user_id).toBe(ids.user_id);
  });

  const passkey = async (fields: object = {}) => [{ ...(await oldPasskey('bad')).line, ...fields }];
  const spki = (pem: ReturnType<typeof generateKeyPairSync>) => pem.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'); // prettier-ignore
  const KEY = 'passkeys[0].public_key must be a key in COSE or SPKI, valid and for EdDSA (Ed25519), ES256, ES384, ES512 or RS256: take other passkeys out of the line'; // prettier-ignore
  it.each<[string, object | (() => Promise<object>), string]>([
    ['a secret that is not base32', { totp: { secret: 'JBSWY3DPEHPK3PX0' } }, 'totp.secret must be base32 (letters A to Z and digits 2 to 7) of 10 to 128 bytes'], // prettier-ignore
    ['a short secret', { totp: { secret: 'JBSWY3DP' } }, 'totp.secret must be base32 (letters A to Z and digits 2 to 7) of 10 to 128 bytes'], // prettier-ignore
    ['another algorithm', { totp: { secret: SECRET, algorithm: 'MD5' } }, 'totp.algorithm must be one of SHA1, SHA256, SHA512'], // prettier-ignore
    ['seven digits', { totp: { secret: SECRET, digits: 7 } }, 'totp.digits must be 6 or 8'],
    ['no period', { totp: { secret: SECRET, period: 0 } }, 'totp.period must be a whole number from 10 to 300'],
    ['codes without an app', { recovery_codes: ['ABCD-2345'] }, 'recovery_codes must be left out without totp: they stand for an authenticator app'], // prettier-ignore
    ['a short code', { totp: { secret: SECRET }, recovery_codes: ['1234'] }, 'recovery_codes[0] must be a code of 6 to 64 letters and digits'], // prettier-ignore
    ['the same code twice', { totp: { secret: SECRET }, recovery_codes: ['ABCD-2345', 'abcd2345'] }, 'recovery_codes must be different from each other'], // prettier-ignore
    ['a hash of no type', { totp: { secret: SECRET }, recovery_codes: [{ hash: 'x' }] }, 'recovery_codes[0].hash_type is missing, and the text of the hash names no algorithm'], // prettier-ignore
    ['too many codes', { totp: { secret: SECRET }, recovery_codes: Array.from({ length: 51 }, (_, n) => `code-${1000 + n}`) }, 'recovery_codes must be a list of at most 50'], // prettier-ignore
    ['a point that is not on its curve', async () => ({ passkeys: await passkey({ public_key: offCurve((await oldPasskey('bad')).line.public_key) }) }), KEY], // prettier-ignore
    ['a key of another curve', async () => ({ passkeys: await passkey({ public_key: spki(generateKeyPairSync('ec', { namedCurve: 'secp256k1' })) }) }), KEY], // prettier-ignore
    ['a short RSA key', async () => ({ passkeys: await passkey({ public_key: spki(generateKeyPairSync('rsa', { modulusLength: 1024 })) }) }), KEY], // prettier-ignore
    ['no key', async () => ({ passkeys: await passkey({ public_key: '!' }) }), 'passkeys[0].public_key must be base64url or base64 of a public key in COSE or SPKI'], // prettier-ignore
    ['another domain', async () => ({ passkeys: await passkey({ rp_id: 'example.net' }) }), 'passkeys[0].rp_id must be the host of one of origins of the project file: add the origin of the site that has its passkeys'], // prettier-ignore
    ['an id that is not base64url', async () => ({ passkeys: await passkey({ credential_id: 'a+b/' }) }), 'passkeys[0].credential_id must be base64url of 16 to 1023 bytes'], // prettier-ignore
    ['a copy of a key that has none', async () => ({ passkeys: await passkey({ backup_eligible: false, backed_up: true }) }), 'passkeys[0].backed_up must be false for a key that is not synced'], // prettier-ignore
    ['the same passkey twice', async () => { const [one] = await passkey(); return { passkeys: [one, one] }; }, 'passkeys.credential_id must be different from each other'], // prettier-ignore
    ['an unknown provider', { social_accounts: [{ provider: 'myspace', subject: '1' }] }, 'social_accounts[0].provider must be one of google, microsoft'], // prettier-ignore
    ['a subject with a blank', { social_accounts: [{ provider: 'google', subject: 'a b' }] }, 'social_accounts[0].subject must be the id of the account at the provider: 1 to 255 characters without blanks'], // prettier-ignore
    ['an address with a wrong checksum', { wallets: [{ type: 'ethereum', address: '0x52908400098527886E0F7030069857D2E4169eE7' }] }, 'wallets[0].address must be 0x and 40 hexadecimal digits, with a right checksum or in lower case'], // prettier-ignore
    ['an address of another chain', { wallets: [{ type: 'solana', address: '0x52908400098527886E0F7030069857D2E4169EE7' }] }, 'wallets[0].address must be base58 of 32 bytes'], // prettier-ignore
  ])('is refused with its field and the remedy: %s', async (_, made, reason) => {
    const fields = typeof made === 'function' ? await made() : made;
    const email = uniqueEmail('refused');
    expect((await imported(provider, fields, email)).reason.slice(0, reason.length)).toBe(reason);
    const found = await provider.services.db.selectFrom('emails').select('email').where('email', '=', email).execute();
    expect(found).toEqual([]);
  });

  it.each([
    ['P-384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['P-521', () => generateKeyPairSync('ec', { namedCurve: 'P-521' })],
    ['Ed25519', () => generateKeyPairSync('ed25519')],
    ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ])('may have a key of another kind that passkeys have here: %s', async (_, make) => {
    const passkeys = [{ ...(await oldPasskey('kinds')).line, public_key: spki(make()) }];
    expect((await imported(provider, { passkeys })).reason).toBe('');
  });
});

/** The point of a P-256 key in COSE: its last 32 bytes are the second coordinate. */
function offCurve(cose: string): string {
  const bytes = Buffer.from(cose, 'base64url');
  bytes[bytes.length - 1]! ^= 1;
  return bytes.toString('base64url');
}
