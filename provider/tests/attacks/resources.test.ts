import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { as, askedIn, challenge, ISSUER, makeApps, verifier, type Apps } from '../kit/idp-harness.ts';
import { registrar } from '../kit/registrar.ts';
import { FILES, MAIL, resourceSteps, RESOURCES } from '../kit/resource-steps.ts';

const ALL = 'openid email full_access offline_access';

/** A token for one API must open no other one, whatever way it takes (RFC 8707, section 3). */
describe.each(EITHER_DATABASE)('a token for one API, on %s', (_, url) => {
  let apps: Apps;
  const { asked, allow, redeem, refresh } = resourceSteps(() => apps);
  beforeAll(async () => {
    apps = await makeApps(url, { resources: RESOURCES });
  });
  afterAll(() => apps.provider.close());

  const exchange = (token: unknown) =>
    apps.provider.post('/sessions/exchange_access_token', { access_token: token, session_duration_minutes: 30 });
  const audienceOf = (body: Fields) => decodeJwt(body['access_token']).aud;

  it('does not open the project’s own API: no claims, and no session', async () => {
    const { body } = await redeem(await allow([FILES], ALL));
    expect(body['scope']).toBe('openid email offline_access');
    expect((await apps.userinfo(body['access_token'])).status).toBe(401);
    expect((await exchange(body['access_token'])).status).toBe(401);
    // With both audiences it does, so the audience made the difference.
    const { body: both } = await redeem(await allow([FILES, ISSUER], ALL));
    expect((await apps.userinfo(both['access_token'])).status).toBe(200);
    expect((await exchange(both['access_token'])).status).toBe(200);
    const { body: narrowed } = await refresh(both['refresh_token'], [FILES]);
    expect((await apps.userinfo(narrowed['access_token'])).status).toBe(401);
    expect((await exchange(narrowed['access_token'])).status).toBe(401);
  });

  it('becomes one for another API by no refresh, also of ten at once', async () => {
    const { body: first } = await redeem(await allow([FILES], ALL));
    const tries = [[MAIL], [ISSUER], [FILES, MAIL], [ISSUER, FILES], [FILES]];
    const token = String(first['refresh_token']);
    const replies = await Promise.all([...tries, ...tries].map(async (each) => refresh(token, each)));
    const won = replies.filter(({ status }) => status === 200);
    expect(won.map(({ body }) => audienceOf(body))).toEqual([FILES, FILES]);
    expect(replies.filter(({ body }) => body['error'] === 'invalid_target')).toHaveLength(8);
    const [{ body: next } = { body: {} as Fields }] = won;
    expect(audienceOf((await refresh(String(next['refresh_token']))).body)).toBe(FILES);
  });

  it('becomes one for another API by no code, also of ten at once, and the code stays good', async () => {
    const code = await allow([FILES], 'openid email');
    const tries = await Promise.all(
      Array.from({ length: 10 }, async (_each, index) => redeem(code, [index % 2 === 0 ? MAIL : ISSUER])),
    );
    expect(new Set(tries.map(({ body }) => body['error']))).toEqual(new Set(['invalid_target']));
    expect(audienceOf((await redeem(code)).body)).toBe(FILES);
  });

  it('is not had from the page by fields beside the signed request, or without it', async () => {
    const { project_id } = apps.provider.services.project;
    const page = await asked([FILES], 'openid email');
    const { data } = await apps.submit({ ...page, resource: MAIL, audiences: [MAIL] });
    expect(audienceOf((await redeem(data['authorization_code'])).body)).toBe(FILES);
    const { authorization_request: _signed, ...plain } = page;
    const { data: own } = await apps.submit({ ...plain, resource: MAIL, audiences: [MAIL] });
    const { body } = await redeem(own['authorization_code']);
    expect(audienceOf(body)).toBe(project_id);
  });

  it('is had without the user by no app that has the same scopes elsewhere', async () => {
    const user = await apps.provider.signIn('elsewhere@example.com');
    const silent = async (resources: readonly string[]) => {
      const { data } = await apps.submit({ ...(await asked(resources, 'openid')), consent_granted: false }, user);
      return new URL(data['redirect_uri']).searchParams.get('error') ?? 'code';
    };
    await allow([FILES], 'openid', user);
    expect([await silent([FILES]), await silent([MAIL]), await silent([ISSUER]), await silent([])]).toEqual([
      'code',
      'access_denied',
      'access_denied',
      'access_denied',
    ]);
  });

  it('is had no more once the session in which it was granted is ended from elsewhere', async () => {
    const email = 'ended@example.com';
    const [thief, owner] = [await apps.provider.signIn(email), await apps.provider.signIn(email)];
    await allow([FILES], 'openid', owner);
    const { body: theirs } = await redeem(await allow([MAIL], 'openid offline_access', thief));
    const asks = async (resources: readonly string[]) =>
      (await apps.start(await asked(resources, 'openid'), owner)).data['consent_required'];
    expect([await asks([FILES]), await asks([MAIL])]).toEqual([false, false]);
    expect((await apps.provider.post('/users/sessions/revoke_others', {}, as(owner))).status).toBe(200);
    expect((await refresh(theirs['refresh_token']))['body']).toMatchObject({ error: 'invalid_grant' });
    expect([await asks([FILES]), await asks([MAIL])]).toEqual([false, true]);
  });
});

