import { describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { randomOf } from '#provider/base/platform.ts';
import { DEMO_PROJECT, type Project } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, type Fields, makeProvider, WITHOUT_PKCE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const LIVE: Project = { ...DEMO_PROJECT, ...WITHOUT_PKCE, project_id: 'project-live-1', issuer: 'http://localhost:9' };

describe.each(EITHER_DATABASE)('a live project, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: LIVE, random: randomOf(LIVE) });

  it('has ids that say so, of users, sessions, contacts and requests', async () => {
    const { body, data } = await provider.post('/otps/email/login_or_create', { email: 'ada@example.com' });
    expect(data['request_id'] ?? body['request_id']).toMatch(/^request-id-live-/u);
    const { user, session } = await provider.signIn('ada@example.com');
    const ids = [user.user_id, user.emails[0].email_id, session.session_id] as readonly string[];
    expect(ids.filter((id) => !/^(?:user|email|session)-live-[\da-f-]{36}$/u.test(id))).toEqual([]);
  });

  it('names its issuer in the addresses of errors, whatever host a request names', async () => {
    const reply = await provider.app.request('http://127.0.0.1:4100/sdk/v1/none');
    expect(((await reply.json()) as Fields)['error_url']).toBe('http://localhost:9/errors/route_not_found');
  });
});

describe.each(EITHER_DATABASE)('two versions of the project file at once, on %s', (_, url) => {
  it('give a user the roles of each, and store none, so that they do not undo each other', async () => {
    const roles = (email: string): Project => ({
      ...DEMO_PROJECT,
      ...WITHOUT_PKCE,
      rbac_policy: { ...DEMO_PROJECT.rbac_policy, roles: [{ role_id: 'editor', description: '', permissions: [] }] },
      role_assignments: [{ user_id: null, email, roles: ['editor'] }],
    });
    const provider = await makeProvider(url, { project: roles('nobody@example.com') });
    const next = createApp({ ...provider.services, project: roles('ada@example.com') });
    const { session_token, user } = await provider.signIn('ada@example.com');
    const check = async (app: typeof next): Promise<unknown> => {
      const authorization = `Basic ${Buffer.from(`${DEMO_PROJECT.public_token}:${String(session_token)}`).toString('base64')}`;
      const headers = { authorization, 'content-type': 'application/json' };
      const reply = await app.request('/sdk/v1/sessions/authenticate', { method: 'POST', headers, body: '{}' });
      return ((await reply.json()) as Fields)['data'].session.roles;
    };
    const row = () => {
      const users = provider.services.db.selectFrom('users').selectAll();
      return users.where('user_id', '=', user.user_id).executeTakeFirstOrThrow();
    };
    const before = await row();
    const seen = [await check(provider.app), await check(next), await check(provider.app)];
    expect(seen).toEqual([[], ['editor'], []]);
    expect(await row()).toEqual(before);
    await provider.close();
  });
});
