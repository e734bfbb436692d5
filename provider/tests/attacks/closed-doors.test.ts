import { describe, expect, it } from 'vitest';
import { admits, OPEN_TO_ALL, type SignUpRules } from '#server-rules/sign-ups.ts';
import { importUser } from '#provider/operation/operators/users/import-users.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider, type ProviderResponse } from '../kit/harness.ts';
import { browser } from '../kit/oauth-harness.ts';
import { SETTINGS, CALLBACK } from '../kit/idp-harness.ts';
import { administer } from '../kit/managing.ts';
import { SIGN_UPS } from '../kit/passkey-sign-up.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { newestLink, press } from '../notices/steps.ts';
import { oneOf, SOAK } from '#tests/soak.ts';
import { attachSteps } from './attach-steps.ts';
import { APP, consent, exchange, fromServer, isAlive, MINUTES, redeemCode } from './attacker.ts';
import { FREE, LINK, somebody, TEXT, WAYS, withDoor, type Person } from './newcomers.ts';

const HASH = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const DAY = 24 * 60 * MINUTE;
const BY = { name: 'Grace', address: null, request_id: null };
const SCOPES = ['openid', 'email', 'offline_access', 'full_access'];
const PROJECT = projectFrom({
  ...SETTINGS,
  ...SIGN_UPS,
  clients: [{ client_id: APP, name: 'App', client_type: 'public', redirect_uris: [CALLBACK], scopes: SCOPES }],
  role_assignments: [],
  rbac_policy: { roles: [{ role_id: 'member' }, { role_id: 'guest' }] },
  trusted_auth_token_profiles: [
    { profile_id: 'partner', issuer: 'https://partner.example', audience: 'here', email_domains: ['*'] },
  ],
});
const SHUT = [
  ['closed', { policy: 'closed' }],
  ['invited', { policy: 'invited' }],
  ['for other domains', { domains: ['corp.example'] }],
] as const satisfies readonly (readonly [string, Partial<SignUpRules>])[];
/** What a change of the setting leads from, and to. */
const CHANGES = [
  ['open', {}],
  ['for this domain', { domains: ['example.com'] }],
  ...SHUT,
] as const satisfies readonly (readonly [string, Partial<SignUpRules>])[];

