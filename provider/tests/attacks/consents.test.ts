import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { basic, EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { CALLBACK, challenge, makeApps, REQUEST, SECRET, SETTINGS, type Apps } from '../kit/idp-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** An app of the project’s owner, which needs no consent. */
const OWN = {
  client_id: 'own',
  client_type: 'confidential',
  client_secret_hash: tokenHash(SECRET),
  name: 'Own',
  redirect_uris: [CALLBACK],
  scopes: ['openid', 'email', 'offline_access'],
  first_party: true,
};
/** One that any program of the user’s machine could pass itself off as. */
const NATIVE = {
  client_id: 'native',
  client_type: 'public',
  name: 'Native',
  redirect_uris: ['com.example.app:/callback'],
  first_party: true,
};

/** A page submits what it likes: the server alone judges whether the user had to consent. */
describe.each(EITHER_DATABASE)('a submission without the user’s consent, on %s', (_, url) => {
  let apps: Apps;
  let made = 0;
  beforeAll(async () => {
    apps = await makeApps(url, { clients: [...SETTINGS.clients, OWN, NATIVE] });
  });
  afterAll(() => apps.provider.close());

  const someone = () => apps.provider.signIn(`unasked-${(made += 1)}@example.com`);
  /** `code`, or the error in the app's redirect; for `false` and an absent field, which must mean the same. */
  const outcome = async (fields: Fields, user: Fields): Promise<string> => {
    const outcomes = [];
    for (const consent_granted of [false, undefined, null]) {
      const { data, body } = await apps.submit({ ...fields, consent_granted }, user);
      if (body['error_type'] !== undefined) outcomes.push(String(body['error_type']));
      else {
        const { searchParams } = new URL(data['redirect_uri']);
        expect(searchParams.get('code')).toBe(data['authorization_code'] ?? null);
        outcomes.push(searchParams.get('error') ?? 'code');
      }
    }
    expect(new Set(outcomes).size).toBe(1);
    return outcomes[0] ?? '';
  };
  const listed = async (user: Fields) =>
    (await apps.provider.call('GET', '/users/connected_apps', undefined, { session: String(user['session_token']) }))
      .data['connected_apps'];

  it('grants an app of the project’s own, and what was granted before', async () => {
    const user = await someone();
    expect((await apps.start({ client_id: 'own' }, user)).data['consent_required']).toBe(false);
    expect(await outcome({ client_id: 'own' }, user)).toBe('code');
    await apps.codeFor({ scopes: ['openid', 'email'] }, user);
    expect(await outcome({ scopes: ['email'] }, user)).toBe('code');
    expect(await outcome({ scopes: ['email'], prompt: 'none' }, user)).toBe('code');
    expect(await outcome({ scopes: ['email'], max_age: '60' }, user)).toBe('code');
  });

  soakIt('grants nothing that was not granted before, and writes nothing down', async () => {
    const user = await someone();
    expect(await outcome({}, user)).toBe('access_denied');
    expect(await outcome({ prompt: 'none' }, user)).toBe('consent_required');
    expect(await listed(user)).toEqual([]);
    await apps.codeFor({ scopes: ['openid'] }, user);
    for (const scopes of [['openid', 'email'], ['email'], ['openid', 'offline_access'], []]) {
      expect(await outcome({ scopes }, user)).toBe('access_denied');
    }
    expect(await outcome({ scopes: ['openid', 'email'], prompt: 'none' }, user)).toBe('consent_required');
    expect(await listed(user)).toMatchObject([{ scopes_granted: 'openid' }]);
  });

  it('grants nothing to another app, another user, or after the user took the consent back', async () => {
    const [user, other] = [await someone(), await someone()];
    await apps.codeFor({}, user);
    expect(await outcome({ client_id: 'other' }, user)).toBe('access_denied');
    expect(await outcome({}, other)).toBe('access_denied');
    const { status } = await apps.provider.post(
      '/users/connected_apps/planner/revoke',
      {},
      { session: String(user['session_token']) },
    );
    expect([status, await outcome({}, user)]).toEqual([200, 'access_denied']);
  });

  it('grants nothing that always needs consent: by prompt, or by an app that could be another', async () => {
    const user = await someone();
    await apps.codeFor({}, user);
    for (const prompt of ['consent', 'select_account', 'select_account consent']) {
      expect(await outcome({ prompt }, user)).toBe('access_denied');
      expect(await outcome({ client_id: 'own', prompt }, user)).toBe('access_denied');
    }
    const native = { client_id: 'native', redirect_uri: 'com.example.app:/callback' };
    expect(await outcome(native, user)).toBe('access_denied');
    await apps.codeFor(native, user);
    expect(await outcome(native, user)).toBe('access_denied');
  });

  soakIt(
    'an authorization without consent is refused for a wrong scope, proof key, redirect URI or an old login',
    async () => {
      const user = await someone();
      await apps.codeFor({}, user);
      expect(await outcome({ scopes: ['nothing'] }, user)).toBe('invalid_scope');
      expect(await outcome({ client_id: 'own', scopes: ['write'] }, user)).toBe('invalid_scope');
      expect(await outcome({ code_challenge: undefined }, user)).toBe('pkce_code_challenge_required');
      expect(await outcome({ redirect_uri: `${CALLBACK}/` }, user)).toBe('invalid_redirect_uri');
      apps.provider.clock.time += 6 * 60_000;
      expect(await outcome({ max_age: '300', prompt: 'none' }, user)).toBe('login_required');
    },
  );

  it('is judged the same when the app’s own server submits it', async () => {
    const user_id = String((await someone())['user_id']);
    const headers = {
      authorization: basic(apps.provider.services.project.project_id, DEV_SECRET),
      'content-type': 'application/json',
    };
    const answer = async (changes: Fields) => {
      const body = JSON.stringify({ ...REQUEST, client_id: 'own', user_id, code_challenge: challenge, ...changes });
      const reply = await apps.provider.app.request('/v1/idp/oauth/authorize', { method: 'POST', headers, body });
      const { redirect_uri } = (await reply.json()) as Fields;
      return new URL(String(redirect_uri)).searchParams.get('error') ?? 'code';
    };
    expect(await answer({ consent_granted: false })).toBe('code');
    expect(await answer({})).toBe('code');
    expect(await answer({ consent_granted: false, prompt: 'consent' })).toBe('access_denied');
    expect(await answer({ prompt: 'consent' })).toBe('access_denied');
  });
});
