import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '#provider/base/platform.ts';
import { codeHash, newId, newPasscode, newToken } from '#provider/base/security/secrets.ts';
import { temporaryKeys } from '#provider/base/security/server-keys.ts';
import { EITHER_DATABASE, makeProvider } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { soakDescribe, soakIt } from '#tests/soak-tests.ts';

soakDescribe.each(EITHER_DATABASE)('secrets at rest on %s', (_, url) => {
  const provider = suiteProvider(url);

  it('are in no table but the outbox', async () => {
    const { session_token, session_jwt } = await provider.signIn('rest@example.com');
    const token = await provider.sendLink('rest@example.com');
    const { code } = await provider.sendCode('other@example.com');
    const tables = await sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_name <> 'outbox'`.execute(provider.services.db);
    expect(tables.rows.length).toBeGreaterThan(8);
    let dump = '';
    for (const { name } of tables.rows) {
      const rows = await sql`select t::text as row from ${sql.table(name)} t`.execute(provider.services.db);
      dump += JSON.stringify(rows.rows);
    }
    expect(dump).toContain('rest@example.com');
    for (const secret of [session_token, session_jwt, token]) expect(dump).not.toContain(secret);
    expect(dump).not.toMatch(new RegExp(`(?<![0-9a-f.-])${code}(?![0-9a-f-])`, 'u'));
  });
});

describe.each(EITHER_DATABASE)('generated ids on %s', (_, url) => {
  it('are of a time for sessions, which only their user sees, and random for what tells a stranger how old an account is', async () => {
    const provider = await makeProvider(url);
    const version = (id: unknown): string => String(id).at(-22) ?? '';
    const { method_id } = await provider.sendCode('old@example.com');
    const { session, user } = await provider.signIn('old@example.com');
    expect(version(session.session_id)).toBe('7');
    expect([method_id, user.user_id, user.emails[0].email_id].map(version)).toEqual(['4', '4', '4']);
    const outbox = await provider.services.db.selectFrom('outbox').select('id').execute();
    expect(new Set(outbox.map(({ id }) => version(id)))).toEqual(new Set(['7']));
    await provider.close();
  });

  it('follow each other in the order of their times', () => {
    const times = [0, 1, 255, 256, 2 ** 32, Date.UTC(2030, 0, 1), Date.UTC(2030, 0, 1) + 1];
    const ids = times.map((at) => newId(systemRandom, 'session', at));
    expect([...ids].sort()).toEqual(ids);
    expect(newId(systemRandom, 'session', 1)).not.toBe(newId(systemRandom, 'session', 1));
  });
});

describe('generated secrets', () => {
  it('are 256 bits and never the same', () => {
    const tokens = new Set(Array.from({ length: 1000 }, () => newToken(systemRandom)));
    expect(tokens.size).toBe(1000);
    expect([...tokens].every((token) => Buffer.from(token, 'base64url').length === 32)).toBe(true);
  });

  soakIt('have digits that are all equally likely, leading zeros included', () => {
    const counts = Array.from({ length: 6 }, () => Array.from({ length: 10 }, () => 0));
    const codes = 60_000;
    let drawn = 0;
    // Hashes of numbers in turn: as even as random bytes, and the same in every run.
    const bytes = (count: number) =>
      createHash('sha256')
        .update(`${(drawn += 1)}`)
        .digest()
        .subarray(0, count);
    for (let i = 0; i < codes; i += 1) {
      Array.from(newPasscode({ bytes })).forEach((digit, place) => (counts[place]![Number(digit)]! += 1));
    }
    // Chi-square with nine degrees of freedom: random digits exceed 33.7 once in ten thousand times.
    for (const place of counts) {
      const chi = place.reduce((sum, count) => sum + (count - codes / 10) ** 2 / (codes / 10), 0);
      expect(chi).toBeLessThan(33.7);
    }
  });

  it('reject random words that would favour low codes', () => {
    const words = [Uint8Array.of(255, 255, 255, 255), Uint8Array.of(0, 0, 0, 7)];
    expect(newPasscode({ bytes: () => words.shift() ?? new Uint8Array(4) })).toBe('000007');
  });

  it('need the key to be looked up: the same code hashes differently under another key or method', async () => {
    const [a, b] = [await temporaryKeys(), await temporaryKeys()];
    expect(a.signingSecret).not.toEqual(b.signingSecret);
    const hashes = [
      codeHash(a.codeKey, 'm', '123456'),
      codeHash(b.codeKey, 'm', '123456'),
      codeHash(a.codeKey, 'n', '123456'),
    ];
    expect(new Set(hashes).size).toBe(3);
  });
});
