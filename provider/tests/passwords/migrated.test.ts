import { describe, expect, it } from 'vitest';
import type { DescribedHash } from '#provider/accounts/passwords/exported/migrated-hash.ts';
import { migratedHash } from '#provider/accounts/passwords/migrated-hashes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isMigrated } from '#provider/accounts/passwords/migrated.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const fromHex = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

const SCRYPT_KEY =
  'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640';
const PBKDF2_KEY =
  '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783';
const PBKDF2_SHA512_KEY =
  '867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252c02d470a285a0501bad999bfe943c08f050235d7d68b1da55e63f73b60a57fce';
const SHA_512 =
  'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f';
const scrypt_config = { salt: base64('NaCl'), n_parameter: 1024, r_parameter: 8, p_parameter: 16, key_length: 64 };
const pbkdf_2_config = { salt: base64('salt'), iteration_amount: 1, key_length: 64, algorithm: 'sha256' };
const argon_2_config = { salt: 'somesalt', iteration_amount: 2, memory: 256, threads: 1, key_length: 32 };
const ARGON2ID = 'nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

/** Vectors of the algorithms' own documents, test suites and standards. */
const VECTORS: readonly (readonly [source: string, password: string, described: DescribedHash])[] = [
  ['bcrypt (crypt_blowfish)', 'U*U', { hash_type: 'bcrypt', hash: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' }],
  ['bcrypt $2y$ (crypt_blowfish)', 'U*U*U', { hash_type: 'bcrypt', hash: '$2y$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a' }],
  ['phpass (its test program)', 'test12345', { hash_type: 'phpass', hash: '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0' }],
  ['Argon2i (reference test suite)', 'password', { hash_type: 'argon_2i', hash: '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8' }],
  ['Argon2i 1.0 (reference test suite)', 'password', { hash_type: 'argon_2i', hash: '$argon2i$m=256,t=2,p=1$c29tZXNhbHQ$/U3YPXYsSb3q9XxHvc0MLxur+GP960kN9j7emXX8zwY' }],
  ['Argon2id (reference test suite)', 'password', { hash_type: 'argon_2id', hash: `$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$${ARGON2ID}` }],
  ['Argon2id with a config', 'password', { hash_type: 'argon_2id', hash: ARGON2ID, argon_2_config }],
  ['scrypt (RFC 7914, section 12)', 'password', { hash_type: 'scrypt', hash: SCRYPT_KEY, scrypt_config }],
  ['scrypt in base64', 'password', { hash_type: 'scrypt', hash: fromHex(SCRYPT_KEY), scrypt_config }],
  ['scrypt in PHC form', 'password', { hash_type: 'scrypt', hash: `$scrypt$ln=10,r=8,p=16$TmFDbA$${fromHex(SCRYPT_KEY).replaceAll('=', '')}` }],
  ['PBKDF2-HMAC-SHA-256 (RFC 7914, section 11)', 'passwd', { hash_type: 'pbkdf_2', hash: PBKDF2_KEY, pbkdf_2_config }],
  ['PBKDF2-HMAC-SHA-512', 'password', { hash_type: 'pbkdf_2', hash: PBKDF2_SHA512_KEY, pbkdf_2_config: { ...pbkdf_2_config, algorithm: 'sha512' } }],
  ['MD5 (RFC 1321)', 'message digest', { hash_type: 'md_5', hash: 'f96b697d7cb7938d525a2f31aaf161d0' }],
  ['MD5 with salts', 'sage dig', { hash_type: 'md_5', hash: 'F96B697D7CB7938D525A2F31AAF161D0', md_5_config: { prepend_salt: 'mes', append_salt: 'est' } }],
  ['SHA-1 (FIPS 180)', 'abc', { hash_type: 'sha_1', hash: 'a9993e364706816aba3e25717850c26c9cd0d89d' }],
  ['SHA-1 in base64, with a salt', 'bc', { hash_type: 'sha_1', hash: 'qZk+NkcGgWq6PiVxeFDCbJzQ2J0=', sha_1_config: { prepend_salt: 'a', append_salt: '' } }],
  ['SHA-512 (FIPS 180)', 'abc', { hash_type: 'sha_512', hash: SHA_512 }],
  ['SHA-512 with a salt', 'ab', { hash_type: 'sha_512', hash: SHA_512, sha_512_config: { prepend_salt: '', append_salt: 'c' } }],
]; // prettier-ignore

/** The field that is named in the refusal of the hash. */
function refusedField(described: DescribedHash): string | undefined {
  try {
    migratedHash(described);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal) || error.type !== 'invalid_hash') throw error;
    expect(error.message).toContain(error.details?.['field']);
    return error.details?.['field'];
  }
}

