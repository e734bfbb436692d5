import { Secret } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { SOAK } from '#tests/soak.ts';
import { betterAuth } from '#provider/operation/vendors/better-auth/better-auth.ts';
import { changed, exportOf, filesOf, inCells, inSnakeCase, optionsOf, reading, type Export } from './exports.ts';
import { byLabel, expectEverythingOf, expectReadable, lineOf, lossesOf } from './verdict.ts';

/** Encrypted by `symmetricEncrypt` of better-auth 1.7.25 with the second and the first secret. */
const ROTATED = {
  secrets: '2:second secret of the old app 2026,1:first secret of the old app 2024',
  secret:
    '$ba$2$8f2e7a7ad1ff2ae8320a577397701f1911017a6b0122b674d4ce96321f4fed39f00af1684c11c8835d432aaa67ac3f80cc08555ec66a96efc229a64bf67651bb897b0756b9e73963',
  codes:
    '$ba$1$bae6e5498fb851b98a54b9f2b4e80ee5ee5807c63b605c024e84bed038885516e8e34ec13f6d26f0528cbec8c203c84269b4787fd15e41',
  imported:
    '$ba$2$d5894bec4b2966040351972cc5f149175f242acfe85c64dc460806db9a8a7ab0162bda2f0a7e609ffb0ff8dfd54ed2fc2959ca416de15c40da26019b95f2ad',
};

const old = exportOf('better-auth');
/** Its scrypt takes as long as twenty other hashes: these have one, or another kind of login. */
const QUICK = old.people.filter(
  ({ label, password }) => password === undefined || ['plain', 'decomposed', 'app', 'passkey'].includes(label),
);
const read = (each: Export = old) => reading(betterAuth, filesOf(each.tables), optionsOf(each));

describe('An export of Better Auth', () => {
  it('gives each person what they had: passwords, apps, unused backup codes, passkeys', async () => {
    const { users, wrong } = await read();
    expect(wrong).toEqual([]);
    expect(users).toHaveLength(old.people.length);
    const of = byLabel({ users, wrong }, old.people);
    for (const person of SOAK ? old.people : QUICK) await expectEverythingOf(person, of(person.label));
    expectReadable(users);
  });

  it.each([
    ['CSV', inCells],
    ['columns in snake_case', inSnakeCase],
    ['files in another order', (tables: Export['tables']) => Object.fromEntries(Object.entries(tables).reverse())],
  ])('is the same with %s', async (_, spelling) => {
    const { users, wrong } = await read({ ...old, tables: spelling(old.tables) });
    const plainly = await read();
    expect(wrong).toEqual([]);
    // The app's own columns keep the spelling of the export.
    const plain = (user: (typeof users)[number]) => ({
      ...user,
      line: { ...user.line, untrusted_metadata: undefined },
    });
    expect(users.map(plain)).toEqual(plainly.users.map(plain));
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
    expect(lineOf(of('script'))).toMatchObject({
      untrusted_metadata: { plan: 'gold', image: 'https://old.example/a.png' },
    });
    expect(lineOf(of('wallet'))).toMatchObject({
      wallets: [{ type: 'ethereum', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }],
    });
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

  it('needs its secret for apps, and refuses a wrong one', async () => {
    await expect(read({ ...old, secret: undefined })).rejects.toThrow(/--secret-env BETTER_AUTH_SECRET/u);
    await expect(read({ ...old, secret: 'another' })).rejects.toThrow(/secret is wrong/u);
  });

  it('reads what a rotated secret encrypted, and an app that was imported', async () => {
    const [app] = old.tables['twoFactor'] ?? [];
    const readWith = async (secret: string) => {
      const tables = { ...old.tables, twoFactor: [{ ...app, secret, backupCodes: ROTATED.codes }] };
      return lineOf(byLabel(await read({ ...old, tables, secret: ROTATED.secrets }), old.people)('app'));
    };
    const line = await readWith(ROTATED.secret);
    expect(Secret.fromBase32(line.totp?.secret ?? '').utf8).toBe('abcdefghijklmnopqrstuvwxyz012345');
    expect(line.recovery_codes).toEqual(['aaaaa-bbbbb']);
    expect((await readWith(ROTATED.imported)).totp?.secret).toBe('JBSWY3DPEHPK3PXP');
  });

  it('reads backup codes that are stored as they are', async () => {
    const codes = JSON.stringify(['abcde-fghij']);
    const of = byLabel(await read(changed(old, 'twoFactor', 'app', { backupCodes: codes })), old.people);
    expect(lineOf(of('app')).recovery_codes).toEqual(['abcde-fghij']);
  });

  it('names the passwords that are lost without the table of accounts', async () => {
    const { account: _, ...tables } = old.tables;
    const of = byLabel(await read({ ...old, tables }), old.people);
    expect(lossesOf(of('plain'))).toContain('password');
  });

  it.each([
    ['user', 'plain', 'emailVerified', 'perhaps', /^emailVerified must be true or false/u],
    ['user', 'plain', 'createdAt', 'perhaps', /^createdAt must be a time/u],
  ])('says what is wrong in %s of %s: %s', async (table, label, field, value, fault) => {
    const { users, wrong } = await read(changed(old, table, label, { [field]: value }));
    expect(wrong.map((each) => each.wrong)).toEqual([expect.stringMatching(fault)]);
    expect(users).toHaveLength(old.people.length - 1);
  });
});
