import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalOf, serveBackend, type Backend } from '../kit/backend.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { makeApps, type Apps } from '../kit/idp-harness.ts';

describe.each(EITHER_DATABASE)('the access token of a connected app, on %s', (_, database) => {
  let apps: Apps;
  let backend: Backend;
  beforeAll(async () => {
    apps = await makeApps(database);
    backend = await serveBackend(apps.provider);
  });
  afterAll(() => backend.close());
  const tokenWith = async (...scopes: readonly string[]) =>
    String((await apps.tokensFor(['openid', ...scopes]))['access_token']);

  it('is exchanged for a session, which ends with the grant', async () => {
    const { sessions, users } = backend.client;
    const access_token = await tokenWith('full_access');
    const user_id = apps.signedIn.user['user_id'] as string;
    expect(await sessions.exchangeAccessToken({ access_token })).toMatchObject({ user_id, session: null });
    const fields = { session_duration_minutes: 30, session_custom_claims: { by: 'planner' } };
    const { session_token, session } = await sessions.exchangeAccessToken({ access_token, ...fields });
    expect(session).toMatchObject({ user_id, custom_claims: { by: 'planner' } });
    expect(await users.connectedApps({ user_id })).toMatchObject({ connected_apps: [{ connected_app_id: 'planner' }] });
    await users.revoke({ user_id, connected_app_id: 'planner' });
    expect(await refusalOf(sessions.authenticate({ session_token }))).toMatchObject({
      error_type: 'session_not_found',
    });
    expect(await refusalOf(sessions.exchangeAccessToken({ access_token }))).toMatchObject({
      error_type: 'invalid_access_token',
    });
  });

  it('must have every right of its user', async () => {
    const { sessions } = backend.client;
    expect(await refusalOf(sessions.exchangeAccessToken({ access_token: await tokenWith('write') }))).toMatchObject({
      status_code: 403,
      error_type: 'insufficient_scope',
    });
    expect(await refusalOf(sessions.exchangeAccessToken({ access_token: 'x' }))).toMatchObject({
      status_code: 401,
      error_type: 'invalid_access_token',
    });
  });
});
