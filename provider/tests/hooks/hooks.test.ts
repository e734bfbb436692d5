import { describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { codeOf, consent, exchange, fromServer, MINUTES, redeemCode } from '../attacks/attacker.ts';
import { FREE, LINK, PROJECT as OPEN, SERVER_WAYS, somebody, WAYS } from '../attacks/newcomers.ts';
import { EITHER_DATABASE, type Provider } from '../kit/harness.ts';
import { suiteHooks } from '../kit/hook-server.ts';
import { CALLBACK, SETTINGS } from '../kit/idp-harness.ts';
import { administer } from '../kit/managing.ts';
import { enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { listedIf } from '#tests/soak-tests.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { withHooks } from '../kit/with-hooks.ts';

const APP = { client_id: 'everything', name: 'App', client_type: 'public', redirect_uris: [CALLBACK] };
const { issuer, idp, clients } = projectFrom({
  ...SETTINGS,
  clients: [{ ...APP, scopes: ['openid', 'full_access'] }],
});
const PROJECT = { ...OPEN, issuer, idp, clients };
const mfaOf = (policy: unknown) => {
  const rbac_policy = { roles: [{ role_id: 'author' }] };
  return projectFrom({ rbac_policy, mfa: { policy, trusted_devices: { days: 30 } } }).mfa;
};
const MESSAGE = 'Your company has not booked this service yet.';

describe.each(EITHER_DATABASE)('hooks, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT, limits: FREE });
  const server = suiteHooks();
  const both = (changes = {}): Provider =>
    withHooks(provider, { sign_up: server.settings(changes), login: server.settings(changes) });
  const count = async (table: 'users' | 'sessions' | 'intermediate_sessions'): Promise<number> => {
    const rows = provider.services.db.selectFrom(table).select((query) => query.fn.countAll<string>().as('count'));
    return Number((await rows.executeTakeFirstOrThrow()).count);
  };

  describe.each(WAYS)('$name', ({ begin, comesAgain }) => {
    it('calls each hook once, first sign_up and then login', async () => {
      const at = both();
      const { status, data } = await (await begin(at, somebody()))(at);
      expect(status).toBe(200);
      expect(server.types()).toEqual(['hook.sign_up', 'hook.login']);
      for (const { data: question } of server.requests) {
        expect(question.user.user_id).toBe(data['user_id']);
        expect(question.factors).toHaveLength(1);
      }
      expect(server.requests[0]?.data.arrival).toBe('visitor');
    });

    it('gets the roles and the metadata of both answers, in its first session', async () => {
      const at = both();
      server.route = ({ id, type }, response) => {
        const roles = [type === 'hook.sign_up' ? 'member' : 'guest'];
        const answer = { id, action: 'allow', roles, trusted_metadata: { [type]: true } };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      };
      const { data } = await (await begin(at, somebody()))(at);
      expect(data['session']).toMatchObject({ roles: ['member', 'guest'] });
      expect(data['user']).toMatchObject({ trusted_metadata: { 'hook.sign_up': true, 'hook.login': true } });
    });

    it.each(['sign_up', 'login'] as const)(
      'is refused by the hook %s with its words, and changes nothing',
      async (hook) => {
        const finish = await begin(provider, somebody());
        const before = [await count('users'), await count('sessions')];
        const at = both();
        server.answer({ action: 'refuse', message: MESSAGE }, hook);
        const { status, body } = await finish(at);
        expect([status, body['error_type'], body['error_message']]).toEqual([403, 'hook_refused', MESSAGE]);
        expect([await count('users'), await count('sessions')]).toEqual(before);
        // The proof is not used up.
        server.answer({});
        expect((await finish(at)).status).toBe(200);
      },
    );

    listedIf(comesAgain, it)('calls only the hook login once the person is a user', async () => {
      const person = somebody();
      await (
        await begin(provider, person)
      )(provider);
      const at = both();
      expect((await (await begin(at, person))(at)).status).toBe(200);
      expect(server.types()).toEqual(['hook.login']);
    });
  });

  it('learn who logs in, with what and from where, and no secret', async () => {
    const at = both();
    const person = somebody();
    const password = 'correct horse battery staple 9';
    const signUp = await at.post(
      '/passwords',
      { email: person.email, password, ...MINUTES },
      { headers: { 'user-agent': 'Browser/1' } },
    );
    const { method_id, code } = await provider.sendCode(person.email);
    const again = await at.post('/otps/authenticate', { token: code, method_id, ...MINUTES });
    const emails = [{ email: person.email, verified: false }];
    expect(server.requests.map(({ data }) => data)).toMatchObject([
      {
        user: { emails, providers: [], roles: [] },
        factors: [{ type: 'password' }],
        client: { user_agent: 'Browser/1' },
      },
      { user: { emails }, factors: [{ type: 'password' }] },
      { user: { emails: [{ ...emails[0], verified: true }] }, factors: [{ type: 'otp', delivery_method: 'email' }] },
    ]);
    const traffic = server.raw.map(({ body, headers }) => body + JSON.stringify(headers)).join('\n');
    const tokens = [signUp, again].flatMap(({ data }) => [data['session_token'], data['session_jwt']]);
    for (const secret of [password, code, method_id, ...tokens]) expect(traffic).not.toContain(secret);
    const stored = await provider.services.db.selectFrom('passwords').selectAll().execute();
    for (const { hash } of stored) expect(traffic).not.toContain(hash);
  });

  it('are called for a sign-up with a password, although a link to the address was requested before', async () => {
    const at = both();
    const { email } = somebody();
    await at.post('/magic_links/email/login_or_create', { email });
    const body = { email, password: 'correct horse battery staple 9', ...MINUTES };
    server.answer({ action: 'refuse' }, 'sign_up');
    expect((await at.post('/passwords', body)).body['error_type']).toBe('hook_refused');
    server.answer({});
    expect((await at.post('/passwords', body)).status).toBe(200);
    expect(server.types()).toEqual(['hook.sign_up', 'hook.sign_up', 'hook.login']);
  });

  it('are not called for a refresh, an impersonation, or a login that joins a live session', async () => {
    const at = both();
    const { email } = somebody();
    const { session_token } = await provider.signIn(email);
    const session = String(session_token);
    const { method_id, code } = await provider.sendCode(email);
    const token = (await administer(provider.services, 'impersonate', { user: email, by: 'o@example.com' })).token;
    const replies = [
      await at.post('/sessions/authenticate', {}, { session }),
      await at.post('/otps/authenticate', { token: code, method_id, ...MINUTES }, { session }),
      await at.post('/impersonation/authenticate', { impersonation_token: token }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(server.types()).toEqual([]);
  });

  it('are called for a session that is exchanged for an app’s token', async () => {
    const { session_token } = await provider.signIn(somebody().email);
    const { data } = await consent(provider, String(session_token), ['openid', 'full_access']);
    const { access_token } = await redeemCode(provider, data['authorization_code']);
    server.answer({ action: 'refuse' });
    expect((await exchange(both(), access_token)).body['error_type']).toBe('hook_refused');
    server.answer({});
    expect((await exchange(both(), access_token)).status).toBe(200);
  });

  it('are called for a person whom the app’s own server invited, and for nobody whom it made', async () => {
    const at = both();
    const invited = somebody();
    await fromServer(at, '/magic_links/email/invite', { email: invited.email });
    expect(server.types()).toEqual([]);
    const token = new URL((await provider.newest(invited.email))?.link ?? 'http://none').searchParams.get('token');
    expect((await at.post('/magic_links/authenticate', { token, ...MINUTES })).status).toBe(200);
    expect(server.types()).toEqual(['hook.sign_up', 'hook.login']);
    expect(server.requests[0]?.data.arrival).toBe('invited');
    server.forget();
    const person = somebody();
    await fromServer(at, '/users', { email: person.email });
    expect((await (await LINK.begin(at, person))(at)).status).toBe(200);
    expect(server.types()).toEqual(['hook.login']);
  });

  it.each(SERVER_WAYS)(
    'are not called when a message is requested or no session begins: %s of the app’s own server',
    async (name, path, body) => {
      const at = both();
      expect((await fromServer(at, path, body(somebody()))).status).toBe(200);
      // A password signs up at once, without a session.
      expect(server.types()).toEqual(name === 'a password' ? ['hook.sign_up'] : []);
    },
  );

  describe('where a second factor is required', () => {
    const guarded = (policy: unknown) => withHooks(provider, { login: server.settings() }, { mfa: mfaOf(policy) });

    it('are called once, when the login has all of its factors', async () => {
      const at = guarded('required');
      const { email, secret } = await makeGuarded(
        withHooks(provider, {}, { mfa: mfaOf('required') }),
        somebody().email,
      );
      const browser = new LoginBrowser(at);
      const first = await enterEmail(at, browser, email);
      expect([first.data['session'], server.types()]).toEqual([null, []]);
      server.answer({ action: 'refuse', message: MESSAGE });
      const code = () => ({ totp_code: codeOf(provider, secret), ...MINUTES });
      expect((await browser.post('/totps/authenticate', code())).body['error_message']).toBe(MESSAGE);
      server.answer({});
      expect((await browser.post('/totps/authenticate', code())).status).toBe(200);
      expect(server.requests.map(({ data }) => data.factors.map(({ type }) => type))).toEqual([
        ['otp', 'totp'],
        ['otp', 'totp'],
      ]);
    });

    it('require a factor of a user who has one, although the browser is trusted, and are not called again', async () => {
      const plain = withHooks(provider, {}, { mfa: mfaOf('when_enrolled') });
      const { email, secret } = await makeGuarded(plain, somebody().email);
      const at = guarded('when_enrolled');
      const browser = new LoginBrowser(at);
      await enterEmail(at, browser, email);
      const totp_code = codeOf(provider, secret);
      await browser.post('/totps/authenticate', { totp_code, ...MINUTES, trust_device: true });
      provider.clock.time += 30_000;
      server.forget();
      const { intermediate_session_token: _done, mfa_code_verifier: _used, ...fields } = browser.fields;
      browser.fields = fields;
      expect((await enterEmail(at, browser, email)).data['session']).not.toBeNull();
      server.answer({ action: 'require_factor', roles: ['member'], trusted_metadata: { seen: 1 } });
      const first = await enterEmail(at, browser, email);
      expect(first.data).toMatchObject({ session: null, mfa: { factors: ['totp', 'recovery_code'] } });
      const calls = server.requests.length;
      const done = await browser.post('/totps/authenticate', { totp_code: codeOf(provider, secret), ...MINUTES });
      expect(done.data).toMatchObject({ session: { roles: ['member'] }, user: { trusted_metadata: { seen: 1 } } });
      expect(server.requests).toHaveLength(calls);
    });

    it('require a factor of a user who has none, who adds one', async () => {
      const at = guarded('when_enrolled');
      const { email } = somebody();
      await provider.signIn(email);
      server.answer({ action: 'require_factor' });
      const browser = new LoginBrowser(at);
      const first = await enterEmail(at, browser, email);
      expect(first.data).toMatchObject({
        session: null,
        mfa: { factors: [], enrol: expect.arrayContaining(['totp']) },
      });
      const { data } = await browser.post('/totps', { expiration_minutes: 60 });
      const totp_code = codeOf(provider, String(data['secret']));
      expect((await browser.post('/totps/authenticate', { totp_code, ...MINUTES })).status).toBe(200);
      expect(server.types()).toEqual(['hook.login']);
    });

    it('give a role only with the factor that the role needs', async () => {
      const at = guarded({ required_for_roles: ['author'] });
      const { email } = somebody();
      const { user_id } = await provider.signIn(email);
      server.answer({ roles: ['author'] });
      const browser = new LoginBrowser(at);
      expect((await enterEmail(at, browser, email)).data['session']).toBeNull();
      const stored = provider.services.db
        .selectFrom('users')
        .select('given_roles')
        .where('user_id', '=', String(user_id));
      expect(await stored.executeTakeFirst()).toEqual({ given_roles: [] });
    });

    it('of a sign-up that require a factor make it the policy of the user', async () => {
      const at = withHooks(provider, { sign_up: server.settings() }, { mfa: mfaOf('when_enrolled') });
      server.answer({ action: 'require_factor' });
      const { email } = somebody();
      const first = await enterEmail(at, new LoginBrowser(at), email);
      expect(first.data).toMatchObject({ session: null, mfa: { enrol: expect.arrayContaining(['totp']) } });
      server.forget();
      expect((await enterEmail(at, new LoginBrowser(at), email)).data['session']).toBeNull();
      expect(server.types()).toEqual([]);
    });

    it.each(['sign_up', 'login'] as const)(
      'that require a factor where the project has none refuse: %s',
      async (hook) => {
        const at = withHooks(provider, { [hook]: server.settings({ on_failure: 'allow' }) });
        server.answer({ action: 'require_factor' });
        const person = somebody();
        const { status, body } = await (await LINK.begin(at, person))(at);
        expect([status, body['error_type']]).toEqual([403, 'mfa_required']);
      },
    );
  });
});
