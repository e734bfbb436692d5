import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SignUpRules } from '#server-rules/sign-ups.ts';
import { exportPerson } from '#provider/operation/operators/users/export-users.ts';
import { importUser } from '#provider/operation/operators/users/import-users.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider, type ProviderResponse } from '../kit/harness.ts';
import { SIGN_UPS } from '../kit/passkey-sign-up.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { oneOf } from '#tests/soak.ts';
import { fromServer, MINUTES, uniqueEmail } from './attacker.ts';
import { FREE, LINK, PROJECT, somebody, TEXT, WAYS, withDoor, type Person } from './newcomers.ts';

const PASSWORD = 'correct horse battery staple 9';
const HASH = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const ADMIN = { name: 'Grace', address: null, request_id: null };
const SHUT = [
  ['closed', { policy: 'closed' }],
  ['invited', { policy: 'invited' }],
  ['for other domains', { domains: ['corp.example'] }],
] as const satisfies readonly (readonly [string, Partial<SignUpRules>])[];

/** What the app's own server may write to any user, also to one whom it did not make. */
const WRITES: readonly (readonly [string, Fields])[] = [
  ['a name', { name: { first_name: 'Ada' } }],
  ['trusted metadata', { trusted_metadata: { plan: 'pro' } }],
  ['untrusted metadata', { untrusted_metadata: { theme: 'dark' } }],
  ['roles', { roles: ['author'] }],
  ['an external id', {}],
];

/** How a page's request makes a row before anybody has proven anything. */
const REQUESTS: readonly (readonly [string, Fields])[] = [
  ['active', { create_user_as_pending: false }],
  ['pending', {}],
];

