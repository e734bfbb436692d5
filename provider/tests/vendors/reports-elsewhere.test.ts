import { describe, expect, it } from 'vitest';
import { isOfMigrated } from '#provider/accounts/passwords/stored.ts';
import { migratedHash } from '#provider/accounts/passwords/migrated-hashes.ts';
import { readImportLine } from '#provider/accounts/account/import-line.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { VENDORS } from '#provider/operation/vendors/vendors.ts';
import { exportFolder, readExport, type Fields } from './export-files.ts';

const file = exportFolder();

/** A user of each product whose lists have items of another kind. */
const STRANGE: Readonly<Record<string, Fields>> = {
  stytch: { user_id: 'user-live-1', emails: [null] },
  auth0: { user_id: 'auth0|1', email: 'a@example.com', identities: [null] },
  clerk: { id: 'user_1', email_addresses: [null], external_accounts: [] },
  firebase: { localId: '1', email: 'a@example.com', providerUserInfo: [null] },
  cognito: { Username: '1', UserStatus: 'CONFIRMED', Attributes: [null] },
  supabase: { id: '1', email: 'a@example.com', encrypted_password: '', raw_user_meta_data: [] },
  'better-auth': { id: '1', email: 'a@example.com', emailVerified: {} },
  'next-auth': { id: '1', email: 'a@example.com', emailVerified: [] },
  keycloak: { id: '1', username: 'a', createdTimestamp: 1, credentials: [null] },
  kratos: { id: '1', traits: { email: 'a@example.com' }, verifiable_addresses: [null] },
};

describe('what the importers of other products do not survive', () => {
  it.each(Object.keys(VENDORS))(
    'a list with an item of another kind is an error of its user alone: %s',
    async (name) => {
      const { users, wrong } = await readExport(name, [file(`${name}.json`, JSON.stringify([STRANGE[name]]))]);
      expect(users).toEqual([]);
      expect(wrong).toMatchObject([{ number: 1, wrong: expect.stringMatching(/^\w+ (?:in \w+ )?must be /u) }]);
    },
  );

  it.each(Object.keys(VENDORS))('an export without a user is named as such: %s', async (name) => {
    for (const content of ['[]', '{"users":[]}', '']) {
      await expect(readExport(name, [file(`${name}-empty.json`, content)])).rejects.toThrow(/has a row of the users of|have no users/u); // prettier-ignore
    }
  });

  it('an id is found whatever the blanks of a JSON file are', async () => {
    const text = '{\n    "users":  [\n        {\n            "localId": "6163ee1c5235bc04593462fe",\n            "email": "jon.foo@example.com"\n        }\n    ]\n}\n'; // prettier-ignore
    const { users, wrong } = await readExport('firebase', [file('spaces.json', text)]);
    expect(wrong).toEqual([]);
    expect(users[0]?.line).toMatchObject({ external_id: '6163ee1c5235bc04593462fe' });
  });

  it('a hash without the parameters of its project is an error that names them', async () => {
    const user = { localId: '1', email: 'a@example.com', passwordHash: 'lSrfV15cpx95/sZS2W9c9A==', salt: '42xEC+ixf3L2lw==' }; // prettier-ignore
    const { users } = await readExport('firebase', [file('hash.json', JSON.stringify({ users: [user] }))]);
    expect(readImportLine(DEMO_PROJECT, users[0]?.line)).toMatchObject({ wrong: expect.stringContaining('--firebase-config') }); // prettier-ignore
  });

  it('a hash that an app brought from its former product is accepted', async () => {
    const hash = '$2b$04$UPrGySRcFursUnVo0wo7Iu7/h.Xr6PSD2DfC3vEJ8w8lPWfaZk8I.';
    const user = file('user.json', JSON.stringify([{ id: '1', email: 'a@example.com', emailVerified: true }]));
    const account = file('account.json', JSON.stringify([{ id: '2', userId: '1', providerId: 'credential', accountId: '1', password: hash }])); // prettier-ignore
    const { users } = await readExport('better-auth', [user, account]);
    expect(users[0]?.line['password']).toEqual({ hash });
    expect(await isOfMigrated(migratedHash({ hash }), 'violet tractor moon 88')).toBe(true);
  });
});
