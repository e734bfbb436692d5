import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { rotateSigningKey } from '#provider/base/security/signing-keys.ts';
import { createApp } from '#provider/operation/app.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { basic, EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const PROJECT = projectFrom({
  rbac_policy: { roles: [{ role_id: 'editor', permissions: [] }], resources: [] },
});
const CLAIM = 'https://stytch.com/session';

describe.each(EITHER_DATABASE)('the JWT of a session that is checked often, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT });
  let people = 0;

  const signIn = async (): Promise<Fields> => {
    people += 1;
    return provider.signIn(`checked-${people}@example.com`);
  };
  const check = async ({ session_token }: Fields, body: Fields = {}): Promise<Fields> =>
    (await provider.post('/sessions/authenticate', body, { session: String(session_token) })).data;
  const backend = async (method: string, path: string, body: Fields): Promise<Fields> => {
    const headers = {
      authorization: basic(PROJECT.project_id, DEV_SECRET),
      'content-type': 'application/json',
    };
    const reply = await provider.app.request(path, { method, headers, body: JSON.stringify(body) });
    expect(reply.status).toBe(200);
    return (await reply.json()) as Fields;
  };
  const after = (seconds: number): void => {
    provider.clock.time += seconds * 1000;
  };
  const claimsOf = ({ session_jwt }: Fields): Fields => decodeJwt(String(session_jwt));

  it('is the same for half a minute, and then one with five minutes left', async () => {
    const session = await signIn();
    const first = await check(session);
    after(29);
    const second = await check(session);
    expect(second['session_jwt']).toBe(first['session_jwt']);
    expect(Date.parse(second['session'].last_accessed_at)).toBe(provider.clock.time);
    after(1);
    const third = await check(session);
    expect(claimsOf(third)['exp']).toBe(Math.floor(provider.clock.time / 1000) + 300);
    expect(claimsOf(third)[CLAIM].last_accessed_at).toBe(new Date(provider.clock.time).toISOString());
  });

  it('is another one for another session, of the same user too', async () => {
    const [one, two] = [await signIn(), await signIn()];
    const again = await provider.signIn(one['user'].emails[0].email);
    const ids = [one, two, again].map(({ session }) => session.session_id as string);
    const jwts = [await check(one), await check(two), await check(again)].map(claimsOf);
    expect(jwts.map(({ [CLAIM]: claim }) => (claim as Fields)['id'])).toEqual(ids);
  });

  it.each<[string, (session: Fields) => Promise<Fields>, (claims: Fields) => unknown, unknown]>([
    [
      'custom claims',
      ({ session_token }) =>
        backend('POST', '/v1/sessions/authenticate', { session_token, session_custom_claims: { plan: 'gold' } }),
      ({ plan }) => plan,
      'gold',
    ],
    [
      'a role',
      async (session) => {
        await backend('PUT', `/v1/users/${session['user_id']}`, { roles: ['editor'] });
        return check(session);
      },
      ({ [CLAIM]: { roles } }) => (roles as string[]).includes('editor'),
      true,
    ],
    [
      'another end',
      (session) => check(session, { session_duration_minutes: 120 }),
      ({ [CLAIM]: { expires_at } }) => Date.parse(expires_at),
      () => provider.clock.time + 120 * 60_000,
    ],
    [
      'another token',
      async (session) => {
        const email = String(session['user'].emails[0].email);
        return provider.signIn(email, { session: String(session['session_token']) });
      },
      ({ [CLAIM]: { generation } }) => generation,
      2,
    ],
  ])('is a new one at once after %s', async (_what, change, read, expected) => {
    const session = await signIn();
    const before = await check(session);
    after(1);
    const changed = await change(session);
    const latest = await check(changed['session_token'] === undefined ? session : changed);
    expect(latest['session_jwt']).not.toBe(before['session_jwt']);
    expect(read(claimsOf(latest))).toEqual(typeof expected === 'function' ? (expected as () => unknown)() : expected);
    expect(read(claimsOf(before))).not.toEqual(read(claimsOf(latest)));
  });

  it('is signed by the new key at once after an operator rotated it', async () => {
    const session = await signIn();
    const kidOf = ({ session_jwt }: Fields): unknown =>
      JSON.parse(Buffer.from(String(session_jwt).split('.')[0] ?? '', 'base64url').toString()).kid;
    await check(session);
    const kid = await rotateSigningKey(provider.services, 'sessions');
    expect(kidOf(await check(session))).toBe(kid);
  });

  it('is never given for a session that ended', async () => {
    const session = await signIn();
    await check(session);
    await provider.post('/sessions/revoke', {}, { session: String(session['session_token']) });
    const reply = await provider.post('/sessions/authenticate', {}, { session: String(session['session_token']) });
    expect([reply.status, reply.data['session_jwt']]).toEqual([401, undefined]);
  });

  it('follows the settings of the project at once', async () => {
    const session = await signIn();
    await check(session);
    const role_assignments = [{ user_id: null, email: session['user'].emails[0].email as string, roles: ['editor'] }];
    const other = createApp({ ...provider.services, project: { ...PROJECT, role_assignments } });
    const reply = await other.request('/sdk/v1/sessions/authenticate', {
      method: 'POST',
      headers: {
        authorization: basic(PROJECT.public_token, String(session['session_token'])),
        'content-type': 'application/json',
      },
      body: '{}',
    });
    const { data } = (await reply.json()) as { data: Fields };
    expect(claimsOf(data)[CLAIM].roles).toEqual(['editor']);
    expect(claimsOf(await check(session))[CLAIM].roles).toEqual([]);
  });

  it('is a new one after the clock was set back', async () => {
    const session = await signIn();
    const first = await check(session);
    after(-10);
    const second = await check(session);
    expect(claimsOf(second)['iat']).toBe(claimsOf(first)['iat'] - 10);
  });
});