describe.each(EITHER_DATABASE)('how a user came, on %s', (_, url) => {
  const keys = generateKeyPair('RS256', { extractable: true });
  const provider = suiteProvider(url, { project: PROJECT, limits: FREE });
  let issuer: Fields = {};
  beforeAll(async () => {
    issuer = {
      profile_id: 'ids',
      issuer: 'https://ids.example',
      audience: 'here',
      user_id_claim: 'sub',
      public_key: await exportSPKI((await keys).publicKey),
    };
  });
  const doorOf = (sign_up: Partial<SignUpRules>) => withDoor(provider, sign_up);
  const closed = (): Provider => doorOf({ policy: 'closed' });
  const enter = async (door: Provider, person: Person, way = LINK): Promise<ProviderResponse> =>
    (await way.begin(door, person))(door);
  const put = (user_id: string, fields: Fields) => fromServer(provider, `/users/${user_id}`, fields, 'PUT');
  const rolesOf = ({ data, body }: Pick<ProviderResponse, 'data' | 'body'>): unknown =>
    ((data['user'] ?? body['user']) as Fields | undefined)?.['roles'];

  /** The id of the user whom a request for a link made. */
  async function requestBy(door: Provider, { email }: Person, fields: Fields = {}): Promise<string> {
    const { data } = await door.post('/magic_links/email/login_or_create', { email, ...fields });
    return String(data['user_id']);
  }

  describe.each(REQUESTS)('a stranger’s request that makes an %s user', (status, fields) => {
    it.each(
      oneOf(
        2,
        WRITES,
        REQUESTS.findIndex(([each]) => each === status),
      ),
    )('does not become a sign-up when the app’s own server writes %s', async (what, written) => {
      const person = somebody();
      const user_id = await requestBy(doorOf({}), person, fields);
      const changes = what === 'an external id' ? { external_id: `of-${user_id}` } : written;
      expect((await put(user_id, changes)).status).toBe(200);
      for (const [, sign_up] of SHUT) {
        const door = doorOf(sign_up);
        expect([(await enter(door, person)).status, (await provider.newest(person.email))?.link]).toEqual([
          401,
          undefined,
        ]);
        const account = WAYS.find(({ name }) => name.startsWith('a social account with a verified')) ?? LINK;
        expect((await enter(door, person, account)).body['error_type']).toBe('sign_up_refused');
      }
      expect((await enter(doorOf({}), person)).data['user_id']).toBe(user_id);
    });

    it('stays one in an export that is imported again', async () => {
      const { services } = provider;
      const [person, member] = [somebody(), somebody()];
      const strangerId = await requestBy(doorOf({}), person, fields);
      const memberId = String((await enter(doorOf({}), member)).data['user_id']);
      for (const id of [strangerId, memberId]) {
        await put(id, { name: { first_name: 'Ada' } });
        const { belongings: _belongings, audit_log: _log, ...line } = await exportPerson(services, id, false, ADMIN);
        await services.db.deleteFrom('users').where('user_id', '=', id).execute();
        expect(await importUser(services, line, ADMIN)).toEqual({ result: 'imported', user_id: id });
      }
      for (const [, sign_up] of SHUT) {
        expect((await enter(doorOf(sign_up), person)).status).toBe(401);
        expect((await enter(doorOf(sign_up), member)).status).toBe(200);
      }
      expect((await enter(doorOf({}), person)).data['user_id']).toBe(strangerId);
    });

    it('does not let the owner of another address in, whom the server puts in its place', async () => {
      const [person, other] = [somebody(), somebody()];
      const user_id = await requestBy(doorOf({}), person, fields);
      const path = `/users/${user_id}/exchange_primary_factor`;
      expect((await fromServer(provider, path, { email_address: other.email }, 'PUT')).status).toBe(200);
      for (const [, sign_up] of SHUT) {
        for (const who of [person, other]) expect((await enter(doorOf(sign_up), who)).status).toBe(401);
      }
    });
  });

  it('an invitation counts while its link is valid, whatever else the server wrote', async () => {
    const person = somebody();
    const invitation = { email: person.email, name: { first_name: 'Ada' }, invite_expiration_minutes: 5 };
    const door = doorOf({ policy: 'invited' });
    const { body } = await fromServer(door, '/magic_links/email/invite', invitation);
    await put(String(body['user_id']), { trusted_metadata: { plan: 'pro' } });
    provider.clock.time += 6 * MINUTE;
    expect((await enter(door, person)).status).toBe(401);
    await fromServer(door, '/magic_links/email/invite', invitation);
    expect((await enter(door, person)).status).toBe(200);
  });

  it('whom the server made stays made, whatever it writes later', async () => {
    const [active, waiting] = [somebody(), somebody()];
    const made = await fromServer(closed(), '/users', { email: active.email });
    const pending = await fromServer(closed(), '/users', { email: waiting.email, create_user_as_pending: true });
    for (const { body } of [made, pending]) await put(String(body['user_id']), { name: { first_name: 'Ada' } });
    expect((await enter(closed(), active)).status).toBe(200);
    expect((await enter(closed(), waiting)).status).toBe(401);
    expect((await enter(doorOf({ policy: 'invited' }), waiting)).status).toBe(200);
  });

  describe('a user who has come in stays one', () => {
    it('when the server puts another address in the place of theirs', async () => {
      const [person, other] = [somebody(), somebody()];
      const user_id = String((await enter(doorOf({}), person)).data['user_id']);
      await fromServer(provider, `/users/${user_id}/exchange_primary_factor`, { email_address: other.email }, 'PUT');
      expect((await enter(closed(), other)).data['user_id']).toBe(user_id);
      expect((await enter(closed(), person)).status).toBe(401);
    });

    it('when the server removes the password by which they signed up', async () => {
      const person = somebody();
      const { data } = await provider.post('/passwords', { email: person.email, password: PASSWORD, ...MINUTES });
      const { password_id } = (data['user'] as { password: { password_id: string } }).password;
      expect((await fromServer(provider, `/users/passwords/${password_id}`, {}, 'DELETE')).status).toBe(200);
      expect((await enter(closed(), person)).data['user_id']).toBe(data['user_id']);
    });

    it('when the server let them in by a link of its own, which proves nothing', async () => {
      const person = somebody();
      const user_id = await requestBy(doorOf({}), person);
      const { token } = (await fromServer(closed(), '/magic_links', { user_id })).body;
      expect((await closed().post('/magic_links/authenticate', { token: String(token), ...MINUTES })).status).toBe(200);
      expect((await enter(closed(), person)).data['user_id']).toBe(user_id);
    });

    it('but not as somebody else: a deleted user comes again as a stranger', async () => {
      const person = somebody();
      const { data } = await enter(doorOf({}), person);
      const session = String(data['session_token']);
      expect((await provider.call('DELETE', '/users/me/account', undefined, { session })).status).toBe(200);
      for (const [, sign_up] of SHUT) expect((await enter(doorOf(sign_up), person)).status).toBe(401);
    });
  });

  describe('a trusted issuer that names a user by id', () => {
    async function attest(sign_up: Partial<SignUpRules>, user_id: string): Promise<ProviderResponse> {
      const project = projectFrom({ ...SIGN_UPS, trusted_auth_token_profiles: [issuer] });
      const { trusted_auth_token_profiles } = project;
      const base = { ...provider.services.project, trusted_auth_token_profiles };
      const services = { ...provider.services, project: base };
      const own = new Proxy(provider, {
        get: (target, name) => (name === 'services' ? services : (Reflect.get(target, name) as unknown)),
      });
      const now = Math.floor(provider.clock.time / 1000);
      const token = await new SignJWT({ sub: user_id, jti: uniqueEmail('jti') })
        .setProtectedHeader({ alg: 'RS256' })
        .setIssuer('https://ids.example')
        .setAudience('here')
        .setIssuedAt(now)
        .setExpirationTime(now + 300)
        .sign((await keys).privateKey);
      return withDoor(own, sign_up).post('/sessions/attest', { profile_id: 'ids', token, ...MINUTES });
    }

    it('lets nobody in who never came, and everybody else', async () => {
      const [stranger, member] = [somebody(), somebody()];
      const waiting = await requestBy(doorOf({}), stranger);
      const user_id = String((await enter(doorOf({}), member)).data['user_id']);
      for (const [, sign_up] of SHUT) {
        expect((await attest(sign_up, waiting)).body['error_type']).toBe('sign_up_refused');
        expect((await attest(sign_up, user_id)).status).toBe(200);
      }
      const made = await fromServer(closed(), '/users', { email: somebody().email });
      expect((await attest({ policy: 'closed' }, String(made.body['user_id']))).status).toBe(200);
      // Where it is open, the login is the user's first: they have come in.
      expect((await attest({}, waiting)).status).toBe(200);
      expect((await enter(closed(), stranger)).data['user_id']).toBe(waiting);
    });
  });

  describe('the roles of a user who has not come in', () => {
    const earlier = () => doorOf({ roles: ['member'] });

    it.each(
      oneOf(
        3,
        WAYS.filter(({ provesAddress }) => provesAddress),
      ),
    )('are those of the setting at the first login by $name', async (way) => {
      const person = somebody();
      await requestBy(earlier(), person);
      const door = doorOf({ roles: ['guest'] });
      expect(rolesOf(await enter(door, person, way))).toEqual(['guest']);
      // They are given once.
      expect(rolesOf(await enter(earlier(), person, way))).toEqual(['guest']);
    });

    it('are those of the setting also by a text, and by a password', async () => {
      const person = somebody();
      await TEXT.begin(earlier(), person);
      expect(rolesOf(await enter(doorOf({}), person, TEXT))).toEqual([]);
      const other = somebody();
      await requestBy(earlier(), other);
      const body = { email: other.email, password: PASSWORD, ...MINUTES };
      expect(rolesOf(await doorOf({ roles: ['guest'] }).post('/passwords', body))).toEqual(['guest']);
      // The first proof of the address is not a sign-up.
      expect(rolesOf(await enter(earlier(), other))).toEqual(['guest']);
    });

    it('are none once the server has migrated them, unless it names some', async () => {
      const [plain, named] = [somebody(), somebody()];
      for (const who of [plain, named]) await requestBy(earlier(), who);
      const migrate = ({ email }: Person, fields: Fields) =>
        fromServer(earlier(), '/passwords/migrate', { email, hash: HASH, hash_type: 'bcrypt', ...fields });
      const first = await migrate(plain, {});
      expect(first.body['user_created']).toBe(false);
      expect(rolesOf({ ...first, data: {} })).toEqual([]);
      const second = await migrate(named, { roles: ['author'], set_email_verified: true });
      expect(rolesOf({ ...second, data: {} })).toEqual(['author']);
      expect(rolesOf(await enter(earlier(), plain))).toEqual([]);
      expect(rolesOf(await enter(earlier(), named))).toEqual(['author']);
    });

    it('stay with a user who had come in before the server migrated their password', async () => {
      const person = somebody();
      await enter(earlier(), person);
      const migration = { email: person.email, hash: HASH, hash_type: 'bcrypt' };
      expect(rolesOf({ ...(await fromServer(provider, '/passwords/migrate', migration)), data: {} })).toEqual([
        'member',
      ]);
    });

    it('are those of the setting when the server invites them', async () => {
      const person = somebody();
      const user_id = await requestBy(earlier(), person);
      const door = doorOf({ policy: 'invited', roles: ['guest'] });
      await fromServer(door, '/magic_links/email/invite', { email: person.email });
      const { given_roles } = await provider.services.db
        .selectFrom('users')
        .select('given_roles')
        .where('user_id', '=', user_id)
        .executeTakeFirstOrThrow();
      expect(given_roles).toEqual(['guest']);
      expect(rolesOf(await enter(door, person))).toEqual(['guest']);
    });

    it.each([{ named: ['author'] }, { named: [] }])('stay as the server named them: $named', async ({ named }) => {
      const person = somebody();
      const user_id = await requestBy(earlier(), person);
      await put(user_id, { roles: named });
      expect(rolesOf(await enter(doorOf({ roles: ['guest'] }), person))).toEqual(named);
    });
  });
});
