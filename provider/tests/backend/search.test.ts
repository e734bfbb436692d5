import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchUsersQueryOperand } from 'stytch';
import { createApp } from '#provider/operation/app.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { basic, EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';

const PEOPLE = ['Ada', 'Bob', 'Cyd', 'Dan', 'Eve', 'Fay'] as const;

describe.each(EITHER_DATABASE)('the search for users, on %s', (_, database) => {
  let backend: Backend;
  const ids = new Map<string, string>();
  const starts = new Map<string, number>();
  const nameOf = (user: Fields) => [...ids].find(([, id]) => id === user['user_id'])?.[0] ?? '?';
  beforeAll(async () => {
    backend = await startBackend(database);
    const { client, provider } = backend;
    for (const [index, first_name] of PEOPLE.entries()) {
      provider.clock.time += MINUTE;
      const { user_id } = await client.users.create({
        email: `${first_name}@example.com`,
        ...(index < 2 ? { phone_number: `+1415555267${index}` } : {}),
        ...(index === 5 ? { external_id: 'crm-5' } : {}),
        name: { first_name, middle_name: '100%', last_name: 'of_Example' },
        create_user_as_pending: index % 2 === 1,
      });
      ids.set(first_name, user_id);
      starts.set(first_name, provider.clock.time);
    }
    await provider.signIn('eve@example.com');
  });
  afterAll(() => backend.close());

  const search = async (operands: readonly Fields[], operator = 'AND') => {
    const query = { operator, operands: operands as unknown as SearchUsersQueryOperand[] };
    const found = await backend.client.users.search({ query });
    const names = found.results.map(nameOf);
    expect(found.results_metadata).toEqual({ total: names.length, next_cursor: null });
    return names;
  };
  const one = async (filter_name: string, filter_value: unknown) => search([{ filter_name, filter_value }]);
  const at = (name: string) => new Date(starts.get(name) ?? 0).toISOString();

  it('finds by every filter', async () => {
    const ada = await backend.client.users.get({ user_id: ids.get('Ada') ?? '' });
    expect(await search([])).toEqual([...PEOPLE]);
    expect(await one('created_at_greater_than', at('Dan'))).toEqual(['Eve', 'Fay']);
    expect(await one('created_at_less_than', at('Bob'))).toEqual(['Ada']);
    const between = { greater_than: at('Ada'), less_than: at('Dan') };
    expect(await one('created_at_between', between)).toEqual(['Bob', 'Cyd']);
    expect(await one('status', 'pending')).toEqual(['Bob', 'Dan', 'Fay']);
    expect(await one('user_id', [ids.get('Ada'), ids.get('Fay'), 'nobody'])).toEqual(['Ada', 'Fay']);
    expect(await one('user_id', [])).toEqual([]);
    expect(await one('external_id', ['crm-5', 'crm-6'])).toEqual(['Fay']);
    expect(await one('full_name_fuzzy', 'cyd 100% OF_')).toEqual(['Cyd']);
    expect(await one('email_address', ['ADA@example.com', 'x@example.com'])).toEqual(['Ada']);
    expect(await one('email_address_fuzzy', 'A@EXAMPLE')).toEqual(['Ada']);
    expect(await one('email_id', [ada.emails[0]?.email_id])).toEqual(['Ada']);
    expect(await one('email_verified', true)).toEqual(['Eve']);
    expect(await one('email_verified', false)).toEqual(PEOPLE.filter((name) => name !== 'Eve'));
    expect(await one('phone_number', ['+14155552671'])).toEqual(['Bob']);
    expect(await one('phone_number_fuzzy', '267')).toEqual(['Ada', 'Bob']);
    expect(await one('phone_id', [ada.phone_numbers[0]?.phone_id])).toEqual(['Ada']);
    expect(await one('phone_verified', false)).toEqual(['Ada', 'Bob']);
    expect(await one('password_exists', false)).toEqual([...PEOPLE]);
  });

  it.each([
    ['oauth_provider', ['Google']],
    ['webauthn_registration_id', ['x']],
    ['webauthn_registration_verified', true],
    ['webauthn_registration_verified', false],
    ['biometric_registration_id', ['x']],
    ['biometric_registration_verified', true],
    ['totp_id', ['x']],
    ['totp_verified', true],
    ['crypto_wallet_id', ['x']],
    ['crypto_wallet_address', ['0x']],
    ['crypto_wallet_verified', true],
    ['password_exists', true],
  ])('finds nobody by %s %j, whose like nobody has', async (name, value) => {
    expect(await one(name, value)).toEqual([]);
  });

  it('finds by factors that a user has', async () => {
    const { db } = backend.provider.services;
    const made = { user_id: ids.get('Dan') ?? '', created_at: new Date(0) };
    const oauth = { oauth_user_registration_id: 'o-1', provider_type: 'google', provider_subject: 's' };
    await db
      .insertInto('oauth_registrations')
      .values({ ...made, ...oauth, profile_picture_url: '', locale: '' })
      .execute();
    const wallet = { crypto_wallet_id: 'w-1', crypto_wallet_address: '0xabc' };
    await db
      .insertInto('crypto_wallets')
      .values({ ...made, ...wallet, crypto_wallet_type: 'ethereum' })
      .execute();
    await db
      .insertInto('passwords')
      .values({ ...made, password_id: 'p-1', hash: '', requires_reset: false })
      .execute();
    for (const [name, value] of [
      ['oauth_provider', ['Google', 'github']],
      ['crypto_wallet_id', ['w-1']],
      ['crypto_wallet_address', ['0xabc']],
      ['crypto_wallet_verified', true],
      ['password_exists', true],
    ] as const) {
      expect([name, await one(name, value)]).toEqual([name, ['Dan']]);
    }
    await db.deleteFrom('oauth_registrations').execute();
    await db.deleteFrom('crypto_wallets').execute();
    await db.deleteFrom('passwords').execute();
  });

  it('joins filters with AND and OR', async () => {
    const pending = { filter_name: 'status', filter_value: 'pending' };
    const phone = { filter_name: 'phone_verified', filter_value: false };
    expect(await search([pending, phone])).toEqual(['Bob']);
    expect(await search([pending, phone], 'OR')).toEqual(['Ada', 'Bob', 'Dan', 'Fay']);
    expect(await search([], 'OR')).toEqual([...PEOPLE]);
  });

  it('takes no part of a name for a pattern', async () => {
    for (const text of ['_da', '%', String.raw`\ `, "' or true --"]) {
      expect([text, await one('full_name_fuzzy', text)]).toEqual([text, text === '%' ? [...PEOPLE] : []]);
    }
  });

  it.each<[string, Fields, string]>([
    ['an unknown filter', { filter_name: 'shoe_size', filter_value: 42 }, 'shoe_size'],
    ['a filter of a prototype', { filter_name: 'constructor', filter_value: 1 }, 'constructor'],
    ['no filter', { filter_value: 1 }, 'unknown'],
    ['a list in place of a text', { filter_name: 'full_name_fuzzy', filter_value: ['a'] }, 'full_name_fuzzy'],
    ['an empty text', { filter_name: 'email_address_fuzzy', filter_value: '' }, 'email_address_fuzzy'],
    ['a text in place of a list', { filter_name: 'user_id', filter_value: 'a' }, 'array of strings'],
    ['a number among texts', { filter_name: 'email_id', filter_value: [1] }, 'array of strings'],
    ['a text in place of a flag', { filter_name: 'email_verified', filter_value: 'true' }, 'a boolean'],
    ['a day in place of a time', { filter_name: 'created_at_less_than', filter_value: '2026-11-22' }, 'RFC 3339'],
    ['a time that is none', { filter_name: 'created_at_less_than', filter_value: '2026-13-45T99:99:99Z' }, 'RFC 3339'],
    ['half of a time span', { filter_name: 'created_at_between', filter_value: {} }, 'RFC 3339'],
    ['an unknown status', { filter_name: 'status', filter_value: 'asleep' }, 'active or pending'],
  ])('refuses %s by its name', async (_what, operand, said) => {
    const query = { operator: 'AND', operands: [operand] as unknown as SearchUsersQueryOperand[] };
    const refused = await refusalOf(backend.client.users.search({ query }));
    expect(refused).toMatchObject({ status_code: 400, error_type: 'bad_request' });
    expect(refused['error_message']).toContain(said);
    expect(Object.keys(refused['error_details'] as Fields)[0]).toMatch(/^query\.operands\.0\.filter_/u);
  });

  it.each<[string, Fields]>([
    ['limit', { limit: 0 }],
    ['limit', { limit: 1001 }],
    ['limit', { limit: 1.5 }],
    ['limit', { limit: '10' }],
    ['cursor', { cursor: 'made up' }],
    ['query.operator', { query: { operator: 'XOR', operands: [] } }],
    ['query.operands', { query: { operator: 'AND' } }],
    ['query', { query: 'all' }],
  ])('refuses a wrong %s in %j', async (field, given) => {
    const refused = await refusalOf(backend.client.users.search(given));
    expect(refused).toMatchObject({ error_type: 'bad_request', error_details: { [field]: expect.any(String) } });
  });

  it('refuses values that are nested deeper than the stack of a walk', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const operand of [`"filter_name":"user_id","filter_value":${deep}`, `"x":${deep}`]) {
      const body = `{"query":{"operator":"AND","operands":[{${operand}}]}}`;
      expect((await backend.raw('POST', '/v1/users/search', { body })).status).toBe(400);
    }
    const ignored = `{"query":{"operator":"AND","operands":[],"x":${deep}},"limit":1}`;
    expect((await backend.raw('POST', '/v1/users/search', { body: ignored })).status).toBe(200);
  });

  it('goes on where a page ended, whoever is added or removed meanwhile', async () => {
    const { client, provider } = backend;
    const first = await client.users.search({ limit: 2 });
    expect(first.results.map(nameOf)).toEqual(['Ada', 'Bob']);
    expect(first.results_metadata.total).toBe(6);
    provider.clock.time += MINUTE;
    const { user_id } = await client.users.create({ email: 'late@example.com' });
    ids.set('late', user_id);
    const second = await client.users.search({ limit: 3, cursor: first.results_metadata.next_cursor ?? '' });
    expect(second.results.map(nameOf)).toEqual(['Cyd', 'Dan', 'Eve']);
    const last = await client.users.search({ limit: 2, cursor: second.results_metadata.next_cursor ?? '' });
    expect(last.results.map(nameOf)).toEqual(['Fay', 'late']);
    expect(last.results_metadata.next_cursor).toBeNull();
    await client.users.delete({ user_id });
    const pages: string[][] = [];
    for await (const page of client.users.searchAll({ limit: 4 })) pages.push(page.map(nameOf));
    expect(pages).toEqual([
      ['Ada', 'Bob', 'Cyd', 'Dan'],
      ['Eve', 'Fay'],
    ]);
  });

  it('takes a cursor for its own query alone, and only an honest one', async () => {
    const { client } = backend;
    const query = { operator: 'AND', operands: [{ filter_name: 'status', filter_value: 'active' as const }] };
    const { results_metadata } = await client.users.search({ limit: 1, query });
    const cursor = results_metadata.next_cursor ?? '';
    const fields = { operands: [{ filter_value: 'active' as const, filter_name: 'status' as const }], operator: 'AND' };
    expect((await client.users.search({ limit: 1, query: fields, cursor })).results.map(nameOf)).toEqual(['Cyd']);
    const [place = '', signature = ''] = cursor.split('.');
    const moved = Buffer.from(JSON.stringify([0, ''])).toString('base64url');
    for (const [given, asked] of [
      [cursor, undefined],
      [`${moved}.${signature}`, query],
      [`${place}.`, query],
      [place, query],
      [`${cursor}x`, query],
    ] as const) {
      const refused = refusalOf(client.users.search({ cursor: given, ...(asked && { query: asked }) }));
      expect(await refused).toMatchObject({ status_code: 400, error_details: { cursor: expect.any(String) } });
    }
    const { services } = backend.provider;
    const project_id = 'project-test-other';
    const other = createApp({ ...services, project: { ...services.project, project_id } });
    const ask = async (body: Fields) =>
      other.request('/v1/users/search', {
        method: 'POST',
        headers: { authorization: basic(project_id, DEV_SECRET), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await ask({ query })).status).toBe(200);
    expect((await ask({ query, cursor })).status).toBe(400);
  });
});
