import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import type { DescribedHash } from '#provider/accounts/passwords/exported/migrated-hash.ts';
import { migratedHash } from '#provider/accounts/passwords/migrated-hashes.ts';

const page = readFileSync(join(ROOT, 'docs/backend-api.md'), 'utf8');

type ConfigName = Extract<keyof DescribedHash, `${string}_config`>;
const BARE: Readonly<Record<ConfigName, readonly [type: string, hash: string]>> = {
  argon_2_config: ['argon_2id', '00'.repeat(32)],
  scrypt_config: ['scrypt', '00'.repeat(32)],
  pbkdf_2_config: ['pbkdf_2', '00'.repeat(32)],
  md_5_config: ['md_5', '00'.repeat(16)],
  sha_1_config: ['sha_1', '00'.repeat(20)],
  sha_256_config: ['sha_256', '00'.repeat(32)],
  sha_512_config: ['sha_512', '00'.repeat(64)],
  firebase_config: ['scrypt_firebase', 'A'.repeat(86)],
};

/** The fields that an import reads. */
function fieldsOf(config: ConfigName): readonly string[] {
  const read = new Set<string>();
  const values = { salt: 'c2FsdHNhbHQ', memory: 64, threads: 1, iteration_amount: 2, key_length: 32 };
  const firebase = { base64_signer_key: 'A'.repeat(86), base64_salt_separator: 'Bw==', rounds: 8, mem_cost: 14 };
  const given = { ...values, n_parameter: 16, r_parameter: 8, p_parameter: 1, algorithm: 'sha256', ...firebase };
  const watched = new Proxy<Record<string, unknown>>(given, {
    getOwnPropertyDescriptor(target, name) {
      read.add(String(name));
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
  const [hash_type, hash] = BARE[config];
  migratedHash({ hash, hash_type, salt: 'c2FsdA', [config]: watched });
  return [...read].sort();
}

it.each(Object.keys(BARE) as ConfigName[])('the page about the backend API names every field of %s', (config) => {
  const row = page.split('\n').find((line) => line.startsWith('| ') && line.split('|')[1]?.includes(`\`${config}\``));
  const named = Array.from((row?.split('|')[2] ?? '').matchAll(/`(\w+)`/gu), ([, name = '']) => name);
  expect(named.filter((name) => !/^sha\d/u.test(name)).sort()).toEqual(fieldsOf(config));
});