describe.each(EITHER_DATABASE)('around a door that is not open, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT, limits: FREE });
  const other = suiteProvider(url, { project: PROJECT, limits: FREE });
  const doorOf = (sign_up: Partial<SignUpRules>, at: Provider = provider) => withDoor(at, sign_up);
  const closed = (): Provider => doorOf({ policy: 'closed' });
  const enter = async (door: Provider, person: Person, way = LINK): Promise<ProviderResponse> =>
    (await way.begin(door, person))(door);
  const rolesOf = ({ data }: ProviderResponse): unknown => (data['user'] as Fields | undefined)?.['roles'];
  const waiting = async (): Promise<Person & { readonly user_id: string }> => {
    const person = somebody();
    const { data } = await provider.post('/magic_links/email/login_or_create', {
      email: person.email,
      create_user_as_pending: false,
    });
    return { ...person, user_id: String(data['user_id']) };
  };
  const member = async () => {
    const person = somebody();
    const { data } = await enter(provider, person);
    return { ...person, user_id: String(data['user_id']), session: String(data['session_token']) };
  };
  const isShut = async (person: Person): Promise<void> => {
    for (const [, sign_up] of SHUT) expect((await enter(doorOf(sign_up), person)).status).toBe(401);
  };

  describe.each(WAYS.map((way, place) => ({ ...way, place })))('$name', ({ begin, provesAddress, place }) => {
    const pairs = CHANGES.flatMap(([from, before]) =>
      CHANGES.map(([to, after]) => ({
        from,
        to,
        before: before as Partial<SignUpRules>,
        after: after as Partial<SignUpRules>,
      })),
    );

    it.each(oneOf(5, pairs, place))('that begins while sign-up is $from, and ends while it is $to', async (pair) => {
      const person = somebody();
      const visitor = { email: provesAddress ? person.email : null };
      const [may, mayStill] = [pair.before, pair.after].map((rules) => admits({ ...OPEN_TO_ALL, ...rules }, visitor));
      const { status } = await (await begin(doorOf(pair.before), person))(doorOf(pair.after));
      // What begins while nobody may come in is a decoy, unless it proves the address itself.
      if (mayStill !== true) expect(status).not.toBe(200);
      else if (may === true) expect(status).toBe(200);
      expect(status).toBeLessThan(500);
    });
  });

  it('an operator who acts for a user who never came in opens it for nobody', async () => {
    const stranger = await waiting();
    const { token } = await administer(provider.services, 'impersonate', { user: stranger.user_id, by: 'ann' });
    const { status, data } = await closed().post('/impersonation/authenticate', { impersonation_token: token });
    expect(status).toBe(200);
    const session = String(data['session_token']);
    for (const [path, body] of [
      ['/otps/email/send/secondary', { email: somebody().email }],
      ['/webauthn/register/start', { domain: 'localhost' }],
      ['/oauth/attach', { provider: 'google' }],
      ['/totps', { expiration_minutes: 60 }],
    ] as const) {
      expect((await closed().post(path, body, { session })).status).not.toBe(200);
    }
    await isShut(stranger);
  });

  it('tokens of an app become sessions of a member, and of nobody else', async () => {
    const { session } = await member();
    const granted = await consent(provider, session);
    const url = new URL(String(granted.data['redirect_uri']));
    const { access_token } = await redeemCode(provider, url.searchParams.get('code'));
    expect((await exchange(closed(), access_token)).status).toBe(200);
    expect((await provider.call('DELETE', '/users/me/account', undefined, { session })).status).toBe(200);
    expect((await exchange(closed(), access_token)).status).not.toBe(200);
  });

  it('a member attaches an account of any address, and its stranger is not let in by another', async () => {
    const { session, user_id } = await member();
    const steps = attachSteps(closed());
    const stranger = await waiting();
    const token = await steps.goThere(await steps.begin(session), stranger.email);
    expect((await steps.finish(token, session)).status).toBe(200);
    const again = await browser(provider).token('google', { email: stranger.email, verified: 'yes' });
    const login = await closed().post('/oauth/authenticate', { token: again, ...MINUTES });
    expect(login.data['user_id']).toBe(user_id);
    await isShut(stranger);
  });

  /** A member who has removed the address of their sign-up, for another one: the notice about it has a link. */
  async function withoutFirstAddress() {
    const { session, user_id, email } = await member();
    provider.clock.time += 30 * DAY;
    const second = somebody();
    const fresh = String((await enter(closed(), { email, number: '' })).data['session_token']);
    const sent = await closed().post('/otps/email/send/secondary', { email: second.email }, { session: fresh });
    const code = (await provider.newest(second.email))?.code;
    const body = { token: code, method_id: sent.data['method_id'] as string, ...MINUTES };
    const added = await closed().post('/otps/authenticate', body, { session: fresh });
    const { emails } = added.data['user'] as { emails: { email_id: string; email: string }[] };
    const own = { session: String(added.data['session_token']) };
    const first = emails.find((each) => each.email === email)?.email_id ?? '';
    expect((await provider.call('DELETE', `/users/emails/${first}`, undefined, own)).status).toBe(200);
    const link = await newestLink(provider, email);
    if (link === null) throw new Error('The notice has no link.');
    return { person: { email, number: '' }, user_id, session, own, link };
  }

  it('the link of a notice gives a removed address back to a member', async () => {
    const { person, user_id, session, link } = await withoutFirstAddress();
    // Whoever comes with the removed address is a stranger meanwhile.
    await isShut(person);
    expect((await press(closed(), link, 'undo')).status).toBe(200);
    expect(await isAlive(provider, session)).toBe(false);
    expect((await enter(closed(), person)).data['user_id']).toBe(user_id);
  });

  it('the link of a notice makes no user of one who was deleted', async () => {
    const { person, own, link } = await withoutFirstAddress();
    expect((await provider.call('DELETE', '/users/me/account', undefined, own)).status).toBe(200);
    await press(closed(), link, 'undo');
    await isShut(person);
  });

  it('an operator’s import lets in whom it made, and not a sign-up of another server', async () => {
    const [made, alone] = [somebody(), somebody()];
    const door = closed();
    await importUser(door.services, { emails: [{ email: made.email }] }, BY);
    await importUser(door.services, { emails: [{ email: alone.email }], managed: false }, BY);
    expect((await enter(door, made)).status).toBe(200);
    await isShut(alone);
    const { user_id } = await provider.services.db
      .selectFrom('emails')
      .select('user_id')
      .where('email', '=', alone.email)
      .executeTakeFirstOrThrow();
    await fromServer(provider, `/users/${user_id}`, { name: { first_name: 'Ada' } }, 'PUT');
    await isShut(alone);
    expect((await enter(provider, alone)).data['user_id']).toBe(user_id);
  });

  it('each project has its own door', async () => {
    const person = somebody();
    const [open, shut] = [doorOf({}, other), closed()];
    const [here, there] = [await LINK.begin(shut, person), await LINK.begin(open, person)];
    expect((await there(open)).status).toBe(200);
    expect((await here(shut)).status).toBe(401);
    expect((await enter(shut, person)).status).toBe(401);
    const token = new URL((await other.newest(person.email))?.link ?? 'http://none').searchParams.get('token');
    expect((await shut.post('/magic_links/authenticate', { token, ...MINUTES })).status).toBe(401);
  });

  const ROUNDS = SOAK ? 20 : 2;

  it('a stranger’s logins at once, some of them while it closes, are those of one user or of none', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = await waiting();
      const ways = WAYS.filter(({ provesAddress }) => provesAddress);
      const begun = await Promise.all(ways.map((way) => way.begin(provider, person)));
      const replies = await Promise.all(begun.map((finish, at) => finish(at % 2 === 0 ? closed() : provider)));
      expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
      const users = replies.filter(({ status }) => status === 200).map(({ data }) => data['user_id'] as string);
      expect(new Set(users).size).toBeLessThanOrEqual(1);
      const later = await enter(closed(), person);
      expect(later.status === 200).toBe(users.length > 0);
    }
  });

  it('an invitation that is revoked while it is opened lets the person in, or is gone', async () => {
    const door = doorOf({ policy: 'invited' });
    for (let round = 0; round < ROUNDS; round += 1) {
      const { email, number } = somebody();
      await fromServer(door, '/magic_links/email/invite', { email });
      const token = new URL((await provider.newest(email))?.link ?? 'http://none').searchParams.get('token');
      const begun = await LINK.begin(door, { email, number });
      const [opened, entered, revoked] = await Promise.all([
        door.post('/magic_links/authenticate', { token, ...MINUTES }),
        begun(door),
        fromServer(door, '/magic_links/email/revoke_invite', { email }),
      ]);
      expect([opened.status, entered.status, revoked.status].every((status) => status < 500)).toBe(true);
      const isIn = opened.status === 200 || entered.status === 200;
      expect((await enter(closed(), { email, number })).status).toBe(isIn ? 200 : 401);
    }
  });

  it('a user whom the server migrates while they first log in has the roles of the one that came first', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = somebody();
      const door = doorOf({ roles: ['member'] });
      // The request makes the user, who is pending.
      const finish = await LINK.begin(door, person);
      const [entered, migrated] = await Promise.all([
        finish(door),
        fromServer(door, '/passwords/migrate', { email: person.email, hash: HASH, hash_type: 'bcrypt' }),
      ]);
      expect(entered.status).toBeLessThan(500);
      expect([200, 400]).toContain(migrated.status);
      const roles = rolesOf(await enter(closed(), person));
      expect([['member'], []]).toContainEqual(roles);
      // A migration of somebody who has come in leaves their roles; one before that names none.
      if (migrated.status !== 200) expect(roles).toEqual(['member']);
    }
  });

  it('imports and requests at once make one user, whom the operator made', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = somebody();
      const door = closed();
      const [imported, ...begun] = await Promise.all([
        importUser(door.services, { emails: [{ email: person.email }] }, BY),
        ...[LINK, LINK, LINK].map((way) => way.begin(door, person)),
      ]);
      expect(imported.result).toBe('imported');
      await Promise.all(begun.map((finish) => finish(door)));
      const { status, data } = await enter(door, person);
      expect([status, data['user_id']]).toEqual([200, 'user_id' in imported ? imported.user_id : null]);
    }
  });

  it('a text and a mail of one person are two strangers', async () => {
    const person = await waiting();
    await TEXT.begin(provider, person);
    await enter(provider, person);
    expect((await enter(closed(), person)).status).toBe(200);
    expect((await enter(closed(), person, TEXT)).status).not.toBe(200);
  });
});
