import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { issueImpersonationToken } from '#provider/accounts/access/impersonation.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { SETTINGS } from '../kit/idp-harness.ts';
import { oneOf } from '#tests/soak.ts';

const CLAIM = 'https://stytch.com/session';
const RESERVED = ['iss', 'sub', 'aud', 'exp', CLAIM, 'nbf', 'iat', 'jti', '__proto__', 'generation', 'constructor'];
const PROFILE = 'local';
const project = projectFrom({
  ...SETTINGS,
  trusted_auth_token_profiles: [{ profile_id: PROFILE, issuer: 'https://issuer.example', audience: 'portico' }],
});
const NO_SESSION = { status_code: 404, error_type: 'session_not_found' };

describe.each(EITHER_DATABASE)('the sessions of the backend API, on %s', (_, database) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await startBackend(database, { project });
  });
  afterAll(() => backend.close());
  let count = 0;
  const sessions = () => backend.client.sessions;

  /** A user whom the browser's client signed in. */
  async function signIn(email = `user-${(count += 1)}@example.com`) {
    const { user_id, session, session_token, session_jwt } = await backend.provider.signIn(email);
    return {
      email,
      user_id: user_id as string,
      session_id: (session as Fields)['session_id'] as string,
      session_token: session_token as string,
      session_jwt: session_jwt as string,
    };
  }
  /** What the browser's client gets when it refreshes. */
  const refresh = async (session: string) => backend.provider.post('/sessions/authenticate', {}, { session });
  const later = async (minutes: number, act: () => Promise<void>) => {
    backend.provider.clock.time += minutes * MINUTE;
    await act().finally(() => (backend.provider.clock.time -= minutes * MINUTE));
  };

  it('are authenticated by token and by JWT, with the whole user', async () => {
    const { session_token, session_jwt, user_id, session_id } = await signIn();
    await backend.client.users.update({ user_id, external_id: `ext-${count}` });
    const byToken = await sessions().authenticate({ session_token });
    expect(byToken).toMatchObject({
      status_code: 200,
      session_token,
      session: { session_id, user_id, roles: [], custom_claims: {}, authentication_factors: [{ type: 'otp' }] },
      user: { user_id, external_id: `ext-${count}`, is_locked: false },
    });
    expect(byToken).not.toHaveProperty('verdict');
    const byJwt = await sessions().authenticate({ session_jwt });
    expect(byJwt).toMatchObject({ session_token, session: { session_id } });
  });

  it('are extended when minutes are given, and never shortened', async () => {
    const { session_token } = await signIn();
    const end = async (minutes?: number) => {
      const fields = minutes === undefined ? {} : { session_duration_minutes: minutes };
      const { session } = await sessions().authenticate({ session_token, ...fields });
      return (Date.parse(session.expires_at ?? '') - backend.provider.clock.time) / MINUTE;
    };
    expect([await end(), await end(120), await end(5), await end()]).toEqual([60, 120, 120, 120]);
    for (const minutes of [4, 527_041, 5.5]) {
      const refused = refusalOf(sessions().authenticate({ session_token, session_duration_minutes: minutes }));
      expect(await refused).toMatchObject({ status_code: 400, error_type: 'invalid_session_duration' });
    }
  });

  it('are refused when they are unknown, not when the secret is wrong', async () => {
    for (const fields of [{ session_token: 'unknown' }, { session_jwt: 'a.b.c' }]) {
      expect(await refusalOf(sessions().authenticate(fields))).toMatchObject(NO_SESSION);
    }
    const { session_token, session_jwt } = await signIn();
    for (const fields of [{}, { session_token, session_jwt }, { session_token: 7 as unknown as string }]) {
      expect(await refusalOf(sessions().authenticate(fields))).toMatchObject({
        status_code: 400,
        error_type: 'bad_request',
        error_details: { session_token: expect.any(String) },
      });
    }
    const wrong = backend.clientWith({ secret: 'secret-test-wrong' }).sessions.authenticate({ session_token });
    expect(await refusalOf(wrong)).toMatchObject({ status_code: 401, error_type: 'unauthorized_credentials' });
  });

  it('go on with a JWT that has expired, as long as they live', async () => {
    const { session_jwt, session_token, session_id } = await signIn();
    await later(10, async () => {
      expect((await refresh(session_jwt)).status).toBe(401);
      const renewed = await sessions().authenticate({ session_jwt });
      expect(renewed).toMatchObject({ session: { session_id }, session_token });
      expect(renewed.session_jwt).not.toBe(session_jwt);
    });
    await later(61, async () =>
      expect(await refusalOf(sessions().authenticate({ session_jwt }))).toMatchObject(NO_SESSION),
    );
    const [head = '', payload = '', signature = ''] = session_jwt.split('.');
    const claims = { ...decodeJwt(session_jwt), sub: 'user-test-other' };
    const forged = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
    expect(await refusalOf(sessions().authenticate({ session_jwt: forged }))).toMatchObject(NO_SESSION);
    expect(payload).not.toBe('');
    await sessions().revoke({ session_token });
    expect(await refusalOf(sessions().authenticate({ session_jwt }))).toMatchObject(NO_SESSION);
  });

  it('keep custom claims, which stand at the top level of every JWT from then on', async () => {
    const { session_token } = await signIn();
    const add = async (session_custom_claims: Fields) => {
      const { session, session_jwt } = await sessions().authenticate({ session_token, session_custom_claims });
      return { kept: session.custom_claims, claims: decodeJwt(session_jwt) };
    };
    const added = await add({ plan: 'gold', seats: 3, 'https://app.example/team': { id: 7 } });
    expect(added.kept).toEqual({ plan: 'gold', seats: 3, 'https://app.example/team': { id: 7 } });
    expect(added.claims).toMatchObject({ ...added.kept, [CLAIM]: { id: expect.any(String) } });
    const merged = await add({ plan: null, seats: 4, sub_plan: true });
    expect(merged.kept).toEqual({ seats: 4, sub_plan: true, 'https://app.example/team': { id: 7 } });
    expect(merged.claims).not.toHaveProperty('plan');
    const refreshed = await refresh(session_token);
    expect(refreshed.data['session'].custom_claims).toEqual(merged.kept);
    expect(decodeJwt(refreshed.data['session_jwt'] as string)).toMatchObject({ seats: 4, sub_plan: true });
    const { sessions: listed } = await sessions().get({ user_id: refreshed.data['user_id'] as string });
    expect(listed[0]?.custom_claims).toEqual(merged.kept);
  });

  it.each(oneOf(4, RESERVED))('take no custom claim of the name %s', async (name) => {
    const { session_token } = await signIn();
    const session_custom_claims = JSON.parse(`{"fine": 1, ${JSON.stringify(name)}: {"id": "x"}}`) as Fields;
    const refused = await refusalOf(sessions().authenticate({ session_token, session_custom_claims }));
    expect(refused).toMatchObject({ status_code: 400, error_type: 'invalid_session_custom_claims' });
    expect(refused['error_message']).toContain(name);
    expect((await sessions().authenticate({ session_token })).session.custom_claims).toEqual({});
  });

  it('take custom claims that fit into a cookie with the JWT, and lose none of calls at once', async () => {
    const { session_token } = await signIn();
    const add = (session_custom_claims: Fields) => sessions().authenticate({ session_token, session_custom_claims });
    expect(await refusalOf(add({ big: 'x'.repeat(1_020) }))).toMatchObject({
      error_type: 'invalid_session_custom_claims',
      error_message:
        'session_custom_claims must be at most 1024 bytes of JSON, so that the session JWT fits into a cookie; these are 1030.',
    });
    const names = Array.from({ length: 6 }, (_value, index) => `claim-${index}`);
    await Promise.all(names.map((name) => add({ [name]: true })));
    const { session } = await sessions().authenticate({ session_token });
    expect(Object.keys(session.custom_claims ?? {}).sort()).toEqual(names);
    // Together they would be too much.
    await add({ half: 'x'.repeat(700) });
    expect(await refusalOf(add({ more: 'x'.repeat(300) }))).toMatchObject({ status_code: 400 });
  });

  it('are checked for an action, with the roles that allow it', async () => {
    const { session_token, user_id } = await signIn();
    const check = (resource_id: string, action: string) =>
      sessions().authenticate({
        session_token,
        session_duration_minutes: 300,
        session_custom_claims: { checked: true },
        authorization_check: { resource_id, action },
      });
    const refused = { status_code: 403, error_type: 'session_authorization_error' };
    expect(await refusalOf(check('documents', 'write'))).toMatchObject(refused);
    const { session } = await sessions().authenticate({ session_token });
    expect(session.custom_claims).toEqual({});
    expect(Date.parse(session.expires_at ?? '') - backend.provider.clock.time).toBe(60 * MINUTE);
    await backend.client.users.update({ user_id, roles: ['editor'] });
    expect(await check('documents', 'write')).toMatchObject({
      verdict: { authorized: true, granting_roles: ['editor'] },
      session: { roles: ['editor'], custom_claims: { checked: true } },
    });
    for (const [resource, action] of [
      ['documents', 'delete'],
      ['documents', '*'],
      ['people', 'write'],
      ['constructor', 'name'],
    ] as const) {
      expect(await refusalOf(check(resource, action))).toMatchObject(refused);
    }
    const half = { resource_id: 'documents' } as unknown as { resource_id: string; action: string };
    expect(await refusalOf(sessions().authenticate({ session_token, authorization_check: half }))).toMatchObject({
      error_type: 'bad_request',
      error_details: { authorization_check: expect.any(String) },
    });
  });

  it('are listed for a user, and revoked by id, by token and by JWT, however often', async () => {
    const email = `user-${(count += 1)}@example.com`;
    const [first, second, third] = [await signIn(email), await signIn(email), await signIn(email)];
    const { user_id } = first;
    const list = async (id = user_id) =>
      (await sessions().get({ user_id: id })).sessions.map(({ session_id }) => session_id).sort();
    const ids = (...of: readonly { readonly session_id: string }[]) => of.map(({ session_id }) => session_id).sort();
    expect(await list()).toEqual(ids(first, second, third));
    for (let time = 0; time < 2; time += 1) {
      expect(await sessions().revoke({ session_id: first.session_id })).toMatchObject({ status_code: 200 });
      expect(await list()).toEqual(ids(second, third));
    }
    await sessions().revoke({ session_token: second.session_token });
    await sessions().revoke({ session_token: second.session_token });
    expect(await list()).toEqual(ids(third));
    // The page signs out after an hour in the background: its JWT is old, and its session is not.
    await later(30, async () => {
      await sessions().revoke({ session_jwt: third.session_jwt });
      expect(await list()).toEqual([]);
    });
    expect((await refresh(third.session_token)).status).toBe(401);
    for (const fields of [{ session_jwt: 'a.b.c' }, { session_token: 'x' }, { session_id: 'x' }]) {
      expect(await sessions().revoke(fields)).toMatchObject({ status_code: 200 });
    }
    expect(await refusalOf(sessions().revoke({}))).toMatchObject({ error_type: 'bad_request' });
    expect(await refusalOf(sessions().get({ user_id: 'nobody' }))).toMatchObject({ error_type: 'user_not_found' });
    expect((await backend.raw('GET', '/v1/sessions')).body).toMatchObject({
      error_type: 'bad_request',
      error_details: { user_id: expect.any(String) },
    });
  });

  it('are verified by the SDK itself with the published keys, and by any library', async () => {
    const { session_token, user_id, session_id } = await signIn();
    const { session_jwt } = await sessions().authenticate({ session_token, session_custom_claims: { plan: 'gold' } });
    const local = await sessions().authenticateJwtLocal({ session_jwt });
    expect(local).toMatchObject({ session_id, user_id, roles: [], custom_claims: { plan: 'gold' } });
    expect(Object.keys(local.custom_claims ?? {})).toEqual(['plan']);
    const checked = await sessions().authenticateJwt({ session_jwt });
    expect(checked).toMatchObject({ session: { session_id }, session_jwt });
    const forced = await sessions().authenticateJwt({ session_jwt, max_token_age_seconds: 0 });
    expect(forced).toMatchObject({ status_code: 200, session: { session_id } });
    const soon = new Date(Date.now() + 6 * MINUTE);
    await expect(sessions().authenticateJwtLocal({ session_jwt, current_date: soon })).rejects.toThrow('jwt_invalid');
    await sessions().revoke({ session_token });
    expect(await refusalOf(sessions().authenticateJwt({ session_jwt, max_token_age_seconds: 0 }))).toMatchObject(
      NO_SESSION,
    );
    const keys = createRemoteJWKSet(new URL(`v1/sessions/jwks/${project.project_id}`, backend.url));
    const { payload } = await jwtVerify(session_jwt, keys, { issuer: `stytch.com/${project.project_id}` });
    expect(payload.aud).toEqual([project.project_id]);
  });

  it('of an impersonator last as long as they did', async () => {
    const { user_id } = await signIn();
    const by = { user_id, impersonator_id: 'ops', impersonator_email_address: '' };
    const { impersonation_token } = await issueImpersonationToken(backend.provider.services, by);
    const { data } = await backend.provider.post('/impersonation/authenticate', { impersonation_token });
    const { session } = await sessions().authenticate({
      session_token: data['session_token'] as string,
      session_duration_minutes: 500,
    });
    expect(session.expires_at).toBe(data['session'].expires_at);
  });

  it('are made from the token of a trusted issuer', async () => {
    const token = async (email: string) =>
      (await administer(backend.provider.services, 'trusted-token', { profile: PROFILE, email })).token;
    const email = `user-${(count += 1)}@example.com`;
    const attest = (fields: Fields & { token: string }) => sessions().attest({ profile_id: PROFILE, ...fields });
    const plain = await attest({ token: await token(email) });
    expect(plain).toMatchObject({ session: null, session_token: '', session_jwt: '', user: { emails: [{ email }] } });
    const fields = { session_duration_minutes: 60, session_custom_claims: { from: 'crm' } };
    const made = await attest({ token: await token(email), ...fields });
    expect(made).toMatchObject({ user_id: plain.user_id, session: { custom_claims: { from: 'crm' } } });
    const replaced = await attest({ token: await token(email), ...fields, session_token: made.session_token });
    expect(await refusalOf(sessions().authenticate({ session_token: made.session_token }))).toMatchObject(NO_SESSION);
    expect(await sessions().authenticate({ session_token: replaced.session_token })).toMatchObject({
      status_code: 200,
    });
    const used = await token(email);
    await attest({ token: used });
    expect(await refusalOf(attest({ token: used }))).toMatchObject({ error_type: 'invalid_trusted_auth_token' });
    const unused = await token(email);
    expect(await refusalOf(attest({ token: unused, session_duration_minutes: 1 }))).toMatchObject({ status_code: 400 });
    expect(await attest({ token: unused })).toMatchObject({ status_code: 200 });
    expect(await refusalOf(attest({ token: unused, profile_id: 'none' }))).toMatchObject({
      error_type: 'trusted_auth_token_profile_not_found',
    });
  });

  it('are not migrated from another server', async () => {
    expect(await refusalOf(sessions().migrate({ session_token: 'x' }))).toMatchObject({
      status_code: 400,
      error_type: 'session_migration_not_configured',
    });
  });
});
