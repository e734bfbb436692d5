import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listCalls } from '#provider/api/backend/audit.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { startBackendApps, THERE, type BackendApps } from '../kit/backend-apps.ts';
import { refusalOf } from '../kit/backend.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { SETTINGS } from '../kit/idp-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const UNKNOWN = { status_code: 404, error_type: 'connected_app_not_found' };
const READ_ONLY = { status_code: 400, error_type: 'connected_app_read_only' };

describe.each(EITHER_DATABASE)('connected apps that the backend API makes, on %s', (_, database) => {
  let apps: BackendApps;
  beforeAll(async () => {
    const { issuer: _issuer, ...settings } = SETTINGS;
    apps = await startBackendApps(database, { project: projectFrom(settings) });
  });
  afterAll(() => apps.close());

  const clients = () => apps.client.connectedApp.clients;

  it('are of four kinds; those that can keep a secret get one, which is shown once', async () => {
    for (const client_type of ['first_party', 'third_party', 'first_party_public', 'third_party_public']) {
      const made = await apps.make(client_type, { client_name: 'Planner', client_description: 'Plans' });
      const { client_secret, ...shown } = made;
      expect(shown).toMatchObject({
        client_id: expect.stringMatching(/^connected-app-test-/u),
        client_type,
        client_name: 'Planner',
        client_description: 'Plans',
        status: 'active',
        redirect_urls: [THERE],
        full_access_allowed: false,
        access_token_expiry_minutes: 60,
      });
      expect(client_secret?.slice(-4)).toBe(made.client_secret_last_four);
      expect(client_secret === undefined).toBe(client_type.endsWith('_public'));
      expect((await clients().get({ client_id: made.client_id })).connected_app).toEqual(shown);
      const trail = await listCalls(apps.provider.services, made.client_id, 10);
      expect(trail.map(({ call }) => call)).toContain('connectedApps.clients.create');
      const rows = await apps.provider.services.db.selectFrom('connected_apps').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(client_secret ?? 'nothing to look for');
    }
  });

  it.each<[string, Fields]>([
    ['client_type', { client_type: 'second_party' }],
    ['redirect_urls[1]', { redirect_urls: [THERE, 'http://planner.example/callback'] }],
    ['redirect_urls[0]', { redirect_urls: [`${THERE}#fragment`] }],
    ['redirect_urls[0]', { redirect_urls: ['https://user@planner.example/'] }],
    ['redirect_urls[0]', { redirect_urls: ['javascript:alert(1)'] }],
    ['post_logout_redirect_urls[0]', { post_logout_redirect_urls: ['//planner.example'] }],
    ['logo_url', { logo_url: 'data:image/svg+xml,<svg/>' }],
    ['client_name', { client_name: '' }],
    ['client_name', { client_name: 'Pay\u202epal' }],
    ['full_access_allowed', { full_access_allowed: true }],
    ['bypass_consent_for_offline_access', { bypass_consent_for_offline_access: true }],
    ['access_token_expiry_minutes', { access_token_expiry_minutes: 61 }],
    ['access_token_custom_audience', { access_token_custom_audience: 'two words' }],
    ['access_token_template_content', { access_token_template_content: '{' }],
    ['access_token_template_content', { access_token_template_content: '{ "sub": "user-test-other" }' }],
    ['access_token_template_content', { access_token_template_content: '{ "x": {{ client.client_secret }} }' }],
    ['id_token_template_content', { id_token_template_content: '{ "https://stytch.com/session": {} }' }],
  ])('refuse by its name what the project file refuses: %s %j', async (field, fields) => {
    const made = await refusalOf(apps.make('third_party', fields));
    expect(made).toMatchObject({ status_code: 400, error_type: 'bad_request' });
    expect(Object.keys(made['error_details'])).toEqual([field]);
    if (field === 'client_type') return;
    const { client_id } = await apps.make();
    const before = (await clients().get({ client_id })).connected_app;
    const changed = await refusalOf(clients().update({ client_id, client_description: 'New', ...fields }));
    expect(Object.keys(changed['error_details'])).toEqual([field]);
    expect((await clients().get({ client_id })).connected_app).toEqual(before);
  });

  it('change what is given, except for their kind, and keep the rest', async () => {
    const { client_id } = await apps.make('first_party', { client_name: 'Old' });
    const change = { client_id, client_type: 'third_party', full_access_allowed: true, redirect_urls: [] };
    const { connected_app } = await clients().update(change);
    expect(connected_app).toMatchObject({
      client_name: 'Old',
      client_type: 'first_party',
      full_access_allowed: true,
      redirect_urls: [],
    });
    expect((await clients().update({ client_id })).connected_app).toEqual(connected_app);
    const extra = { logo_url: 'https://planner.example/logo.png', access_token_custom_audience: 'planner' };
    expect((await clients().update({ client_id, ...extra })).connected_app).toMatchObject(extra);
    const removed = await clients().update({ client_id, logo_url: '', access_token_custom_audience: '' });
    expect(removed.connected_app).toEqual(connected_app);
    expect((await refusalOf(apps.start(client_id)))['error_message']).toContain('redirect URI');
    const unknown = { client_id: 'nobody' };
    const calls = [clients().get(unknown), clients().update(unknown), clients().delete(unknown)];
    for (const refused of await Promise.all(calls.map(refusalOf))) expect(refused).toMatchObject(UNKNOWN);
  });

  soakIt('stand beside those of the project file, which this API shows and does not change', async () => {
    const shown = (await clients().get({ client_id: 'server' })).connected_app;
    expect(shown).toMatchObject({ client_type: 'third_party', creation_method: 'project_file', client_name: 'App' });
    expect(JSON.stringify(shown)).not.toMatch(/secret/u);
    const { secrets } = clients();
    const changes = [
      clients().update({ client_id: 'server', client_name: 'Mine' }),
      clients().delete({ client_id: 'server' }),
      secrets.rotateStart({ client_id: 'server' }),
      secrets.rotate({ client_id: 'server' }),
      secrets.rotateCancel({ client_id: 'server' }),
    ];
    for (const refused of await Promise.all(changes.map(refusalOf))) expect(refused).toMatchObject(READ_ONLY);

    const { client_id } = await apps.make();
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await clients().search({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...page.connected_apps.map((app) => app.client_id));
      expect(page.connected_apps.length).toBeLessThanOrEqual(2);
      cursor = page.results_metadata.next_cursor ?? undefined;
      if (cursor === undefined) expect(page.results_metadata.total).toBe(found.length);
    } while (cursor !== undefined);
    expect(found).toEqual(expect.arrayContaining([client_id, 'planner', 'server']));
    expect(new Set(found).size).toBe(found.length);
    expect(await refusalOf(clients().search({ limit: 0 }))).toMatchObject({ error_type: 'bad_request' });
  });

  soakIt('change their secret in two steps, between which both are valid', async () => {
    const app = await apps.make();
    const { client_id, client_secret: old = '' } = app;
    const works = async (client_secret: string) =>
      (await apps.form('/introspect', { client_id, client_secret, token: 'x' })).status === 200;
    const { secrets } = clients();
    const next = (await secrets.rotateStart({ client_id })).connected_app.next_client_secret;
    expect([await works(old), await works(next), await works('x')]).toEqual([true, true, false]);
    expect(await refusalOf(secrets.rotateStart({ client_id }))).toMatchObject({
      error_type: 'secret_rotation_already_started',
    });
    await secrets.rotateCancel({ client_id });
    expect([await works(old), await works(next)]).toEqual([true, false]);
    const newest = (await secrets.rotateStart({ client_id })).connected_app.next_client_secret;
    const { connected_app } = await secrets.rotate({ client_id });
    expect(connected_app.client_secret_last_four).toBe(newest.slice(-4));
    expect([await works(old), await works(newest)]).toEqual([false, true]);
    expect(await refusalOf(secrets.rotate({ client_id }))).toMatchObject({ error_type: 'secret_rotation_not_started' });
    const spa = await apps.make('third_party_public');
    expect(await refusalOf(secrets.rotateStart(spa))).toMatchObject({ error_type: 'public_client_has_no_secret' });
  });
});

describe('a project without apps in its file', () => {
  it('names scopes in its discovery document as soon as an app may request them', async () => {
    const apps = await startBackendApps();
    const scopes = async () =>
      (await apps.raw('GET', '/.well-known/openid-configuration')).body['scopes_supported'] as string[];
    expect(await scopes()).not.toContain('offline_access');
    await apps.make('first_party');
    expect(await scopes()).toContain('offline_access');
    expect(await scopes()).not.toContain('full_access');
    await apps.make('first_party', { full_access_allowed: true });
    expect(await scopes()).toContain('full_access');
    await apps.close();
  });
});
