import { describe, expect, it } from 'vitest';
import { projectFrom, type Project } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, type Fields, type Provider, type ProviderResponse } from '../kit/harness.ts';
import { administer } from '../kit/managing.ts';
import { CHALLENGE, VERIFIER } from '../kit/oauth-harness.ts';
import { suiteHooks } from '../kit/hook-server.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { withHooks } from '../kit/with-hooks.ts';
import { fromServer, MINUTES } from './attacker.ts';
import { FREE, LINK, PROJECT, somebody, WAYS, type Person } from './newcomers.ts';

const terms = (version: string) => ({ terms_id: 'tos', version, title: 'Terms', url: 'https://acme.example/terms' });
const ASKED = projectFrom({
  profile: {
    fields: [{ field: 'first_name' }, { field: 'company', label: 'Company' }],
    terms: [terms('1')],
    url: 'http://localhost:3000/login',
  },
}).profile;
const ENTRY = { fields: { first_name: 'Ada', company: 'Engines' }, terms: { tos: '1' } };
const STEP = { mfa_code_challenge: CHALLENGE, asks_profile: true };

/** The provider whose requests have these fields too. */
function sending(provider: Provider, fields: Fields): Provider {
  const post: Provider['post'] = (path, body, extras) =>
    provider.post(path, { ...(body as Fields), ...fields }, extras);
  return new Proxy(provider, {
    get: (target, name) => (name === 'post' ? post : (Reflect.get(target, name) as unknown)),
  });
}

