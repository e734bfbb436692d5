import { describe, expect, it } from 'vitest';
import { UsageError } from '#provider/base/usage-error.ts';
import { supabase } from '#provider/operation/vendors/supabase/supabase.ts';
import { changed, exportOf, fileOf, filesOf, inCells, optionsOf, reading, type Export } from './exports.ts';
import { byLabel, expectEverythingOf, expectReadable, lineOf, lossesOf } from './verdict.ts';

const old = exportOf('supabase');
const read = (each: Export = old) => reading(supabase, filesOf(each.tables), optionsOf(each));
const people = old.people.filter(({ label }) => label !== 'deleted');

describe('An export of Supabase', () => {
  it('gives each person what they had: passwords, apps, passkeys', async () => {
    const { users, wrong } = await read();
    expect(users).toHaveLength(people.length);
    expect(wrong).toEqual([
      { number: expect.any(Number) as number, path: 'users.json', wrong: expect.stringContaining('deleted') as string },
    ]);
    const of = byLabel({ users, wrong }, people);
    for (const person of people) await expectEverythingOf(person, of(person.label));
    expectReadable(users);
  });

  it('is the same as CSV, and in another order of files', async () => {
    const tables = Object.fromEntries(Object.entries(inCells(old.tables)).reverse());
    expect(await read({ ...old, tables })).toEqual(await read());
  });

  it('has addresses, numbers, names and metadata', async () => {
    const of = byLabel(await read(), people);
    expect(lineOf(of('plain'))).toMatchObject({
      created_at: '2024-02-03T04:05:06.789Z',
      emails: [{ email: 'plain@example.com', verified: true }],
      name: { first_name: 'Ada', last_name: 'King Lovelace' },
      trusted_metadata: { roles: ['admin'] },
      untrusted_metadata: { plan: 'gold' },
    });
    expect(lineOf(of('unproven'))).toMatchObject({ emails: [{ verified: false }] });
    expect(lineOf(of('phone'))).toMatchObject({ phone_numbers: [{ phone_number: '+4915112345678', verified: true }] });
    expect(lineOf(of('phone factor'))).toMatchObject({
      phone_numbers: [{ phone_number: '+4915112345679', verified: true }],
    });
    expect(lineOf(of('google'))).toMatchObject({ name: { first_name: 'Goo', last_name: 'Gle' } });
  });

  it('has social accounts and wallets by their subjects', async () => {
    const of = byLabel(await read(), people);
    expect(lineOf(of('google'))['social_accounts']).toEqual([
      { provider: 'google', subject: '110248495921238986420', email: 'google@example.com' },
    ]);
    expect(lineOf(of('several'))['social_accounts']).toEqual([
      { provider: 'microsoft', subject: 'AAAAsubject', email: null },
      { provider: 'linkedin', subject: 'lnk1', email: null },
      { provider: 'slack', subject: 'T0R7GR-U0R7JM', email: null },
    ]);
    expect(lossesOf(of('several'))).toEqual(['social account']);
    expect(lineOf(of('old identity'))['social_accounts']).toMatchObject([{ provider: 'github', subject: '583231' }]);
    expect(lineOf(of('wallets'))['wallets']).toEqual([
      { type: 'ethereum', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      { type: 'solana', address: 'Vote111111111111111111111111111111111111111' },
    ]);
  });

  it('names what is lost', async () => {
    const of = byLabel(await read(), people);
    expect(lossesOf(of('lost identity'))).toEqual(['social account']);
    expect(lossesOf(of('app'))).toEqual(['app']);
    expect(lossesOf(of('anonymous'))).toEqual(['way in']);
    expect(of('plain').losses).toEqual([]);
  });

  it('locks those whose ban lasts', async () => {
    const of = byLabel(await read(), people);
    expect(['banned', 'ban over', 'plain'].map((label) => lineOf(of(label))['locked'])).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  it('needs its key if values are encrypted, and refuses a wrong one before the first user', async () => {
    await expect(read({ ...old, secret: undefined })).rejects.toThrow(/--secret-env/u);
    await expect(read({ ...old, secret: Buffer.alloc(32).toString('base64url') })).rejects.toThrow(/secret is wrong/u);
    await expect(read({ ...old, secret: 'short' })).rejects.toThrow(/32 bytes/u);
    expect(
      await read({ ...old, secret: `k0:${Buffer.alloc(32).toString('base64url')},k1:${old.secret ?? ''}` }),
    ).toEqual(await read());
  });

  it('tells a damaged value from a wrong key', async () => {
    const stored = JSON.parse(
      String(
        old.tables['users']?.find(({ id }) => id === people.find(({ label }) => label === 'sealed')?.id)?.[
          'encrypted_password'
        ],
      ),
    ) as object;
    const { users, wrong } = await read(
      changed(old, 'users', 'sealed', {
        encrypted_password: JSON.stringify({ ...stored, data: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }),
      }),
    );
    expect(users).toHaveLength(people.length - 1);
    expect(wrong.map((each) => each.wrong).join()).toMatch(/encrypted_password.*damaged/u);
  });

  it('needs the domain of passkeys', async () => {
    await expect(reading(supabase, filesOf(old.tables), { rp_id: null, secret: old.secret ?? null })).rejects.toThrow(
      /--rp-id/u,
    );
  });

  it.each([
    ['users', 'plain', 'created_at', 'yesterday', /created_at must be a time/u],
    ['users', 'plain', 'raw_user_meta_data', '{', /raw_user_meta_data must be JSON/u],
    ['users', 'plain', 'id', '', /id must be there/u],
    ['identities', 'google', 'identity_data', '[]', /identity_data .* must be a JSON object/u],
  ])('says what is wrong in %s of %s: %s', async (table, label, field, value, wrong) => {
    const reading = await read(changed(old, table, label, { [field]: value }));
    const faults = reading.wrong.map((each) => each.wrong).filter((each) => !each.includes('deleted'));
    expect(faults).toEqual([expect.stringMatching(wrong)]);
    expect(faults.join()).not.toContain(value === '' ? 'violet' : value);
    expect(reading.users).toHaveLength(people.length - 1);
  });

  it('refuses a file of something else', async () => {
    const files = [...filesOf(old.tables), fileOf('other.csv', [{ a: '1' }])];
    await expect(reading(supabase, files, optionsOf(old))).rejects.toThrow(UsageError);
  });

  it('needs users, and reads files without a row', async () => {
    await expect(read({ ...old, tables: { ...old.tables, users: [] } })).rejects.toThrow(
      /No file has a row of the users/u,
    );
    expect((await read({ ...old, tables: { ...old.tables, mfa_factors: [] } })).users).toHaveLength(people.length);
  });
});
