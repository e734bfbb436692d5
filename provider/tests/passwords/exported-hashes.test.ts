import { describe, expect, it } from 'vitest';
import { Refusal } from '#domain/rules/refusal.ts';
import { describedHash } from '#provider/accounts/passwords/exported/described.ts';
import type { DescribedHash } from '#provider/accounts/passwords/exported/migrated-hash.ts';
import { migratedHash } from '#provider/accounts/passwords/migrated-hashes.ts';
import { isMigrated } from '#provider/accounts/passwords/migrated.ts';
import { SOAK } from '#tests/soak.ts';
import { BY_TEXT, BY_TYPE, FIREBASE, LONG, LONG_BCRYPT, NORMALISED_BETTER_AUTH, UNICODE } from './vendor-hashes.ts';

const ALL = [...BY_TEXT, ...BY_TYPE];
/** Others with bcrypt take as long as a dozen of these: one of them is enough. */
const isQuick = ({ name, described }: (typeof ALL)[number]): boolean =>
  !/\$12\$|rounds=/u.test(described.hash) || name.startsWith('Django bcrypt_sha256');

/** The field and the message of the refusal of the hash. */
function refusalOf(description: DescribedHash): readonly [field: string | undefined, message: string] {
  try {
    migratedHash(description);
  } catch (error) {
    if (error instanceof Refusal && error.type === 'invalid_hash') return [error.details?.['field'], error.message];
    throw error;
  }
  return [undefined, 'It is accepted.'];
}

