import { describe, expect, it } from 'vitest';
import { betterAuth } from '../../src/operation/vendors/better-auth.ts';
import { changed, exportOf, filesOf, inCells, inSnakeCase, optionsOf, reading, type Export } from './exports.ts';
import { byLabel, expectEverythingOf, expectReadable, lineOf, lossesOf } from './verdict.ts';

const old = exportOf('better-auth');
const read = (each: Export = old) => reading(betterAuth, filesOf(each.tables), optionsOf(each));

describe('An export of Better Auth', () => {
  it('gives each person what they had: passwords, apps, unused backup codes, passkeys', async () => {
    const { users, wrong } = await read();
    expect(wrong).toEqual([]);
    expect(users).toHaveLength(old.people.length);
    const of = byLabel({ users, wrong }, old.people);
    for (const person of old.people) await expectEverythingOf(person, of(person.label));
    expectReadable(users);
  });

  it.each([
    ['CSV', inCells],
    ['columns in snake_case', inSnakeCase],
    ['files in another order', (tables: Export['tables']) => Object.fromEntries(Object.entries(tables).reverse())],
  ])('is the same with %s', async (_, spelling) => {
    const { users, wrong } = await read({ ...old, tables: spelling(old.tables) });
    const known = await read();
    expect(wrong).toEqual([]);
    // The app's own columns keep the spelling of the export.
    const plain = (user: (typeof users)[number]) => ({ ...user, line: { ...user.line, untrusted_metadata: undefined } });
    expect(users.map(plain)).toEqual(known.users.map(plain));
  });

  it('has addresses, numbers, names, metadata and wallets', async () => {
    const of = byLabel(await read(), old.people);
    expect(lineOf(of('plain'))).toMatchObject({
      emails: [{ email: 'ada@example.com', verified: true }],
      name: { first_name: 'Ada', last_name: 'Lovelace' },
    });
    expect(lineOf(of('unproven'))).toMatchObject({ emails: [{ verified: false }], name: { first_name: 'Uma' } });
    expect(lineOf(of('phone'))).toMatchObject({ phone_numbers: [{ phone_number: '+4915112345678', verified: true }] });
    expect(lineOf(of('phone'))).not.toHaveProperty('emails');
    expect(lineOf(of('script'))).toMatchObject({ untrusted_metadata: { plan: 'gold', image: 'https://old.example/a.png' } });
    expect(lineOf(of('wallet'))).toMatchObject({ wallets: [{ type: 'ethereum', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }] });
    expect(lineOf(of('wallet'))).not.toHaveProperty('emails');
  });

  it('has social accounts by their subjects, and names what is lost', async () => {
    const of = byLabel(await read(), old.people);
    expect(lineOf(of('google'))['social_accounts']).toEqual([
      { provider: 'google', subject: '110248495921238986420', email: 'goo@gmail.com' },
    ]);
    expect(lineOf(of('github'))['social_accounts']).toMatchObject([{ provider: 'github', subject: '583231' }]);
    expect(lineOf(of('slack'))['social_accounts']).toMatchObject([{ provider: 'slack', subject: 'T0R7GR-U0R7JM' }]);
    expect(lossesOf(of('spotify'))).toEqual(['social account']);
    expect(lossesOf(of('anonymous'))).toEqual(['way in']);
    expect(lossesOf(of('username'))).toEqual(['username']);
    expect(of('app').losses).toEqual([]);
  });

  it('locks those whose ban lasts', async () => {
    const of = byLabel(await read(), old.people);
    const locked = ['banned', 'ban lasts', 'ban over', 'plain'].map((label) => lineOf(of(label))['locked']);
    expect(locked).toEqual([true, true, undefined, undefined]);
    expect(lineOf(of('banned'))).toMatchObject({ trusted_metadata: { roles: ['admin', 'editor'] } });
  });

  it('needs its secret for apps, also as one of several, and refuses a wrong one', async () => {
    await expect(read({ ...old, secret: undefined })).rejects.toThrow(/--secret-env BETTER_AUTH_SECRET/u);
    await expect(read({ ...old, secret: 'another' })).rejects.toThrow(/secret is wrong/u);
    const encrypted = (old.tables['twoFactor'] ?? []).map((row) => ({ ...row, secret: `$ba$1$${String(row['secret'])}` }));
    const rotated = { ...old, secret: `2:another,1:${old.secret ?? ''}`, tables: { ...old.tables, twoFactor: encrypted } };
    expect(await read(rotated)).toEqual(await read());
  });

  it('reads backup codes that are stored as they are', async () => {
    const codes = JSON.stringify(['abcde-fghij']);
    const of = byLabel(await read(changed(old, 'twoFactor', 'app', { backupCodes: codes })), old.people);
    expect(lineOf(of('app')).recovery_codes).toEqual(['abcde-fghij']);
  });

  it('says what is damaged beside values that can be read', async () => {
    const { users, wrong } = await read(changed(old, 'twoFactor', 'app', { secret: 'ab'.repeat(60) }));
    expect(wrong).toEqual([expect.objectContaining({ wrong: expect.stringMatching(/^secret of row 1 of twoFactor\.json must be/u) as string })]);
    expect(users).toHaveLength(old.people.length - 1);
  });

  it('names the passwords that are lost without the table of accounts', async () => {
    const { account: _, ...tables } = old.tables;
    const of = byLabel(await read({ ...old, tables }), old.people);
    expect(lossesOf(of('plain'))).toContain('password');
  });

  it.each([
    ['user', 'plain', 'emailVerified', 'perhaps', /^emailVerified must be true or false/u],
    ['user', 'plain', 'createdAt', 'perhaps', /^createdAt must be a time/u],
    ['account', 'plain', 'providerId', '', /^providerId of row 1 of account\.json must be there/u],
    ['passkey', 'both', 'counter', 'x', /^counter of row 4 of passkey\.json must be a whole number/u],
  ])('says what is wrong in %s of %s: %s', async (table, label, field, value, fault) => {
    const { users, wrong } = await read(changed(old, table, label, { [field]: value }));
    expect(wrong.map((each) => each.wrong)).toEqual([expect.stringMatching(fault)]);
    expect(users).toHaveLength(old.people.length - 1);
  });
});
