import { describe, expect, it } from 'vitest';
import { kratos } from '#provider/operation/vendors/kratos/kratos.ts';
import { exportOf, fileOf, optionsOf, reading, type Values } from './exports.ts';
import { byLabel, expectEverythingOf, expectReadable, lineOf, lossesOf } from './verdict.ts';

const old = exportOf('kratos');
const { people } = old;
const identities = old['identities'] as readonly Values[];
const read = (list = identities) => reading(kratos, [fileOf('identities.json', list)], optionsOf(old));
const idOf = (label: string) => people.find((person) => person.label === label)?.id;
const change = (label: string, values: Values): readonly Values[] =>
  identities.map((identity) => (identity['id'] === idOf(label) ? { ...identity, ...values } : identity));

describe('An export of Ory Kratos', () => {
  it('gives each person what they had: passwords, apps, unused recovery codes, passkeys', async () => {
    const { users, wrong } = await read();
    expect(wrong).toEqual([]);
    expect(users).toHaveLength(people.length);
    const of = byLabel({ users, wrong }, people);
    for (const person of people) await expectEverythingOf(person, of(person.label));
    expectReadable(users);
  });

  it('has addresses, numbers, names and metadata', async () => {
    const of = byLabel(await read(), people);
    expect(lineOf(of('bcrypt'))).toMatchObject({
      created_at: '2024-02-03T04:05:06.789Z',
      emails: [{ email: 'bcrypt@example.com', verified: true }],
      name: { first_name: 'Ada', last_name: 'Lovelace' },
      trusted_metadata: { tier: 1 },
      untrusted_metadata: { plan: 'gold' },
    });
    expect(lineOf(of('bcrypt'))['emails']).toHaveLength(1);
    expect(lineOf(of('unproven'))).toMatchObject({ emails: [{ verified: false }] });
    expect(lineOf(of('local64'))).toMatchObject({ emails: [{ verified: false }], name: { first_name: '山田太郎' } });
    expect(lineOf(of('phone'))).toMatchObject({ phone_numbers: [{ phone_number: '+4915112345678', verified: true }] });
    expect(lineOf(of('inactive'))).toMatchObject({ locked: true });
    expect(lineOf(of('username'))).toMatchObject({ untrusted_metadata: { username: 'some_name' } });
  });

  it('has the handles of passkeys, and social accounts', async () => {
    const of = byLabel(await read(), people);
    for (const label of ['passkey', 'old webauthn']) {
      const handle = people.find((person) => person.label === label)?.handle;
      expect(lineOf(of(label)).passkeys).toMatchObject([{ user_handle: handle, rp_id: 'old.example' }]);
    }
    expect(lineOf(of('oidc'))['social_accounts']).toEqual([
      { provider: 'google', subject: '110248495921238986420', email: 'goo@gmail.com' },
      { provider: 'github', subject: '583231', email: null },
    ]);
  });

  it('names what is lost', async () => {
    const of = byLabel(await read(), people);
    expect(lossesOf(of('bcrypt'))).toEqual(['metadata']);
    expect(lossesOf(of('md4'))).toEqual(['password']);
    expect(of('hook').losses).toEqual([{ what: 'password', reason: expect.stringContaining('hook') as string }]);
    expect(lossesOf(of('no config'))).toEqual(['password', 'app']);
    expect(lossesOf(of('username'))).toEqual(['username', 'password', 'way in']);
    expect(lossesOf(of('codes alone'))).toEqual(['recovery codes']);
    expect(lossesOf(of('oidc'))).toEqual(['social account', 'social account']);
  });

  it('names the passwords that a plain list lacks', async () => {
    const { users } = await read(
      identities.map((identity) =>
        Object.fromEntries(Object.entries(identity).filter(([name]) => name !== 'credentials')),
      ),
    );
    expect(users.every((user) => lossesOf(user).includes('password'))).toBe(true);
  });

  it.each<readonly [field: string, label: string, values: Values, fault: RegExp]>([
    ['traits', 'bcrypt', { traits: [] }, /^traits must be a JSON object/u],
    ['created_at', 'bcrypt', { created_at: 'x' }, /^created_at must be a time/u],
  ])('says what is wrong: %s', async (_, label, values, fault) => {
    const { users, wrong } = await read(change(label, values));
    expect(wrong.map((each) => each.wrong)).toEqual([expect.stringMatching(fault)]);
    expect(users).toHaveLength(people.length - 1);
  });
});
