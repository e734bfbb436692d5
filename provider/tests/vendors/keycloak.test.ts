import { describe, expect, it } from 'vitest';
import { keycloak } from '#provider/operation/vendors/keycloak/keycloak.ts';
import { exportOf, fileOf, reading, type Values } from './exports.ts';
import { byLabel, expectEverythingOf, expectReadable, lineOf, lossesOf } from './verdict.ts';

const old = exportOf('keycloak');
const realm = old['realm'] as Values;
const list = realm['users'] as readonly Values[];
const people = old.people.filter(({ client }) => client !== true);
const options = { rp_id: null, secret: null };
const read = (users = list) => reading(keycloak, [fileOf('realm.json', [{ ...realm, users }])], options);
const without = (name: string): Values => Object.fromEntries(Object.entries(realm).filter(([field]) => field !== name));
const idOf = (label: string) => people.find((person) => person.label === label)?.id;

describe('An export of Keycloak', () => {
  it('gives each person what they had: passwords, apps, unused recovery codes, passkeys', async () => {
    const { users, wrong } = await read();
    expect(wrong).toEqual([]);
    expect(users).toHaveLength(people.length);
    const of = byLabel({ users, wrong }, people);
    for (const person of people) await expectEverythingOf(person, of(person.label));
    expectReadable(users);
  });

  it('is the same with users in files of their own', async () => {
    const [first, ...others] = list;
    const files = [
      fileOf('old-users-0.json', [{ realm: 'old', users: [first] }]),
      fileOf('old-realm.json', [without('users')]),
      fileOf('old-users-1.json', others),
    ];
    const { users, wrong } = await reading(keycloak, files, options);
    expect(wrong).toEqual([]);
    expect(users.map(({ line }) => line)).toEqual((await read()).users.map(({ line }) => line));
  });

  it('has addresses, numbers, names, roles and attributes', async () => {
    const of = byLabel(await read(), people);
    expect(lineOf(of('argon'))).toMatchObject({
      created_at: '2024-02-03T04:05:06.789Z',
      emails: [{ email: 'argon@example.com', verified: true }],
      phone_numbers: [{ phone_number: '+4915112345678', verified: true }],
      name: { first_name: 'First', last_name: 'argon' },
      trusted_metadata: { roles: ['admin', 'user'], client_roles: { app: ['editor'] }, groups: ['/staff'] },
      untrusted_metadata: { locale: 'de', tags: ['a', 'b'] },
    });
    expect(lineOf(of('unproven'))).toMatchObject({ emails: [{ verified: false }] });
    expect(lineOf(of('temporary'))).toMatchObject({ password: { requires_reset: true } });
    expect(lineOf(of('disabled'))).toMatchObject({ locked: true });
    expect(lineOf(of('passkeys')).passkeys).toMatchObject([
      {
        rp_id: 'old.example',
        user_handle: Buffer.from(idOf('passkeys') ?? '').toString('base64url'),
        transports: ['usb'],
      },
      { rp_id: 'old.example', name: 'webauthn-passwordless' },
    ]);
  });

  it('has social accounts by the kind of their provider, and names what is lost', async () => {
    const of = byLabel(await read(), people);
    expect(lineOf(of('social'))['social_accounts']).toEqual([
      { provider: 'google', subject: '110248495921238986420', email: null },
      { provider: 'github', subject: '583231', email: null },
    ]);
    expect(lossesOf(of('social'))).toEqual(['social account', 'social account']);
    expect(lossesOf(of('username'))).toEqual(['username']);
    expect(lossesOf(of('no address'))).toEqual(['username', 'password', 'way in']);
    expect(lossesOf(of('directory'))).toEqual(['password']);
    expect(lossesOf(of('plugin'))).toEqual(['password']);
    expect(lossesOf(of('app'))).toEqual(['app']);
    expect(of('hotp').losses).toEqual([{ what: 'app', reason: expect.stringContaining('HOTP') as string }]);
  });

  it('reads a secret that looks like base32 as text, unless it is named so', async () => {
    const of = byLabel(await read(), people);
    expect(lineOf(of('app')).totp?.secret).not.toBe('JBSWY3DPEHPK3PXPJBSW');
    expect(lineOf(of('app in base32')).totp).toMatchObject({ algorithm: 'SHA256', digits: 8, period: 60 });
  });

  it.each<readonly [field: string, user: Values, fault: RegExp]>([
    ['credentials', { credentials: 'x' }, /^credentials must be JSON/u],
    ['createdTimestamp', { createdTimestamp: 'x' }, /^createdTimestamp must be a time/u],
    ['enabled', { enabled: 'x' }, /^enabled must be true or false/u],
  ])('says what is wrong: %s', async (_, change, fault) => {
    const { users, wrong } = await read(
      list.map((user) => (user['id'] === idOf('sha1') ? { ...user, ...change } : user)),
    );
    expect(wrong.map((each) => each.wrong)).toEqual([expect.stringMatching(fault)]);
    expect(users).toHaveLength(people.length - 1);
  });

  it('needs users', async () => {
    await expect(reading(keycloak, [fileOf('old-realm.json', [without('users')])], options)).rejects.toThrow(
      /have no users/u,
    );
  });
});
