import { createHash } from 'node:crypto';
import { SOAK } from '#tests/soak.ts';
import type { Fields } from '../kit/harness.ts';

/** Text that a database cannot compress. An index entry can hold at most a third of a page of it. */
const dense = (length: number): string =>
  Array.from({ length: Math.ceil(length / 43) }, (_, index) =>
    createHash('sha256').update(String(index)).digest('base64url'),
  )
    .join('')
    .slice(0, length);

/** Path segments in their encoded form. */
export const SEGMENTS = [
  '%00',
  'x%00y',
  '%FF',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '%2e%2e',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e%2fme',
  dense(10_000),
  '%27%20or%201%3D1--',
  '__proto__',
  '%',
  '%zz',
  '%0d%0aSet-Cookie:a=b',
];

export const TEXTS = [
  '',
  '\0',
  'x\0y',
  '\ud800',
  '\u{1f600}',
  '../../me',
  "' or 1=1; --",
  '__proto__',
  dense(3_000),
  'k'.repeat(SOAK ? 50_000 : 10_000),
  ...(SOAK ? ['%00', '\u202e', '\\u0000', 'a@b.example\r\nBcc: c@d.example', '${7*7}', '+'.repeat(4_000)] : []),
];
const NUMBERS = [-1, 0.5, 1e308, 2 ** 53, 0, -0];
const OBJECTS: readonly unknown[] = [
  {},
  { '\0': 1 },
  { a: '\0' },
  { a: '\ud800' },
  { ['k'.repeat(3_000)]: 'v' },
  JSON.parse(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`),
];

/** Unexpected values that the field's kind allows. */
export function hostileValues(kind: string): readonly unknown[] {
  const plain = kind.replace('?', '');
  if (plain === 'string') return TEXTS;
  if (plain === 'number') return NUMBERS;
  if (plain === 'boolean') return [true];
  if (plain === 'object') return OBJECTS;
  return plain === 'string[]' ? TEXTS.map((text) => [text]) : OBJECTS.map((object) => [object]);
}

/** The valid value of each field, so that validation reaches the hostile field. */
export const SOUND: Fields = {
  email: 'sound@example.com',
  email_address: 'sound@example.com',
  phone_number: '+14155558001',
  password: 'violet tractor moon 88',
  new_password: 'violet tractor moon 88',
  existing_password: 'violet tractor moon 88',
  session_duration_minutes: 30,
  expiration_minutes: 10,
  totp_code: '123456',
  token: '123456',
  domain: 'localhost',
  crypto_wallet_type: 'ethereum',
  crypto_wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7',
  client_id: 'app',
  redirect_uri: 'https://app.example/callback',
  response_type: 'code',
  scopes: ['openid'],
  profile_id: 'p',
  name: {},
  untrusted_metadata: {},
};

/** A value with which the endpoint continues to the next field. */
export function soundValue(field: string, kind: string): unknown {
  const known: unknown = SOUND[field];
  if (kind.startsWith('string[')) return known ?? [];
  return known === undefined || (kind.startsWith('string') && typeof known !== 'string') ? 'x' : known;
}
