import { describe, expect, it } from 'vitest';
import { nextAuth } from '#provider/operation/vendors/next-auth/next-auth.ts';
import { changed, exportOf, filesOf, inCells, inSnakeCase, optionsOf, reading, type Export } from './exports.ts';
import { byLabel, expectEverythingOf, expectReadable, lineOf, lossesOf } from './verdict.ts';

const old = exportOf('next-auth');
const read = (each: Export = old) => reading(nextAuth, filesOf(each.tables), optionsOf(each));

describe('An export of Auth.js', () => {
  it('gives each person what they had: passwords of the app, passkeys', async () => {
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
    expect(await read({ ...old, tables: spelling(old.tables) })).toEqual(await read());
  });

  it.each([
    ['mail link', true],
    ['google', true],
    ['google elsewhere', false],
    ['google other address', false],
    ['entra', false],
    ['apple', true],
    ['github', false],
    ['damaged token', false],
  ])('has an address that is verified as far as the export proves it: %s', async (label, verified) => {
    const of = byLabel(await read(), old.people);
    expect(lineOf(of(label))).toMatchObject({ emails: [{ verified }] });
  });

  it('has names, roles and social accounts', async () => {
    const of = byLabel(await read(), old.people);
    expect(lineOf(of('mail link'))).toMatchObject({ name: { first_name: 'Ada', last_name: 'Lovelace' } });
    expect(lineOf(of('local64'))).toMatchObject({ name: { first_name: '山田太郎' } });
    expect(lineOf(of('roles'))).toMatchObject({ trusted_metadata: { roles: ['ADMIN'] } });
    expect(lineOf(of('entra'))['social_accounts']).toMatchObject([{ provider: 'microsoft', subject: 'AAAAsub' }]);
    expect(lineOf(of('several'))['social_accounts']).toMatchObject([
      { provider: 'github', subject: '583232' },
      { provider: 'discord' },
    ]);
    expect(lineOf(of('slack'))['social_accounts']).toMatchObject([{ provider: 'slack', subject: 'T0R7GR-U0R7JM' }]);
  });

  it('names what is lost', async () => {
    const of = byLabel(await read(), old.people);
    expect(lossesOf(of('several'))).toEqual(['social account']);
    expect(lossesOf(of('no address'))).toEqual(['way in']);
    expect(lossesOf(of('roles'))).toEqual(['metadata']);
    expect(lossesOf(of('username'))).toEqual(['username']);
    expect(lossesOf(of('lost passkey'))).toEqual(['passkey']);
    expect(of('passkey').losses).toEqual([]);
  });

  it.each([['User', 'google', 'emailVerified', 'perhaps', /^emailVerified must be a time/u]])(
    'says what is wrong in %s of %s: %s',
    async (table, label, field, value, fault) => {
      const { users, wrong } = await read(changed(old, table, label, { [field]: value }));
      expect(wrong.map((each) => each.wrong)).toEqual([expect.stringMatching(fault)]);
      expect(users).toHaveLength(old.people.length - 1);
    },
  );
});
