import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { startBackendApps, type BackendApps } from '../kit/backend-apps.ts';
import { refusalOf } from '../kit/backend.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const ROUNDS = SOAK ? 4 : 2;

describe.each(EITHER_DATABASE)('a deleted connected app, on %s', (_, database) => {
  let apps: BackendApps;
  beforeAll(async () => {
    apps = await startBackendApps(database);
  });
  afterAll(() => apps.close());

  const remove = async (client_id: string) => apps.client.connectedApp.clients.delete({ client_id });
  /** Everything that the database still has of the app. */
  async function leftOf(client_id: string): Promise<Fields[]> {
    const { db } = apps.provider.services;
    const grants = await db.selectFrom('oauth_grants').selectAll().where('client_id', '=', client_id).execute();
    const app = await db.selectFrom('connected_apps').selectAll().where('client_id', '=', client_id).execute();
    return [...grants, ...app];
  }

  it('loses its grants, codes, tokens and sessions at once', async () => {
    const app = await apps.make('first_party', { full_access_allowed: true });
    const scopes = ['full_access', 'offline_access', 'openid'];
    const { access_token, refresh_token } = await apps.tokensFor(app, { scopes });
    const exchanged = { access_token, session_duration_minutes: 60 };
    const { data } = await apps.provider.post('/sessions/exchange_access_token', exchanged);
    const session = { session: String(data['session_token']) };
    expect((await apps.provider.call('GET', '/users/me', undefined, session)).status).toBe(200);
    const { authorization_code } = await apps.authorize(app.client_id, { scopes });

    expect(await remove(app.client_id)).toMatchObject({ client_id: app.client_id, status_code: 200 });
    expect((await apps.provider.call('GET', '/users/me', undefined, session)).status).toBe(401);
    expect((await apps.redeem(app, authorization_code)).status).toBe(401);
    expect((await apps.refresh(app, refresh_token)).status).toBe(401);
    const headers = { authorization: `Bearer ${String(access_token)}` };
    expect((await apps.raw('GET', '/oauth2/userinfo', { headers })).status).toBe(401);
    expect((await apps.provider.post('/sessions/exchange_access_token', exchanged)).status).toBe(401);
    expect((await refusalOf(apps.start(app.client_id)))['error_message']).toContain('no such connected app');
    expect(await leftOf(app.client_id)).toEqual([]);
    expect(await refusalOf(remove(app.client_id))).toMatchObject({ error_type: 'connected_app_not_found' });
    expect(await apps.provider.services.db.selectFrom('authorization_codes').selectAll().execute()).toEqual([]);
  });

  it('takes nothing from other apps of the user', async () => {
    const [gone, kept] = [await apps.make(), await apps.make()];
    await apps.tokensFor(gone);
    const { refresh_token } = await apps.tokensFor(kept);
    await remove(gone.client_id);
    expect((await apps.refresh(kept, refresh_token)).status).toBe(200);
  });

  soakIt('keeps nothing that was requested while it was deleted: consents, codes and refreshes', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const app = await apps.make('first_party', { bypass_consent_for_offline_access: true });
      const { refresh_token } = await apps.tokensFor(app);
      const { authorization_code } = await apps.authorize(app.client_id);
      const ends = await Promise.allSettled([
        apps.authorize(app.client_id, { user_id: undefined, session_token: apps.user['session_token'] }),
        apps.redeem(app, authorization_code),
        remove(app.client_id),
        apps.refresh(app, refresh_token),
        apps.authorize(app.client_id),
      ]);
      expect(ends[2]?.status).toBe('fulfilled');
      expect(await leftOf(app.client_id)).toEqual([]);
      const tokens = ends.flatMap((end) => (end.status === 'fulfilled' && 'body' in end.value ? [end.value.body] : []));
      for (const { access_token } of tokens) {
        const headers = { authorization: `Bearer ${String(access_token)}` };
        expect((await apps.raw('GET', '/oauth2/userinfo', { headers })).status).toBe(401);
      }
    }
    expect(apps.provider.traces).toEqual([]);
  });

  it('is gone in every process on the database, and a new one is there at once', async () => {
    const elsewhere = createApp(apps.provider.services);
    const discover = async (client_id: string) =>
      elsewhere.request('/sdk/v1/idp/oauth/authorize/start', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${btoa(`${apps.provider.services.project.public_token}:${apps.user['session_token']}`)}`,
        },
        body: JSON.stringify({
          client_id,
          redirect_uri: 'https://planner.example/callback',
          response_type: 'code',
          scopes: ['openid'],
        }),
      });
    const { client_id } = await apps.make();
    expect((await discover(client_id)).status).toBe(200);
    await remove(client_id);
    expect((await discover(client_id)).status).toBe(404);
  });

  it('had one winner of its secret’s rotation, whatever came at once', async () => {
    const { client_id, client_secret: old = '' } = await apps.make();
    const { secrets } = apps.client.connectedApp.clients;
    const next = (await secrets.rotateStart({ client_id })).connected_app.next_client_secret;
    const ends = await Promise.allSettled([
      secrets.rotate({ client_id }),
      secrets.rotateCancel({ client_id }),
      secrets.rotate({ client_id }),
    ]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const works = async (client_secret: string) =>
      (await apps.form('/introspect', { client_id, client_secret, token: 'x' })).status === 200;
    const cancelled = ends[1].status === 'fulfilled';
    expect([await works(old), await works(next)]).toEqual([cancelled, !cancelled]);
  });
});
