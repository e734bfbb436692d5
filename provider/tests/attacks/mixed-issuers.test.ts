import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signLogoutToken } from '#provider/base/security/logout-token.ts';
import { signingKey } from '#provider/base/security/signing-keys.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { as, BYE, challenge, ISSUER, makeApps, OFFLINE, SECRET, withSecret, type Apps } from '../kit/idp-harness.ts';
import { registrar } from '../kit/registrar.ts';

const OTHER_ISSUER = 'http://localhost:4200';
const AGENTS = { registration: 'open', scopes: ['openid'] };

/** Two servers with the same apps under the same ids: what one of them gave is worth nothing at the other. */
describe.each(EITHER_DATABASE)('what another issuer gave, on %s', (_, url) => {
  let here: Apps;
  let there: Apps;
  beforeAll(async () => {
    here = await makeApps(url, { agents: AGENTS });
    there = await makeApps(url, { agents: AGENTS, issuer: OTHER_ISSUER });
  });
  afterAll(async () => {
    await Promise.all([here.provider.close(), there.provider.close()]);
  });

  const leave = async (id_token_hint: unknown) =>
    (await here.provider.post('/oauth/logout/start', { id_token_hint }, as(here.signedIn.user))).body['error_type'];
  const hinted = async (id_token_hint: unknown) => {
    const fields = { client_id: 'planner', redirect_uri: 'https://planner.example/callback', response_type: 'code' };
    const { location } = await here.visit('/authorize', {
      ...fields,
      scope: 'openid',
      code_challenge: challenge,
      id_token_hint,
    });
    return location?.searchParams.get('error');
  };
  const exchange = async (access_token: unknown) =>
    (await here.provider.post('/sessions/exchange_access_token', { access_token, session_duration_minutes: 5 })).status;
  const active = async (token: unknown) =>
    (await here.form('/introspect', { token }, withSecret('server', SECRET))).body['active'];

  it('opens nothing: no claims, session, refresh or logout, and it stays good where it is from', async () => {
    const { data } = await there.submit(await there.arrive());
    expect(new URL(String(data['redirect_uri'])).searchParams.get('iss')).toBe(OTHER_ISSUER);
    const scopes = [...OFFLINE, 'full_access'];
    const theirs = await there.tokensFor(scopes);
    const { access_token, refresh_token, id_token } = theirs;
    expect((await here.userinfo(access_token)).status).toBe(401);
    expect([await exchange(access_token), await active(access_token), await active(refresh_token)]).toEqual([
      401,
      false,
      false,
    ]);
    expect((await here.refresh(refresh_token)).body['error']).toBe('invalid_grant');
    expect([await leave(id_token), await hinted(id_token)]).toEqual(['invalid_id_token_hint', 'invalid_request']);
    await here.form('/revoke', { token: refresh_token, client_id: 'planner' });
    expect((await there.userinfo(access_token)).status).toBe(200);
    expect((await there.refresh(refresh_token)).status).toBe(200);
    // The same of this server does open it, so the issuer made the difference.
    const own = await here.tokensFor(scopes);
    expect([await exchange(own['access_token']), await leave(own['id_token'])]).toEqual([200, undefined]);
  });

  it('finishes no request: codes, signed requests, pushed requests, registrations', async () => {
    const code = await there.codeFor();
    expect((await here.redeem({ code })).body['error']).toBe('invalid_grant');
    expect((await there.redeem({ code })).status).toBe(200);
    expect((await here.submit(await there.arrive())).body['error_type']).toBe('invalid_authorization_request');
    const request = {
      redirect_uri: 'https://planner.example/callback',
      response_type: 'code',
      scope: 'openid',
      code_challenge: challenge,
    };
    const pushed = await there.form('/par', request, withSecret('server', SECRET));
    const visit = { client_id: 'server', request_uri: pushed.body['request_uri'] };
    expect((await here.visit('/authorize', visit)).text).toContain('invalid_request_uri');
    expect((await there.visit('/authorize', visit)).status).toBe(303);
    const metadata = { redirect_uris: ['https://agent.example/callback'] };
    const { body } = await registrar(() => there.provider).register(metadata);
    expect((await registrar(() => here.provider).at(body)('GET')).status).toBe(401);
    expect((await registrar(() => there.provider).at(body)('GET')).status).toBe(200);
  });

  it('ends nothing as a logout token, and neither does one of this server anywhere but at its app', async () => {
    const tokenOf = async ({ provider, signedIn }: Apps, iss: string) => {
      const { services, clock } = provider;
      const key = await signingKey(services, 'apps');
      const session = { iss, sub: String(signedIn.user['user_id']), sid: 'a-session' };
      return signLogoutToken({ random: services.random, now: clock.now() }, session, { client_id: 'planner', key });
    };
    for (const token of [
      await tokenOf(there, OTHER_ISSUER),
      await tokenOf(there, ISSUER),
      await tokenOf(here, ISSUER),
    ]) {
      expect([await leave(token), await hinted(token)]).toEqual(['invalid_id_token_hint', 'invalid_request']);
      expect([(await here.userinfo(token)).status, await exchange(token), await active(token)]).toEqual([
        401,
        401,
        false,
      ]);
      const query = { id_token_hint: token, post_logout_redirect_uri: BYE };
      expect((await here.visit('/logout', query)).location?.href.startsWith(BYE) ?? false).toBe(false);
    }
  });

  it('is nothing in a signed answer of an introspection, which itself opens nothing', async () => {
    const about = async (token: unknown, { provider }: Apps) => {
      const accept = 'application/token-introspection+jwt';
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const headers = { ...withSecret('server', SECRET), ...type, accept };
      const body = new URLSearchParams({ token: String(token) }).toString();
      return (await provider.app.request(`${ISSUER}/oauth2/introspect`, { method: 'POST', headers, body })).text();
    };
    const theirs = await there.tokensFor(OFFLINE);
    const refused = await about(theirs['access_token'], here);
    expect(decodeJwt(refused)['token_introspection']).toEqual({ active: false });
    const code = await here.codeFor({ client_id: 'server', scopes: OFFLINE });
    const secret = withSecret('server', SECRET);
    const own = (await here.redeem({ code, client_id: undefined }, secret)).body;
    const answer = await about(own['access_token'], here);
    expect(decodeJwt(answer)).toMatchObject({ token_introspection: { active: true }, aud: 'server' });
    for (const token of [answer, refused]) {
      expect([(await here.userinfo(token)).status, await exchange(token), await active(token)]).toEqual([
        401,
        401,
        false,
      ]);
      expect([await leave(token), await hinted(token)]).toEqual(['invalid_id_token_hint', 'invalid_request']);
    }
  });
});