const UNKNOWN = 'https://unknown.example/mcp';
const CALLBACK = 'http://127.0.0.1:8123/callback';

/** Where agents get tokens for APIs that the project does not know, none of these is also good at an API that it knows. */
describe.each(EITHER_DATABASE)('a token for an unknown API, on %s', (_, url) => {
  let apps: Apps;
  const { register } = registrar(() => apps.provider);
  beforeAll(async () => {
    const agents = { registration: 'open', unknown_resources: 'allow', scopes: ['openid', 'offline_access'] };
    apps = await makeApps(url, { resources: RESOURCES, agents });
  });
  afterAll(() => apps.provider.close());

  it.each([
    ['an API of the project', [UNKNOWN, FILES]],
    ['the project’s own API', [ISSUER, UNKNOWN]],
  ])('is not at once for %s', async (__, resources) => {
    const metadata = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
    const client_id = String((await register(metadata)).body['client_id']);
    const visit = (resource: string) =>
      apps.visit('/authorize', {
        client_id,
        redirect_uri: CALLBACK,
        response_type: 'code',
        code_challenge: challenge,
        scope: 'openid offline_access',
        resource,
      });
    const both = await visit(resources.join(' '));
    expect(both.location?.href).toMatch(/^http:\/\/127\.0\.0\.1:8123\/callback\?error=invalid_target/u);
    const redeemed = async (resource: string): Promise<Fields> => {
      const { location } = await visit(resource);
      const { data } = await apps.submit(askedIn(location ?? new URL('about:blank')));
      const code = data['authorization_code'];
      return (await apps.redeem({ code, client_id, redirect_uri: CALLBACK, code_verifier: verifier })).body;
    };
    // An API becomes unknown when it leaves the project file: its old tokens are good for both.
    const { refresh_token } = await redeemed(UNKNOWN);
    const { db } = apps.provider.services;
    await db
      .updateTable('oauth_token_families')
      .set({ audiences: JSON.stringify(resources.map(audienceOf)) })
      .execute();
    const refreshed = (resource: Fields) =>
      apps.form('/token', { grant_type: 'refresh_token', refresh_token, client_id, ...resource });
    expect((await refreshed({})).body['error']).toBe('invalid_target');
    expect((await refreshed({ resource: UNKNOWN })).status).toBe(200);
  });

  const audienceOf = (resource: string): string =>
    resource === ISSUER ? apps.provider.services.project.project_id : resource;
});
