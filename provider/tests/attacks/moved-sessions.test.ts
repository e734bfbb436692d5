import { createPublicKey } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { lockOut, unlock } from '#provider/operation/operators/users/actions.ts';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { basic, EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { publishKeys } from '../kit/key-host.ts';
import { SUPABASE_SECRET } from '../kit/old-systems.ts';
import { LoginBrowser } from '../kit/second-step.ts';
import { codeOf, enrolTotp, fromServer, isAlive, MINUTES, uniqueEmail } from './attacker.ts';
import { ADMIN, makeMoving, REFUSED, type SystemName } from './moving-steps.ts';
import { soakIt } from '#tests/soak-tests.ts';

const NAMES: readonly SystemName[] = ['clerk', 'auth0', 'firebase', 'supabase', 'olderSupabase', 'stytch'];
const GOOD_PASSWORD = 'tumbling-lanterns-over-quiet-water-41';
const stranger = await generateKeyPair('RS256', { extractable: true });

describe.each(EITHER_DATABASE)('the session of an old system, on %s', (_, url) => {
  let host: DocumentHost;
  let moving: Awaited<ReturnType<typeof makeMoving>>;
  let provider: Provider;
  beforeAll(async () => {
    host = await documentHost();
    moving = await makeMoving(url, host);
    ({ provider } = moving);
  });
  afterAll(async () => {
    await Promise.all([provider.close(), host.close()]);
  });
  let email: string;
  beforeEach(async () => {
    email = uniqueEmail('moved');
    await provider.services.db.deleteFrom('users').execute();
    provider.clock.time += 20 * MINUTE;
  });
  const importInto = (name: SystemName, fields: Fields = {}) => moving.importInto(name, email, fields);
  const tokenOf: (typeof moving)['tokenOf'] = (...args) => moving.tokenOf(...args);
  const attestBy: (typeof moving)['attestBy'] = (...args) => moving.attestBy(...args);
  const outcome: (typeof moving)['outcome'] = (...args) => moving.outcome(...args);

  it.each(NAMES)('of %s becomes one of the imported user, and only by a fresh token each time', async (name) => {
    expect(await outcome(name, await tokenOf(name))).toBe(REFUSED);
    const user_id = await importInto(name);
    const token = await tokenOf(name, { iat: Math.floor(provider.clock.time / 1000) - 1 });
    const { status, data } = await attestBy(name, token);
    expect([status, data['user_id'], data['user'].emails[0].email]).toEqual([200, user_id, email]);
    expect(data['session'].authentication_factors).toMatchObject([{ type: 'trusted_auth_token' }]);
    expect(await isAlive(provider, data['session_token'])).toBe(true);
    expect(await outcome(name, token)).toBe(REFUSED);
    expect(await outcome(name, await tokenOf(name))).toBe(user_id);
  });

  const ATTACKS: readonly (readonly [string, SystemName, JWTPayload])[] = [
    ['of another instance', 'clerk', { iss: 'https://clerk.evil.example' }],
    ['of another app of the instance', 'clerk', { azp: 'https://evil.example.com' }],
    ['without its app', 'clerk', { azp: undefined }],
    ['of a session with an open task', 'clerk', { sts: 'pending' }],
    ['of somebody who acts for the user', 'clerk', { act: { sub: 'user_support' } }],
    ['of another tenant', 'auth0', { iss: 'https://evil.eu.auth0.com/' }],
    ['for another app of the tenant', 'auth0', { aud: 'another-client' }],
    [
      'of another project, with the same keys',
      'firebase',
      { iss: 'https://securetoken.google.com/evil-app', aud: 'evil-app' },
    ],
    ['of another tenant', 'firebase', { firebase: { tenant: 'evil', sign_in_provider: 'password' } }],
    ['for another project', 'firebase', { aud: 'evil-app' }],
    ['of another project', 'supabase', { iss: 'https://evilevilevilevilevil.supabase.co/auth/v1' }],
    ['of nobody in particular', 'supabase', { aud: 'anon', role: 'anon' }],
    ['of an anonymous user', 'supabase', { is_anonymous: true }],
    ['that is the key of the project', 'olderSupabase', { role: 'service_role', sub: undefined }],
    ['of another project', 'stytch', { iss: 'stytch.com/project-live-evil', aud: ['project-live-evil'] }],
    [
      'of an impersonation',
      'stytch',
      { 'https://stytch.com/session': { authentication_factors: [{ type: 'impersonated' }] } },
    ],
    ['of another person', 'auth0', { sub: 'auth0|another' }],
    ['with a person who is no text', 'auth0', { sub: ['auth0|65a1f0c3e4b0a1b2c3d4e5f6'] as unknown as string }],
  ];

  it.each(ATTACKS)('is not made by a token %s (%s)', async (_kind, name, changes) => {
    const user_id = await importInto(name);
    expect(await outcome(name, await tokenOf(name, changes))).toBe(REFUSED);
    expect(await outcome(name, await tokenOf(name))).toBe(user_id);
  });

  it('is not made by the token of another system, of another profile, or too old', async () => {
    await importInto('clerk');
    const seconds = Math.floor(provider.clock.time / 1000);
    expect(await outcome('auth0', await tokenOf('clerk'))).toBe(REFUSED);
    expect(await outcome('clerk', await tokenOf('clerk', { exp: seconds - 31 }))).toBe(REFUSED);
    expect(await outcome('clerk', await tokenOf('clerk', { iat: seconds - 3700, exp: seconds + 60 }))).toBe(REFUSED);
    expect(await outcome('clerk', await tokenOf('clerk', { nbf: seconds + 60 }))).toBe(REFUSED);
  });

  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('is not made by another key or algorithm, nor by keys that the token names', async () => {
    await importInto('clerk');
    const jku = publishKeys(host, '/evil.json', [
      { ...(await exportJWK(stranger.publicKey)), kid: 'evil', alg: 'RS256' },
    ]);
    const [, claims = ''] = (await tokenOf('clerk')).split('.');
    const [jwk] = moving.systems.clerk.system.keys ?? [];
    const pem = createPublicKey({ key: jwk as Fields, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const kid = jwk?.kid;
    const own = await exportJWK(stranger.publicKey);
    const forged = [
      `${part({ alg: 'none', kid })}.${claims}.`,
      await tokenOf('clerk', {}, { key: Buffer.from(String(pem)), header: { alg: 'HS256' } }),
      await tokenOf('clerk', {}, { key: stranger.privateKey }),
      await tokenOf('clerk', {}, { key: stranger.privateKey, header: { kid: 'evil', jku } }),
      await tokenOf('clerk', {}, { key: stranger.privateKey, header: { jwk: own } }),
    ];
    for (const token of forged) expect(await outcome('clerk', token)).toBe(REFUSED);
    const older = { iss: 'https://abcdefghijklmnopqrst.supabase.co/auth/v1' };
    await importInto('olderSupabase', { emails: [] });
    const byKey = await tokenOf('olderSupabase', older, { key: stranger.privateKey, header: { alg: 'RS256' } });
    expect(await outcome('olderSupabase', byKey)).toBe(REFUSED);
    // The same person, signed with the secret of the older profile, at the profile with keys.
    const bySecret = await tokenOf(
      'supabase',
      {},
      { key: new TextEncoder().encode(SUPABASE_SECRET), header: { alg: 'HS256' } },
    );
    await importInto('supabase', { emails: [] });
    expect(await outcome('supabase', bySecret)).toBe(REFUSED);
  });

  it('is made once by a token without an id, also with another signature of the same content', async () => {
    await importInto('supabase');
    const token = await tokenOf('supabase');
    const [header = '', claims = '', signature = ''] = token.split('.');
    // ECDSA: with s, the order of the curve less s is valid as well.
    const bytes = Buffer.from(signature, 'base64url');
    const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
    const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
    const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
    const again = `${header}.${claims}.${other.toString('base64url')}`;
    const replies = await Promise.all([token, again, token].map((each) => attestBy('supabase', each)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  const change = async (method: string, user_id: string, fields?: Fields) => {
    const authorization = basic(provider.services.project.project_id, DEV_SECRET);
    const headers = { authorization, 'content-type': 'application/json' };
    const body = fields === undefined ? {} : { body: JSON.stringify(fields) };
    return provider.app.request(`/v1/users/${user_id}`, { method, headers, ...body });
  };
  const setPassword = async (session: unknown) =>
    provider.post('/passwords/session/reset', { password: GOOD_PASSWORD }, { session: String(session) });
  const viaLink = async () => {
    await provider.post('/passwords/email/reset/start', { email });
    const token = new URL((await provider.newest(email))?.link ?? '').searchParams.get('token');
    return provider.post('/passwords/email/reset', { token, password: GOOD_PASSWORD, ...MINUTES });
  };

  it.each<[string, (user_id: string) => Promise<unknown>]>([
    ['set a password', async () => setPassword((await provider.signIn(email))['session_token'])],
    ['reset the password', () => viaLink()],
    [
      'signed out everywhere else',
      async () =>
        provider.post(
          '/users/sessions/revoke_others',
          {},
          { session: (await provider.signIn(email))['session_token'] },
        ),
    ],
    ['lost all sessions to the app’s server', (user_id) => fromServer(provider, '/sessions/revoke_all', { user_id })],
    [
      'was locked and unlocked',
      async (user_id) => {
        await lockOut(provider.services, user_id, ADMIN);
        await unlock(provider.services, user_id, ADMIN);
      },
    ],
    ['has another id of the app', async (user_id) => change('PUT', user_id, { external_id: 'crm-17' })],
    ['was deleted', async (user_id) => change('DELETE', user_id)],
  ])('does not come back once the user %s', async (_name, act) => {
    const user_id = await importInto('clerk');
    const before = await attestBy('clerk', await tokenOf('clerk'));
    expect(before.status).toBe(200);
    const done = (await act(user_id)) as Fields | undefined;
    if (done !== undefined) expect(done['status']).toBe(200);
    expect(await outcome('clerk', await tokenOf('clerk'))).toBe(REFUSED);
  });

  it('still moves in other browsers after a login, a sign-out and a changed address', async () => {
    const user_id = await importInto('clerk');
    const { session_token } = await provider.signIn(email);
    await provider.post('/sessions/revoke', {}, { session: String(session_token) });
    expect(await outcome('clerk', await tokenOf('clerk'))).toBe(user_id);
  });

  it('is no recent login: an account is not deleted by it, and auth_time counts', async () => {
    await importInto('clerk');
    const { data } = await attestBy('clerk', await tokenOf('clerk'));
    const [factor] = data['session'].authentication_factors;
    expect(factor.last_authenticated_at).toBe('1970-01-01T00:00:00.000Z');
    const leave = async (session: unknown) =>
      (await provider.call('DELETE', '/users/me/account', undefined, { session: String(session) })).body['error_type'];
    expect(await leave(data['session_token'])).toBe('login_required');
    await importInto('firebase', { emails: [] });
    const now = Math.floor(provider.clock.time / 1000);
    const { data: later } = await attestBy('firebase', await tokenOf('firebase'));
    expect(later['session'].authentication_factors[0].last_authenticated_at).toBe(
      new Date((now - 86_400) * 1000).toISOString(),
    );
    const future = await attestBy('firebase', await tokenOf('firebase', { auth_time: now + 9e9, jti: 'x' }));
    expect(Date.parse(future.data['session'].authentication_factors[0].last_authenticated_at)).toBe(
      provider.clock.time,
    );
  });

  it('ends with the time of the profile', async () => {
    await importInto('clerk');
    const { time } = provider.clock;
    provider.clock.time = Date.parse('2027-03-31T00:00:00Z');
    expect(await outcome('clerk', await tokenOf('clerk'))).toBe('trusted_auth_token_profile_not_found');
    provider.clock.time = time;
  });

  soakIt('moves once of twenty simultaneous requests', async () => {
    await importInto('firebase');
    const token = await tokenOf('firebase');
    const replies = await Promise.all(Array.from({ length: 20 }, () => attestBy('firebase', token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe.each(EITHER_DATABASE)('the session of an old system and the second factor, on %s', (_, url) => {
  let host: DocumentHost;
  let moving: Awaited<ReturnType<typeof makeMoving>>;
  beforeAll(async () => {
    host = await documentHost();
    moving = await makeMoving(url, host, { mfa: { policy: 'when_enrolled', factors: ['totp', 'recovery_code'] } });
  });
  afterAll(async () => {
    await Promise.all([moving.provider.close(), host.close()]);
  });

  it('is one factor: a user with an authenticator app still needs it', async () => {
    const { provider } = moving;
    const email = uniqueEmail('guarded');
    await moving.importInto('clerk', email);
    const { session_token } = await provider.signIn(email);
    const { secret } = await enrolTotp(provider, String(session_token));
    const browser = new LoginBrowser(provider);
    const body = { profile_id: 'clerk', token: await moving.tokenOf('clerk'), ...MINUTES };
    const { data } = await browser.post('/sessions/attest', body);
    expect([data['session'], data['mfa'].factors]).toEqual([null, ['totp', 'recovery_code']]);
    const done = await browser.post('/totps/authenticate', { totp_code: codeOf(provider, secret), ...MINUTES });
    const factors = done.data['session'].authentication_factors as readonly Fields[];
    expect(factors.map(({ type }) => String(type))).toEqual(['trusted_auth_token', 'totp']);
  });
});
