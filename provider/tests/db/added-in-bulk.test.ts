import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { importUsers } from '#provider/operation/operators/users/import-users.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const BY = { name: 'Grace', address: null, request_id: null };
const HASH = '$2b$04$Hdschr/PndgsgkCBBd0ltOv7L4n81uj2hcOptLPACxYDVyA8zD4H.';

describe.each(EITHER_DATABASE)('rows that one statement adds, on %s', (_, url) => {
  const provider = suiteProvider(url);

  const endpoint = (address: string, events: readonly string[] | null) =>
    sql`insert into webhook_endpoints values (${address}, ${events === null ? null : JSON.stringify(events)}::jsonb)`.execute(provider.services.db); // prettier-ignore
  const told = async (recipient: string): Promise<readonly Fields[]> => {
    const { rows } = await sql<{ text: string }>`select text from outbox where channel = 'webhook'
      and recipient = ${recipient} order by seq`.execute(provider.services.db);
    return rows.map(({ text }) => JSON.parse(text) as Fields);
  };

  it('tell each webhook of each user that the app knows and each factor that is verified', async () => {
    await endpoint('https://all.example.com/', null);
    await endpoint('https://users.example.com/', ['user.created']);
    const lines = [0, 1, 2].map((n) => ({
      emails: [{ email: `person-${n}@example.com`, verified: n > 0 }],
      password: { hash_type: 'bcrypt', hash: HASH },
      ...(n === 2 ? { managed: false, status: 'pending' } : {}),
    }));
    const made = await importUsers(provider.services, lines, BY);
    const ids = made.map((result) => (result.result === 'imported' ? result.user_id : ''));
    const all = await told('https://all.example.com/');
    const found = all.map(({ type, data }) =>
      [type, data.factor_type ?? '', ids.indexOf(String(data.user_id))].join(' '),
    );
    expect(found.sort()).toEqual(
      [
        'user.created  0',
        'user.created  1',
        'factor.added email 1',
        'factor.added email 2',
        'factor.added password 0',
        'factor.added password 1',
        'factor.added password 2',
      ].sort(),
    );
    const emails = await sql<{ email_id: string; user_id: string }>`select email_id, user_id from emails where verified`.execute(provider.services.db); // prettier-ignore
    const ofEmails = all.filter(({ data }) => data.factor_type === 'email').map(({ data }) => data as Fields);
    expect(new Set(ofEmails.map(({ user_id, factor_id }) => `${user_id} ${factor_id}`))).toEqual(
      new Set(emails.rows.map(({ user_id, email_id }) => `${user_id} ${email_id}`)),
    );
    const users = await told('https://users.example.com/');
    expect(users.map(({ type, data }) => [type, Object.keys(data as Fields)])).toEqual(
      [0, 1].map(() => ['user.created', ['user_id']]),
    );
  });

  it.each([
    ['', []],
    ['ab', []],
    ['ABC', ['abc']],
    ['aaaa', ['aaa']],
    ['ab cd', []],
    ['zoë 🙂xy', ['zoë', '🙂xy']],
    ['Ada@x ada@x', ['ada', 'da@', 'a@x']],
    ['ada  bob ada', ['ada', 'bob']],
  ])('find the parts of three characters of the words of %j', async (text, parts) => {
    const { rows } = await sql<{ grams: string[] }>`select text_grams(${text}) as grams`.execute(provider.services.db);
    expect(new Set(rows[0]?.grams)).toEqual(new Set(parts));
  });
});
