import { describe, expect, it } from 'vitest';
import { magicLinks } from '#application/api/magic-links.ts';
import { otps } from '#application/api/otps.ts';
import { passwords } from '#application/api/passwords.ts';
import { totps } from '#application/api/totps.ts';
import { users } from '#application/api/users.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { oneOf } from '#tests/soak.ts';

const NAUGHTY = [
  '',
  "' or 1=1; drop table users; --",
  '\0',
  '\ud800',
  '\u202e\u{1f600}\ufdfa',
  'a@b.example\r\nBcc: all@example.com',
  '__proto__',
  '%00',
  '../../me',
  '${7*7}{{7*7}}',
  'x'.repeat(60_000),
  '+'.repeat(4000),
  '\\u0000',
];
/** What each field holds while another one is naughty: whatever is naughty is then looked at. */
const SOUND: Fields = {
  email: 'sound@example.com',
  phone_number: '+14155558001',
  password: 'violet tractor moon 88',
  new_password: 'violet tractor moon 88',
  existing_password: 'violet tractor moon 88',
  session_duration_minutes: 30,
  expiration_minutes: 10,
  totp_code: '123456',
  token: '123456',
  method_id: 'x',
  recovery_code: 'x',
  name: {},
  untrusted_metadata: {},
};

/** Dropped; `locale` and the template ids only choose from lists, which the tests of the texts try with naughty strings. */
const UNREAD = /^(?:captcha_token|dfp_telemetry_id|locale|.*_template_id)$/u;

describe.each(EITHER_DATABASE)('naughty strings on %s', (_, url) => {
  const provider = suiteProvider(url);

  const endpoints = [passwords, totps, otps, magicLinks, users].flatMap((area) => Object.values(area));
  it.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))('do no harm in %s', async (__, endpoint) => {
    const session = String((await provider.signIn('naughty@example.com'))['session_token']);
    provider.clock.time += 120_000;
    const count = async () => (await provider.services.db.selectFrom('users').select('user_id').execute()).length;
    const sound = Object.fromEntries(
      Object.keys(endpoint.body).flatMap((field) => (field in SOUND ? [[field, SOUND[field]]] : [])),
    );
    const before = await count();
    // The endpoints read texts alike: each gets a share of them, another one than its neighbours.
    for (const naughty of oneOf(8, NAUGHTY, endpoints.indexOf(endpoint))) {
      const path = endpoint.path.replace(
        ':id',
        () => encodeURIComponent(naughty.slice(0, 500).replace(/\p{Surrogate}/gu, '')) || '_',
      );
      for (const [field, kind] of Object.entries(endpoint.body as Record<string, string>)) {
        if (!kind.startsWith('string') || UNREAD.test(field)) continue;
        const { status } = await provider.call(endpoint.method, path, { ...sound, [field]: naughty }, { session });
        expect(status, `${field}: ${naughty.slice(0, 20)}`).toBeLessThan(500);
      }
      if (endpoint.method === 'DELETE' && endpoint.path.includes(':id')) {
        expect((await provider.call('DELETE', path, undefined, { session })).status).toBe(404);
      }
    }
    expect(await count()).toBeLessThanOrEqual(before + 1);
  });
});
