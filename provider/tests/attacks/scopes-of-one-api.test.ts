import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { as, makeApps, type Apps } from '../kit/idp-harness.ts';
import { FILES, resourceSteps, RESOURCES } from '../kit/resource-steps.ts';

const PHOTOS = 'https://photos.example';

/** An app that has one scope at one API and another scope at another API gets the first one there only if the user says so. */
describe.each(EITHER_DATABASE)('a scope that was granted for one API, on %s', (_, url) => {
  let apps: Apps;
  const { asked, allow } = resourceSteps(() => apps);
  beforeAll(async () => {
    apps = await makeApps(url, { resources: [...RESOURCES, { resource: PHOTOS }] });
  });
  afterAll(() => apps.provider.close());
  beforeEach(async () => {
    const revoke = '/users/connected_apps/planner/revoke';
    await apps.provider.post(revoke, {}, as(apps.signedIn.user));
    await allow([FILES], 'openid write');
    await allow([PHOTOS], 'openid');
  });

  /** Whether the page asks the user. */
  const asks = async (resources: readonly string[], scope: string) =>
    (await apps.start(await asked(resources, scope))).data['consent_required'] as boolean;

  it('is not had at another API, whose own scopes stay known, without a question', async () => {
    expect(await asks([FILES], 'openid write')).toBe(false);
    expect(await asks([PHOTOS], 'openid')).toBe(false);
    expect(await asks([PHOTOS], 'openid write')).toBe(true);
    expect(await asks([FILES, PHOTOS], 'openid write')).toBe(true);
    const unasked = { ...(await asked([PHOTOS], 'openid write')), consent_granted: false };
    expect(new URL((await apps.submit(unasked)).data['redirect_uri']).searchParams.get('error')).toBe('access_denied');
    await allow([PHOTOS], 'openid write');
    expect(await asks([FILES, PHOTOS], 'openid write')).toBe(false);
  });

  it('is asked for again at the API where an ended session granted it, and nowhere else', async () => {
    const { provider, signedIn } = apps;
    const stolen = await provider.signIn('edith@example.com');
    await allow([PHOTOS], 'openid write', stolen);
    expect(await asks([PHOTOS], 'openid write')).toBe(false);
    expect((await provider.post('/users/sessions/revoke_others', {}, as(signedIn.user))).status).toBe(200);
    expect(await asks([PHOTOS], 'openid write')).toBe(true);
    expect(await asks([PHOTOS], 'openid')).toBe(false);
    expect(await asks([FILES], 'openid write')).toBe(false);
  });

  it('stays known in a grant of an earlier version, which recorded no scopes of an API', async () => {
    const { db } = apps.provider.services;
    const { grant_id, audiences } = await db.selectFrom('oauth_grants').selectAll().executeTakeFirstOrThrow();
    const earlier = Object.entries(audiences).map(([api, { scopes: __, ...given }]) => [api, given] as const);
    const change = { audiences: JSON.stringify(Object.fromEntries(earlier)) };
    await db.updateTable('oauth_grants').set(change).where('grant_id', '=', grant_id).execute();
    expect(await asks([PHOTOS], 'openid write')).toBe(false);
    // What is granted from then on is for its API alone.
    await allow([FILES], 'openid email');
    expect(await asks([PHOTOS], 'openid write')).toBe(false);
    expect(await asks([PHOTOS], 'openid email')).toBe(true);
  });

  it('shows the user all scopes of the app', async () => {
    const shown = await apps.provider.call('GET', '/users/connected_apps', undefined, as(apps.signedIn.user));
    const [app] = shown.data['connected_apps'] as Fields[];
    expect(app?.['scopes_granted']).toBe('openid write');
  });
});
