import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, makeProvider, type Fields, type Provider } from '../kit/harness.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { soakIt } from '#tests/soak-tests.ts';

const SETTINGS = projectFrom({
  rbac_policy: {
    roles: [
      { role_id: 'editor', permissions: [{ resource_id: 'documents', actions: ['write'] }] },
      { role_id: 'viewer', permissions: [{ resource_id: 'documents', actions: ['read'] }] },
    ],
    resources: [{ resource_id: 'documents', actions: ['read', 'write'] }],
  },
});
const EDITH = { user_id: null, email: 'edith@example.com', roles: ['editor', 'viewer'] };
const { project_id } = SETTINGS;
const PASSWORD = 'a rather long and winding road 47';

describe.each(EITHER_DATABASE)('the roles of a session on %s', (_, url) => {
  let provider: Provider;
  const role_assignments = [EDITH];
  const PROJECT = { ...SETTINGS, role_assignments };
  beforeAll(async () => {
    provider = await makeProvider(url, { project: PROJECT });
  });
  afterAll(() => provider.close());

  /** What an API of the project reads in a session's JWT, by nothing but the published keys. */
  async function rolesForApi(session_jwt: unknown): Promise<unknown> {
    const keys = createRemoteJWKSet(new URL(`http://localhost:4100/sdk/v1/sessions/jwks/${project_id}`), {
      [customFetch]: async (address: string) => provider.app.request(address),
    });
    const { payload } = await jwtVerify(String(session_jwt), keys, {
      algorithms: ['RS256'],
      issuer: `stytch.com/${project_id}`,
      audience: project_id,
      currentDate: new Date(provider.clock.time),
    });
    return (payload['https://stytch.com/session'] as Fields)['roles'];
  }
  const refresh = async (session: string) => (await provider.post('/sessions/authenticate', {}, { session })).data;

  it('are in the reply and in the JWT that an API verifies, from the first login on', async () => {
    const login = await provider.signIn('Edith@example.com');
    expect(login['user'].roles).toEqual(['editor', 'viewer']);
    expect(login['session'].roles).toEqual(['editor', 'viewer']);
    expect(await rolesForApi(login['session_jwt'])).toEqual(['editor', 'viewer']);
    const refreshed = await refresh(login['session_token']);
    expect(refreshed['session'].roles).toEqual(['editor', 'viewer']);
    expect(await rolesForApi(refreshed['session_jwt'])).toEqual(['editor', 'viewer']);
  });

  it('are empty for a user without assignments', async () => {
    const login = await provider.signIn('nobody@example.com');
    expect(login['session'].roles).toEqual([]);
    expect(await rolesForApi(login['session_jwt'])).toEqual([]);
  });

  soakIt('are not given by an unverified address', async () => {
    const fresh = await makeProvider(url, { project: PROJECT });
    const body = { email: 'edith@example.com', password: PASSWORD, session_duration_minutes: 60 };
    const { data } = await fresh.post('/passwords', body);
    await fresh.close();
    expect([data['user'].emails[0].verified, data['user'].roles, data['session'].roles]).toEqual([false, [], []]);
  });

  it('follow the project file at the next refresh', async () => {
    const login = await provider.signIn('edith@example.com');
    role_assignments[0] = { ...EDITH, roles: ['viewer'] };
    const refreshed = await refresh(login['session_token']);
    role_assignments[0] = EDITH;
    expect(refreshed['session'].roles).toEqual(['viewer']);
    expect(await rolesForApi(refreshed['session_jwt'])).toEqual(['viewer']);
  });
});