describe('A hash as another product exports it', () => {
  it.each(SOAK ? ALL : ALL.filter(isQuick))('is that of its password only: $name', async ({ password, described }) => {
    const migrated = migratedHash(described);
    expect(await isMigrated(migrated, password)).toBe(true);
    expect(await isMigrated(migrated, `${password}x`)).toBe(false);
  });

  it.each(ALL)('is read back from an export of this server: $name', ({ described }) => {
    const migrated = migratedHash(described);
    expect(migratedHash(describedHash(migrated))).toEqual(migrated);
  });

  it('of better-auth is not mistaken for the base64 of a directory', () => {
    // It decodes to bytes that begin with a brace, as those of LDIF do.
    const salts = Array.from({ length: 2_000 }, (_, n) => `e3${n.toString(16).padStart(4, '0')}${'7d'.repeat(13)}`);
    for (const salt of salts) expect(migratedHash({ hash: `${salt}:${'ab'.repeat(64)}` }).type).toBe('scrypt');
  });

  it('of bcrypt is that of the first 72 bytes of the password, as its makers compute it', async () => {
    const migrated = migratedHash({ hash: LONG_BCRYPT });
    expect(await isMigrated(migrated, LONG)).toBe(true);
    expect(await isMigrated(migrated, LONG.slice(0, 72))).toBe(true);
    expect(await isMigrated(migrated, LONG.slice(0, 71))).toBe(false);
  });

  it('of better-auth is that of the password in its composed form', async () => {
    const migrated = migratedHash({ hash: NORMALISED_BETTER_AUTH });
    expect(await isMigrated(migrated, UNICODE.normalize('NFKC'))).toBe(true);
    expect(await isMigrated(migrated, UNICODE)).toBe(false);
  });

  it.each(BY_TEXT.filter(({ name }) => name.startsWith('bcrypt $')))(
    'does not end at a NUL in the password: $name',
    async ({ password, described }) => {
      expect(await isMigrated(migratedHash(described), `${password}\0`)).toBe(false);
      expect(await isMigrated(migratedHash(described), `${password}\0more`)).toBe(false);
    },
  );

  const salted = 'pepper42$03f4bd7fe298598a38a4d49a145600b2';
  it.each<readonly [problem: string, described: DescribedHash, types: readonly string[]]>([
    ['Django with a salt that is base64 too', { hash: 'pbkdf2_sha256$24000$KQ8zeK6wKRuR$cmhbSt1XVKuO4FGd9+AX8qSBD4Z0395nZatXTJpEtTY=' }, ['pbkdf2_sha256_django', 'pbkdf2_sha256']],
    ['a bare digest of 16 bytes', { hash: '88a434c88cca4e900f7874cd98123f43' }, ['md_5']],
    ['a bare digest of 32 bytes', { hash: 'ab'.repeat(32) }, ['sha_256']],
    ['a salt and a digest', { hash: salted }, ['md5_salted']],
    ['no form at all', { hash: 'letmein' }, ['bcrypt', 'keycloak', 'scrypt_firebase']],
  ])('needs a type if several fit, and the error names them: %s', (_, description, types) => {
    const [field, message] = refusalOf(description);
    expect(field).toBe('hash_type');
    for (const type of types) expect(message).toMatch(new RegExp(`\\b${type}\\b`, 'u'));
  }); // prettier-ignore

  const config = (changes: object, more: object = {}): DescribedHash => ({
    hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
    salt: '42xEC+ixf3L2lw==',
    firebase_config: { ...FIREBASE, ...changes },
    ...more,
  });
  const key = 'QJxzfvdbHYBpydCbHoFg3GJEqMFULwskiuqiJctoYpI';
  const keycloak = (data: object, secret: object = { value: `${key}=`, salt: 'c2FsdA==' }): DescribedHash => ({
    hash: JSON.stringify({ credentialData: JSON.stringify(data), secretData: JSON.stringify(secret) }),
  });
  const argon2 = { hashIterations: 5, algorithm: 'argon2', additionalParameters: { memory: ['7168'], type: ['id'], parallelism: ['1'] } }; // prettier-ignore

  it.each<readonly [problem: string, described: DescribedHash, field: string, says: string]>([
    ['Firebase with a signer key that is not base64', config({ base64_signer_key: 'n?t base64' }), 'firebase_config.base64_signer_key', 'base64'],
    ['Firebase with a signer key that is cut off', config({ base64_signer_key: FIREBASE.base64_signer_key.slice(0, 40) }), 'hash', 'cut off or of another project'],
    ['Firebase without a signer key', config({ base64_signer_key: undefined }), 'firebase_config.base64_signer_key', 'string'],
    ['Firebase with a wrong separator', config({ base64_salt_separator: 'B' }), 'firebase_config.base64_salt_separator', 'base64'],
    ['Firebase with 9 rounds', config({ rounds: 9 }), 'firebase_config.rounds', 'from 1 to 8'],
    ['Firebase with 32 GiB', config({ mem_cost: 25 }), 'firebase_config.mem_cost', 'from 1 to 18'],
    ['Firebase without a salt', config({}, { salt: undefined }), 'salt', 'is missing'],
    ['Firebase with a salt that is not base64', config({}, { salt: '!' }), 'salt', 'base64'],
    ['Firebase without the parameters of the project', config({}, { firebase_config: undefined }), 'firebase_config', 'console of Firebase'],
    ['Firebase of Kratos with 32 GiB', { hash: `$firescrypt$ln=25,r=8,p=1$c2FsdA==$${key}=$Bw==$${key}=` }, 'hash', 'memory cost'],
    ['Firebase of Kratos with lanes', { hash: `$firescrypt$ln=14,r=8,p=9$c2FsdA==$${key}=$Bw==$${key}=` }, 'hash', '$firescrypt$'],
    ['Firebase of Kratos without a key', { hash: `$firescrypt$ln=14,r=8,p=1$c2FsdA==$${key}=$Bw==` }, 'hash', '$firescrypt$'],
    ['Django with 10^9 iterations', { hash: `pbkdf2_sha256$1000000000$seasalt$${key}=` }, 'hash', 'iterations from 1 to 2500000'],
    ['Django with iterations that are no number', { hash: `pbkdf2_sha256$many$seasalt$${key}=` }, 'hash', 'iterations'],
    ['Django with a key of another length', { hash: 'pbkdf2_sha256$1000$seasalt$c2hvcnQ=' }, 'hash', '32 bytes'],
    ['Django without a key', { hash: 'pbkdf2_sha256$1000$seasalt' }, 'hash', 'pbkdf2_sha256$ITERATIONS$SALT$KEY'],
    ['Django scrypt with N of no power of two', { hash: `scrypt$16383$seasalt$8$1$${'A'.repeat(86)}==` }, 'hash', 'power of two'],
    ['Django scrypt with 4 GiB', { hash: `scrypt$4194304$seasalt$8$1$${'A'.repeat(86)}==` }, 'hash', 'cost (n)'],
    ['Django scrypt with a short key', { hash: 'scrypt$16384$seasalt$8$1$c2hvcnQ=' }, 'hash', '64 bytes'],
    ['Django argon2 with 4 GiB', { hash: 'argon2$argon2id$v=19$m=4194304,t=1,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8' }, 'hash', 'memory'],
    ['Django argon2 of another kind', { hash: 'argon2$argon2x$v=19$m=64,t=1,p=1$c29tZXNhbHQ$iekCn0Y3spW' }, 'hash', 'argon2$argon2id$'],
    ['Django bcrypt_sha256 of cost 31', { hash: 'bcrypt_sha256$$2b$31$LZSJchsWG/DrBy1erNs4eeYo6tZNlLFQmONdxN9HPesa1EyXVcTXK' }, 'hash', 'cost from 4 to 14'],
    ['Django sha1 with a short digest', { hash: 'sha1$seasalt$cff36ea8' }, 'hash', '20 bytes'],
    ['Django without a password', { hash: '!uvVUFuo6E0kH3iJ1dKx7tAfNXyBpyJ1M0Cr6MCtS' }, 'hash', 'leave out the password'],
    ['Keycloak without iterations', keycloak({ algorithm: 'pbkdf2-sha256' }), 'hash', 'hashIterations is missing'],
    ['Keycloak with 10^9 iterations', keycloak({ hashIterations: 1e9, algorithm: 'pbkdf2-sha256' }), 'hash', 'iterations'],
    ['Keycloak with an algorithm of a plugin', keycloak({ hashIterations: 1, algorithm: 'whirlpool' }), 'hash', 'no other hashes'],
    ['Keycloak without a value', keycloak({ hashIterations: 1000, algorithm: 'pbkdf2' }, { salt: 'c2FsdA==' }), 'hash', 'value is missing'],
    ['Keycloak with a value that is not base64', keycloak({ hashIterations: 1000 }, { value: '!', salt: 'c2FsdA==' }), 'hash', 'a value'],
    ['Keycloak argon2 with 4 GiB', keycloak({ ...argon2, additionalParameters: { memory: ['4194304'], parallelism: ['1'] } }, { value: key, salt: 'c29tZXNhbHQ=' }), 'hash', 'memory'],
    ['Keycloak argon2 with half a KiB', keycloak({ ...argon2, additionalParameters: { memory: ['7168.5'], parallelism: ['1'] } }, { value: key, salt: 'c29tZXNhbHQ=' }), 'hash', 'memory'],
    ['Keycloak argon2 without a memory', keycloak({ ...argon2, additionalParameters: {} }, { value: key, salt: 'c29tZXNhbHQ=' }), 'hash', 'memory is missing'],
    ['an authenticator app of Keycloak', { hash: '{"type":"otp","secretData":"{}","credentialData":"{}"}' }, 'hash', 'of the type password'],
    ['JSON that is cut off', { hash: '{"type":"password","secretData":' }, 'hash', 'Keycloak'],
    ['passlib with SHA-3', { hash: `$pbkdf2-sha3$1000$c2FsdA$${key}` }, 'hash', 'SHA-512'],
    ['passlib with 10^9 iterations', { hash: `$pbkdf2-sha256$1000000000$c2FsdA$${key}` }, 'hash', 'iterations'],
    ['passlib without a key', { hash: '$pbkdf2-sha256$1000$c2FsdA' }, 'hash', '$SALT$KEY'],
    ['Kratos PBKDF2 with another length', { hash: `$pbkdf2-sha256$i=1000,l=64$c2FsdA$${key}` }, 'hash', '64 bytes'],
    ['Kratos scrypt with 1 GiB', { hash: `$scrypt$ln=1048576,r=8,p=1$c2FsdA==$${key}=` }, 'hash', 'cost (n)'],
    ['Kratos SHA-256 without the password', { hash: `$sha256$pf=e1NBTFR9$c2FsdA==$${key}=` }, 'hash', '{PASSWORD}'],
    ['Kratos SHA-256 with 40 passwords', { hash: `$sha256$pf=${Buffer.from('{PASSWORD}'.repeat(9)).toString('base64')}$c2FsdA==$${key}=` }, 'hash', 'at most 8 times'],
    ['Kratos SHA-1 of 32 bytes', { hash: `$sha1$pf=e1BBU1NXT1JEfQ==$c2FsdA==$${key}=` }, 'hash', '20 bytes'],
    ['Kratos HMAC with MD4', { hash: '$hmac-md4$MWQ5ZTI4Nzc2Zjg4YmE2MTQ5YjQ0OTMyOGE4NWU4YjA=$MTIzNDU=' }, 'hash', 'MD4'],
    ['Kratos HMAC without a key', { hash: '$hmac-md5$ZmU4Njk3Zjc0MmQwODA0MDVkMTI3MGU2MTYzMzE2Zjk=$' }, 'hash', 'a key'],
    ['Kratos HMAC of another length', { hash: '$hmac-sha256$ZmU4Njk3Zjc0MmQwODA0MDVkMTI3MGU2MTYzMzE2Zjk=$MTIzNDU=' }, 'hash', '64 hexadecimal digits'],
    ['crypt(3) that is cut off', { hash: '$sha512-crypt$rounds=656000$3LVbIAVxR//cRajw$uuNasMW' }, 'hash', '$SALT$DIGEST'],
    ['crypt(3) of 10^9 rounds', { hash: '$5$rounds=999999999$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5' }, 'hash', 'rounds from 1000 to 700000'],
    ['crypt(3) with DES in a directory', { hash: '{CRYPT}ab1Hv2Lg7ltQo' }, 'hash', '$SALT$DIGEST'],
    ['LDAP that is cut off', { hash: '{SSHA}tooshort' }, 'hash', '20 bytes'],
    ['LDAP without a salt', { hash: '{SSHA}MZ1MS/MyEON1sGd6ND0J8a7PnoA=' }, 'hash', 'a salt after them'],
    ['LDAP of another scheme', { hash: '{SSHA3}MZ1MS/MyEON1sGd6ND0J8a7PnoA=' }, 'hash', '{SSHA512}'],
    ['WordPress that is cut off', { hash: '$wp$2y$10$Q1xinFjrZeLWJBvxviIL6u834Fu' }, 'hash', '60 characters'],
    ['WordPress of cost 31', { hash: '$wp$2y$31$Q1xinFjrZeLWJBvxviIL6u834Fu.evIEFHAUVisQ5O.w9Dm0sMdES' }, 'hash', 'cost from 4 to 14'],
    ['better-auth that is cut off', { hash_type: 'better_auth', hash: `${'ab'.repeat(16)}:${'cd'.repeat(63)}` }, 'hash', '128 digits'],
    ['Werkzeug with 1 GiB', { hash: `scrypt:1048576:8:1$salt$${'ab'.repeat(64)}` }, 'hash', 'cost (n)'],
    ['Werkzeug without a key', { hash: 'scrypt:32768:8:1$salt$' }, 'hash', 'scrypt:N:R:P$SALT$KEY'],
    ['Clerk SHA-1 with another length', { hash: `pbkdf2_sha1$1000$salt$${'ab'.repeat(32)}$16` }, 'hash', 'KEY_LENGTH'],
    ['Clerk with a salt that is not base64', { hash_type: 'pbkdf2_sha256', hash: `pbkdf2_sha256$1000$seasalt$${key}=` }, 'hash', 'a salt'],
    ['Clerk with 10^9 iterations of Symfony', { hash: `sha512_symfony$1000000000$salt$${'A'.repeat(86)}==` }, 'hash', 'iterations'],
    ['Clerk bcrypt with an empty pepper', { hash_type: 'bcrypt_peppered', hash: '$2b$04$OO7Y2rOTLtAIXfWW0b1tGORvxTVxbdoMCu9BDSwwADrgq5bcbIbhy$' }, 'hash', 'pepper'],
    ['a reference of Clerk to Cognito', { hash: 'awscognito#eu-west-1_abc#client#ada' }, 'hash', 'Cognito'],
    ['md5_phpass of Clerk', { hash_type: 'md5_phpass', hash: '$P$BaN1PlFaK.Z62v11rDx4odb3RGJInF/' }, 'hash_type', 'not published'],
    ['the empty text of Supabase', { hash: '' }, 'hash', 'leave out the password'],
    ['the flawed bcrypt $2x$', { hash: '$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' }, 'hash', '$2b$'],
    ['a text of another type than it says', { hash_type: 'keycloak', hash: '$2b$04$UPrGySRcFursUnVo0wo7Iu7/h.Xr6PSD2DfC3vEJ8w8lPWfaZk8I.' }, 'hash', 'Keycloak'],
  ])('is refused by the name of its field: %s', (_, description, field, text) => {
    const [refusedField, message] = refusalOf(description);
    expect([refusedField, message]).toEqual([field, expect.stringContaining(text)]);
    expect(message.startsWith(`${field} `)).toBe(true);
    // It may be a secret.
    if (description.hash.length > 12) expect(message).not.toContain(description.hash);
  }); // prettier-ignore
});