describe.each(EITHER_DATABASE)('a login that lacks a profile, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: { ...PROJECT, profile: ASKED }, limits: FREE });
  const hooks = suiteHooks();
  const withProfile = (changes: Partial<Project>): Provider => withHooks(provider, {}, changes);
  const asking = (at: Provider = provider): Provider => sending(at, STEP);

  const typeOf = ({ status, body }: Pick<ProviderResponse, 'status' | 'body'>) => [status, body['error_type']];
  /** Begins a login that can ask. */
  async function begin(person: Person = somebody(), at: Provider = provider): Promise<ProviderResponse> {
    return (await LINK.begin(at, person))(asking(at));
  }
  const complete = (begun: ProviderResponse, entry: Fields = ENTRY, at: Provider = provider, verifier = VERIFIER) => {
    const { intermediate_session_token, user_id } = begun.data;
    const step = { intermediate_session_token, mfa_code_verifier: verifier, mfa_code_challenge: CHALLENGE };
    return at.post('/profile/complete', { user_id, ...entry, ...step, asks_profile: true });
  };
  const enter = async (person: Person = somebody()): Promise<{ person: Person; session: string; userId: string }> => {
    const { data } = await complete(await begin(person));
    return { person, session: String(data['session_token']), userId: String(data['user_id']) };
  };
  const row = async (userId: string) =>
    provider.services.db
      .selectFrom('users')
      .select(['name', 'untrusted_metadata', 'accepted_terms'])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();

  it.each(WAYS)('gets no session by $name, and a client that cannot ask uses nothing up', async (way) => {
    const finish = await way.begin(provider, somebody());
    const refused = await finish(provider);
    expect(typeOf(refused)).toEqual([400, 'profile_required']);
    expect(refused.body['error_details']).toMatchObject({
      missing: 'first_name, company, tos',
      url: 'http://localhost:3000/login',
    });
    expect(String(refused.body['error_message'])).toContain('http://localhost:3000/login');
    expect(refused.headers.get('set-cookie') ?? '').not.toContain('session');
    const begun = await finish(asking());
    expect([begun.status, begun.data['session'], begun.data['session_token']]).toEqual([200, null, '']);
    const done = await complete(begun);
    expect(done.status).toBe(200);
    expect(done.data['user']).toMatchObject({
      name: { first_name: 'Ada' },
      untrusted_metadata: { company: 'Engines' },
    });
  });

  it('begins no step for a browser without a challenge', async () => {
    const finish = await LINK.begin(provider, somebody());
    const refused = await finish(sending(provider, { asks_profile: true }));
    expect(typeOf(refused)).toEqual([400, 'mfa_code_challenge_required']);
    expect((await finish(asking())).data['mfa']).toMatchObject({ profile: { terms: [{ terms_id: 'tos' }] } });
  });

  it('does not begin for the app’s own server, which has nobody to ask', async () => {
    const { email } = somebody();
    await provider.post('/magic_links/email/login_or_create', { email });
    const token = new URL((await provider.newest(email))?.link ?? '').searchParams.get('token');
    const refused = await fromServer(provider, '/magic_links/authenticate', { token, ...MINUTES, ...STEP });
    expect(typeOf(refused)).toEqual([400, 'profile_required']);
    const known = await fromServer(provider, '/magic_links/authenticate', { token });
    expect([known.status, known.body['session']]).toEqual([200, null]);
  });

  it('is completed once by many requests at the same time', async () => {
    const begun = await begin();
    const replies = await Promise.all(Array.from({ length: 6 }, () => complete(begun)));
    const won = replies.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const others = replies.filter((reply) => !won.includes(reply));
    expect(new Set(others.map(({ body }) => body['error_type']))).toEqual(new Set(['intermediate_session_not_found']));
    const { user_id } = begun.data;
    const sessions = await provider.services.db
      .selectFrom('sessions')
      .select('session_id')
      .where('user_id', '=', String(user_id))
      .execute();
    expect(sessions).toHaveLength(1);
  });

  it('goes on only in the browser that began it', async () => {
    const begun = await begin();
    for (const verifier of ['w'.repeat(64), '']) {
      expect(typeOf(await complete(begun, ENTRY, provider, verifier))).toEqual([401, 'intermediate_session_not_found']);
    }
    expect((await complete(begun)).status).toBe(200);
  });

  it('stores nothing of an entry that lacks something, or is wrong', async () => {
    const begun = await begin();
    const wrong: readonly (readonly [Fields, string])[] = [
      [{ fields: ENTRY.fields }, 'profile_required'],
      [{ ...ENTRY, fields: { first_name: 'Ada' } }, 'profile_required'],
      [{ ...ENTRY, terms: { tos: '2' } }, 'invalid_profile'],
      [{ ...ENTRY, terms: { tos: null } }, 'invalid_profile'],
      [{ ...ENTRY, fields: { ...ENTRY.fields, company: { in: 1 } } }, 'invalid_profile'],
      [{ ...ENTRY, fields: { ...ENTRY.fields, company: 'x'.repeat(129) } }, 'invalid_profile'],
      [{ ...ENTRY, fields: { ...ENTRY.fields, company: 'a\u202Eb' } }, 'invalid_profile'],
      [{ ...ENTRY, fields: { ...ENTRY.fields, company: 'two\nlines' } }, 'invalid_profile'],
      [{ ...ENTRY, fields: { ...ENTRY.fields, plan: 'pro' } }, 'invalid_profile'],
      [{ ...ENTRY, fields: { ...ENTRY.fields, constructor: 'x' } }, 'invalid_profile'],
    ];
    for (const [entry, type] of wrong) expect(typeOf(await complete(begun, entry))).toEqual([400, type]);
    const userId = String(begun.data['user_id']);
    expect(await row(userId)).toMatchObject({ untrusted_metadata: {}, accepted_terms: {} });
    expect((await complete(begun)).status).toBe(200);
    expect((await row(userId)).accepted_terms).toMatchObject({ tos: { version: '1' } });
  });

  it('asks for new terms at the next login, and accepts only the version that is current then', async () => {
    const { person, session } = await enter();
    const newer = withProfile({ profile: ASKED && { ...ASKED, terms: [terms('2')] } });
    // A session that began before goes on.
    expect((await newer.call('GET', '/users/me', undefined, { session })).status).toBe(200);
    const begun = await begin(person, newer);
    expect(begun.data['mfa']).toMatchObject({ profile: { fields: [], terms: [{ version: '2', accepted_at: null }] } });
    const newest = withProfile({ profile: ASKED && { ...ASKED, terms: [terms('3')] } });
    expect(typeOf(await complete(begun, { terms: { tos: '2' } }, newest))).toEqual([400, 'invalid_profile']);
    expect((await complete(begun, { terms: { tos: '3' } }, newest)).status).toBe(200);
  });

  it('asks again for a required field that the user removed', async () => {
    const { person, session } = await enter();
    const removed = await provider.call('PUT', '/users/me', { untrusted_metadata: { company: null } }, { session });
    expect(removed.status).toBe(200);
    expect((await begin(person)).data['mfa']).toMatchObject({ profile: { fields: [{ field: 'company' }], terms: [] } });
  });

  it('does not change the account before its second factor', async () => {
    const { person, userId } = await enter();
    const mfa = projectFrom({ mfa: { policy: 'required', factors: ['totp'] } }).mfa;
    const strict = withProfile({ mfa, profile: ASKED && { ...ASKED, terms: [terms('2')] } });
    const begun = await begin(person, strict);
    expect(begun.data['mfa']).toMatchObject({ enrol: ['totp'] });
    expect(typeOf(await complete(begun, { terms: { tos: '2' } }, strict))).toEqual([403, 'mfa_factor_not_allowed']);
    // Nor if the policy is raised while it waits for the profile.
    const waiting = await begin(person, withProfile({ profile: ASKED && { ...ASKED, terms: [terms('2')] } }));
    expect(typeOf(await complete(waiting, { terms: { tos: '2' } }, strict))).toEqual([403, 'mfa_factor_not_allowed']);
    expect((await row(userId)).accepted_terms).toMatchObject({ tos: { version: '1' } });
  });

  it('is refused with the first of two factors if the client cannot ask, and says nothing of the account then', async () => {
    const { person, userId } = await enter();
    const mfa = projectFrom({ mfa: { policy: 'required', factors: ['totp'] } }).mfa;
    const strict = withProfile({ mfa, profile: ASKED && { ...ASKED, terms: [terms('2')] } });
    const finish = await LINK.begin(strict, person);
    const refused = await finish(sending(strict, { mfa_code_challenge: CHALLENGE }));
    expect(typeOf(refused)).toEqual([400, 'profile_required']);
    expect(refused.body['error_details']).not.toHaveProperty('missing');
    const { data } = await finish(asking(strict));
    expect([data['user_id'], data['mfa']]).toMatchObject([userId, { enrol: ['totp'] }]);
  });

  it('goes on without an answer once nothing is missing any more', async () => {
    const begun = await begin();
    const accepted_terms = JSON.stringify({ tos: { version: '0', accepted_at: '2026-01-01T00:00:00.000Z' } });
    const user_id = String(begun.data['user_id']);
    await provider.services.db.updateTable('users').set({ accepted_terms }).where('user_id', '=', user_id).execute();
    const done = withProfile({ profile: ASKED && { ...ASKED, fields: [], terms: [terms('0')] } });
    const { intermediate_session_token } = begun.data;
    const { data } = await done.post('/mfa/status', { intermediate_session_token, mfa_code_verifier: VERIFIER });
    expect(data['mfa']).toMatchObject({ profile: { fields: [], terms: [] } });
    expect((await complete(begun, {}, done)).status).toBe(200);
  });

  it('is not stored for another login of the browser, and changes write no rows without end', async () => {
    const begun = await begin();
    const other = await begin();
    const mixed = { ...ENTRY, user_id: begun.data['user_id'] };
    expect(typeOf(await complete(other, mixed))).toEqual([401, 'intermediate_session_not_found']);
    expect(await row(String(other.data['user_id']))).toMatchObject({ untrusted_metadata: {}, accepted_terms: {} });
    const { session, userId } = await enter();
    for (let round = 0; round < 25; round += 1) {
      const fields = { company: `Engines ${round}` };
      expect((await provider.call('PUT', '/users/me/profile', { fields }, { session })).status).toBe(200);
    }
    const query = provider.services.db.selectFrom('audit_log').select('seq').where('user_id', '=', userId);
    expect((await query.where('event', '=', 'user_changed').execute()).length).toBeLessThanOrEqual(20);
  });

  it('ends when the account is locked', async () => {
    const begun = await begin();
    const user = String(begun.data['user_id']);
    await administer(provider.services, 'users.lock', { user });
    expect([401, 403]).toContain((await complete(begun)).status);
    await administer(provider.services, 'users.unlock', { user });
    const sessions = await provider.services.db
      .selectFrom('sessions')
      .select('session_id')
      .where('user_id', '=', user)
      .execute();
    expect(sessions).toEqual([]);
  });

  it('leaves the owner of an address nothing that a stranger entered or accepted', async () => {
    const person = somebody();
    const password = 'correct horse battery staple 9';
    const stranger = await provider.post('/passwords', { email: person.email, password, ...MINUTES, ...STEP });
    const entry = { ...ENTRY, fields: { first_name: 'Mallory', company: 'Evil' } };
    const { data } = await complete(stranger, entry);
    expect(data['user']).toMatchObject({ name: { first_name: 'Mallory' } });
    const owner = await begin(person);
    const { fields, terms: asked } = (owner.data['mfa'] as { profile: { fields: Fields[]; terms: Fields[] } }).profile;
    expect(fields.map(({ value }) => value)).toEqual(['', '']);
    expect(asked.map(({ accepted_at }) => accepted_at)).toEqual([null]);
    expect(await row(String(owner.data['user_id']))).toMatchObject({ untrusted_metadata: {}, accepted_terms: {} });
  });

  it('asks a hook once, with what was entered; its refusal stores nothing', async () => {
    const hooked = withHooks(provider, { login: hooks.settings() });
    const person = somebody();
    const begun = await begin(person, hooked);
    expect(hooks.types()).toEqual([]);
    hooks.answer({ action: 'refuse', message: 'Not today.' });
    expect(typeOf(await complete(begun, ENTRY, hooked))).toEqual([403, 'hook_refused']);
    expect(hooks.types()).toEqual(['hook.login']);
    expect(hooks.requests[0]?.data.user.untrusted_metadata).toEqual({ company: 'Engines' });
    expect(await row(String(begun.data['user_id']))).toMatchObject({ untrusted_metadata: {}, accepted_terms: {} });
    hooks.answer({});
    expect((await complete(begun, ENTRY, hooked)).status).toBe(200);
  });

  it('is not asked of an operator who acts for the user, and they accept nothing for them', async () => {
    const { userId } = await enter();
    const newer = withProfile({ profile: ASKED && { ...ASKED, terms: [terms('2')] } });
    const { token } = await administer(newer.services, 'impersonate', { user: userId, by: 'grace' });
    const acting = await newer.post('/impersonation/authenticate', { impersonation_token: token });
    expect(acting.status).toBe(200);
    const session = String(acting.data['session_token']);
    const entry = { terms: { tos: '2' } };
    expect(typeOf(await newer.call('PUT', '/users/me/profile', entry, { session }))).toEqual([
      403,
      'unauthorized_action',
    ]);
    expect((await row(userId)).accepted_terms).toMatchObject({ tos: { version: '1' } });
  });

  it('writes down what was accepted, and when, for the audit log, exports and the app’s server', async () => {
    const { userId, session } = await enter();
    const entries = await provider.services.db
      .selectFrom('audit_log')
      .select(['event', 'actor_kind', 'details'])
      .where('user_id', '=', userId)
      .orderBy('seq')
      .execute();
    expect(entries.map(({ event }) => event)).toEqual(['first_factor', 'terms_accepted', 'login']);
    expect(entries[1]).toMatchObject({ actor_kind: 'user', details: { terms: { tos: '1' } } });
    const accepted_terms = { tos: { version: '1', accepted_at: expect.stringMatching(/^\d{4}-/u) } };
    const told = await fromServer(provider, `/users/${userId}`, {}, 'PUT');
    expect(told.body['user']).toMatchObject({ accepted_terms });
    const own = await provider.call('GET', '/users/me/export', undefined, { session });
    expect(own.data['data']).toMatchObject({ accepted_terms });
  });
});