describe('A migrated hash', () => {
  it.each(VECTORS)('of %s is that of its password only', async (_, password, described) => {
    const migrated = migratedHash(described);
    expect(await isMigrated(migrated, password)).toBe(true);
    expect(await isMigrated(migrated, `${password}.`)).toBe(false);
    expect(await isMigrated(migrated, '')).toBe(false);
  });

  const bcrypt = (hash: string): DescribedHash => ({ hash_type: 'bcrypt', hash });
  const argon = (parameters: string): DescribedHash => ({
    hash_type: 'argon_2id',
    hash: `$argon2id$v=19$${parameters}$c29tZXNhbHQ$${ARGON2ID}`,
  });
  const scrypt = (config: object): DescribedHash => ({
    hash_type: 'scrypt',
    hash: SCRYPT_KEY,
    scrypt_config: { ...scrypt_config, ...config },
  });
  const pbkdf2 = (config: object): DescribedHash => ({
    hash_type: 'pbkdf_2',
    hash: PBKDF2_KEY,
    pbkdf_2_config: { ...pbkdf_2_config, ...config },
  });
  const argonBy = (config: object): DescribedHash => ({
    hash_type: 'argon_2i',
    hash: ARGON2ID,
    argon_2_config: { ...argon_2_config, ...config },
  });
  const tail = 'CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
  const key = fromHex(SCRYPT_KEY).replaceAll('=', '');

  it.each<readonly [problem: string, field: string, described: DescribedHash]>([
    ['bcrypt of cost 31', 'hash', bcrypt(`$2b$31$${tail}`)],
    ['bcrypt of cost 3', 'hash', bcrypt(`$2b$03$${tail}`)],
    ['scrypt with N of 2^30', 'scrypt_config.n_parameter', scrypt({ n_parameter: 2 ** 30 })],
    ['scrypt of a large block', 'scrypt_config.n_parameter', scrypt({ n_parameter: 262_144, r_parameter: 9 })],
    ['scrypt of 2^30 in PHC form', 'hash', { hash_type: 'scrypt', hash: `$scrypt$ln=30,r=8,p=1$TmFDbA$${key}` }],
    ['scrypt of many lanes in PHC form', 'hash', { hash_type: 'scrypt', hash: `$scrypt$ln=18,r=8,p=2$TmFDbA$${key}` }],
    ['Argon2 with 4 GiB', 'hash', argon('m=4194304,t=1,p=1')],
    ['Argon2 with a million passes', 'hash', argon('m=65536,t=1000000,p=1')],
    ['Argon2 with 4 GiB in a config', 'argon_2_config.memory', argonBy({ memory: 4_194_304 })],
    [
      'Argon2 with much work in a config',
      'argon_2_config.iteration_amount',
      argonBy({ memory: 262_144, iteration_amount: 5 }),
    ],
    ['PBKDF2 of 1e9 iterations', 'pbkdf_2_config.iteration_amount', pbkdf2({ iteration_amount: 1e9 })],
    ['phpass of 2^30 rounds', 'hash', { hash_type: 'phpass', hash: '$P$SIQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0' }],
  ])('is refused when it costs too much: %s', (_, field, described) => {
    expect(refusedField(described)).toBe(field);
  });

  it.each<readonly [problem: string, field: string, described: DescribedHash]>([
    ['an unknown type', 'hash_type', { hash_type: 'rot13', hash: 'x' }],
    ['an inherited name as type', 'hash_type', { hash_type: 'constructor', hash: 'x' }],
    ['the flawed bcrypt $2x$', 'hash', bcrypt(`$2x$05$${tail}`)],
    ['bcrypt that is cut off', 'hash', bcrypt(`$2b$05$${tail.slice(1)}`)],
    ['bcrypt with a line after it', 'hash', bcrypt(`$2b$05$${tail}\n`)],
    ['the other Argon2', 'hash', { hash_type: 'argon_2i', hash: argon('m=256,t=2,p=1').hash }],
    ['Argon2 with neither parameters nor config', 'hash', { hash_type: 'argon_2id', hash: ARGON2ID }],
    ['Argon2 with too little memory for its lanes', 'hash', argon('m=16,t=2,p=4')],
    ['Argon2 with a short salt', 'argon_2_config.salt', argonBy({ salt: 'short' })],
    ['scrypt with N of no power of two', 'scrypt_config.n_parameter', scrypt({ n_parameter: 1000 })],
    ['scrypt with N as text', 'scrypt_config.n_parameter', scrypt({ n_parameter: '1024' })],
    ['scrypt with another key length', 'hash', scrypt({ key_length: 32 })],
    ['scrypt with a salt that is not base64', 'scrypt_config.salt', scrypt({ salt: 'n?t' })],
    ['scrypt without a config', 'hash', { hash_type: 'scrypt', hash: SCRYPT_KEY }],
    ['PBKDF2 without a config', 'pbkdf_2_config', { hash_type: 'pbkdf_2', hash: PBKDF2_KEY }],
    ['PBKDF2 with MD5', 'pbkdf_2_config.algorithm', pbkdf2({ algorithm: 'md5' })],
    ['PBKDF2 of half an iteration', 'pbkdf_2_config.iteration_amount', pbkdf2({ iteration_amount: 0.5 })],
    ['MD5 with the length of SHA-1', 'hash', { hash_type: 'md_5', hash: 'a9993e364706816aba3e25717850c26c9cd0d89d' }],
    ['MD5 with a number as salt', 'md_5_config.prepend_salt', { hash_type: 'md_5', hash: 'f96b697d7cb7938d525a2f31aaf161d0', md_5_config: { prepend_salt: 7 } }],
    ['an empty hash', 'hash', { hash_type: 'sha_1', hash: '' }],
  ])('is refused when it is malformed: %s', (_, field, described) => {
    expect(refusedField(described)).toBe(field);
  }); // prettier-ignore
});
