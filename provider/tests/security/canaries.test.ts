import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const minutes = { session_duration_minutes: 30 };
const PASSWORDS = ['canary tractor moon 88', 'canary lantern orbit 41', 'canary velvet harbor 63', 'canary wrong 17'];

describe.each(EITHER_DATABASE)('passwords, app secrets and codes on %s', (_, url) => {
  const provider = suiteProvider(url);

  it('are in no log line, and in no table but the outbox', async () => {
    const email = 'canary@example.com';
    const [first, second, third, wrong] = PASSWORDS as [string, string, string, string];
    await provider.post('/passwords', { email, password: first, ...minutes });
    await provider.post('/passwords/authenticate', { email, password: wrong, ...minutes });
    await provider.post('/passwords/strength_check', { email, password: wrong });
    await provider.post('/passwords/email/reset/start', { email });
    const message = (await provider.newest())!;
    const tokens = (message.text.match(/http\S+/gu) ?? []).map((link) => new URL(link).searchParams.get('token')!);
    const existing = { email, existing_password: first, new_password: second, ...minutes };
    const changed = await provider.post('/passwords/existing_password/reset', existing);
    const session = changed.data['session_token'] as string;
    await provider.post('/passwords/email/reset/start', { email });
    const again = (await provider.newest())!;
    tokens.push(...(again.text.match(/http\S+/gu) ?? []).map((link) => new URL(link).searchParams.get('token')!));
    const totp = (await provider.post('/totps', { expiration_minutes: 60 }, { session })).data;
    const totp_code = new TOTP({ secret: Secret.fromBase32(totp['secret']) }).generate({
      timestamp: provider.clock.time,
    });
    const entered = await provider.post('/totps/authenticate', { totp_code, ...minutes }, { session });
    const number = { phone_number: '+14155554711' };
    const sent = await provider.post('/otps/sms/send/secondary', number, { session: entered.data['session_token'] });
    const { code } = (await provider.newest())!;
    await provider.post('/passwords/email/reset', { token: tokens[2], password: third, ...minutes });

    const secrets = [...PASSWORDS, ...tokens, totp['secret'], ...totp['recovery_codes'], session];
    expect(secrets).toHaveLength(PASSWORDS.length + 4 + 1 + 10 + 1);
    expect(sent.status).toBe(200);
    const tables = await sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_name <> 'outbox'`.execute(provider.services.db);
    let dump = '';
    for (const { name } of tables.rows) {
      const rows = await sql`select t::text as row from ${sql.table(name)} t`.execute(provider.services.db);
      dump += JSON.stringify(rows.rows);
    }
    expect(dump).toContain(email);
    expect(dump).toContain('$argon2id$');
    const log = provider.logged.join('\n');
    expect(log).toContain('POST /sdk/v1/passwords/authenticate 401');
    for (const secret of secrets) {
      expect(dump).not.toContain(secret);
      expect(log).not.toContain(secret);
    }
    expect(dump).not.toContain('canary ');
    for (const digits of [code, totp_code]) {
      // Six digits may also be the fraction of a time.
      const alone = new RegExp(`(?<![0-9a-zA-Z_.-])${digits}(?![0-9a-zA-Z_-])`, 'u');
      expect(dump).not.toMatch(alone);
      expect(log).not.toMatch(alone);
    }
  });
});
