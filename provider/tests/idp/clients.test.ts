import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { ANY_DATABASE, EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { CALLBACK, makeApps, OFFLINE, SECRET, SETTINGS, withSecret, type Apps } from '../kit/idp-harness.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { soakIt } from '#tests/soak-tests.ts';

const ODD_SECRET = 'chosen+by/the=operator%';
const ODD = {
  client_id: 'odd',
  client_type: 'confidential',
  client_secret_hash: tokenHash(ODD_SECRET),
  name: 'Odd',
  redirect_uris: [CALLBACK],
};
const PATHS = ['/token', '/revoke', '/introspect'];

describe.each(EITHER_DATABASE)('a client on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url, { clients: [...SETTINGS.clients, ODD] });
  });
  afterAll(() => apps.provider.close());

  it.each<[string, Fields, Record<string, string>]>([
    ['nobody', {}, {}],
    ['somebody unknown', { client_id: 'nobody' }, {}],
    ['a confidential client without its secret', { client_id: 'server' }, {}],
    ['a confidential client with another secret', {}, withSecret('server', 'wrong')],
    ['a confidential client with no secret in its header', {}, withSecret('server', '')],
    ['a confidential client with another’s hash', { client_id: 'server', client_secret: 'x'.repeat(43) }, {}],
    ['a public client with a secret', { client_id: 'planner', client_secret: 'x' }, {}],
    ['a header that is no Basic one', {}, { authorization: 'Bearer x' }],
    ['a header that is not encoded', {}, { authorization: `Basic ${Buffer.from('%:%').toString('base64')}` }],
  ])('is not taken for %s (RFC 6749, section 5.2)', async (_kind, fields, headers) => {
    for (const path of PATHS) {
      const refused = await apps.form(path, { grant_type: 'refresh_token', token: 'x', ...fields }, headers);
      expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm=/u);
      expect(refused.headers.get('cache-control')).toBe('no-store');
    }
  });

  it.each<[string, Fields, Record<string, string>]>([
    ['in its header', {}, withSecret('planner', '')],
    ['in its form', { client_id: 'planner', client_secret: '' }, {}],
  ])('that is public can send an empty secret %s (RFC 6749, section 2.3.1)', async (_kind, fields, headers) => {
    const { body } = await apps.form('/token', { grant_type: 'refresh_token', refresh_token: 'x', ...fields }, headers);
    expect(body['error']).toBe('invalid_grant');
  });

  it('proves itself with a secret in its header, encoded or as it stands, as many clients send it', async () => {
    const token = { grant_type: 'refresh_token', refresh_token: 'x' };
    const raw = (secret: string) => ({ authorization: `Basic ${Buffer.from(`odd:${secret}`).toString('base64')}` });
    for (const headers of [withSecret('odd', ODD_SECRET), raw(ODD_SECRET)]) {
      expect((await apps.form('/token', token, headers)).body['error']).toBe('invalid_grant');
    }
    expect((await apps.form('/token', token, raw('%'))).body['error']).toBe('invalid_client');
  });

  it.each<[string, Fields, Record<string, string>, string]>([
    ['two ways of proving itself', { client_secret: SECRET }, withSecret('server', SECRET), 'invalid_request'],
    ['two names', { client_id: 'planner' }, withSecret('server', SECRET), 'invalid_request'],
    ['no grant type', { client_id: 'planner', grant_type: undefined }, {}, 'invalid_request'],
    ['a password', { client_id: 'planner', grant_type: 'password' }, {}, 'unsupported_grant_type'],
    [
      'its own credentials',
      { grant_type: 'client_credentials' },
      withSecret('server', SECRET),
      'unsupported_grant_type',
    ],
    ['no code', { client_id: 'planner' }, {}, 'invalid_request'],
  ])('gets no token for %s', async (_kind, fields, headers, error) => {
    const refused = await apps.form('/token', { grant_type: 'authorization_code', ...fields }, headers);
    expect(refused).toMatchObject({ status: 400, body: { error, error_description: expect.any(String) } });
  });

  it.each([
    ['text/plain', 'a=b', 400],
    ['application/json', '{}', 400],
    ['application/x-www-form-urlencoded', 'code=a&code=b', 400],
    ['application/x-www-form-urlencoded', `code=${'x'.repeat(70_000)}`, 413],
  ])('sends a form, each field once, and not too much: %s', async (type, body, status) => {
    const request = { method: 'POST', headers: { 'content-type': type }, body };
    expect((await apps.get('/oauth2/token', request)).status).toBe(status);
  });

  it('revokes an unknown token, which is answered with JSON, because some clients refuse any other reply', async () => {
    const { status, headers, body } = await apps.form('/revoke', { client_id: 'planner', token: 'x' });
    expect([status, headers.get('content-type'), body]).toEqual([200, 'application/json', {}]);
  });

  soakIt('revokes its own tokens only (RFC 7009)', async () => {
    const { access_token, refresh_token } = await apps.tokensFor();
    for (const token of [access_token, refresh_token]) {
      const refused = await apps.form('/revoke', { client_id: 'other', token });
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    }
    expect((await apps.form('/revoke', { client_id: 'planner' })).body['error']).toBe('invalid_request');
    const hint = { token_type_hint: 'refresh_token' };
    expect((await apps.form('/revoke', { client_id: 'planner', token: access_token, ...hint })).status).toBe(200);
    expect((await apps.userinfo(access_token)).status).toBe(401);
    expect((await apps.refresh(refresh_token)).status).toBe(200);
  });

  it('introspects only with a secret, and learns nothing of what is not its own (RFC 7662)', async () => {
    const { access_token, refresh_token } = await apps.tokensFor();
    const asPublic = await apps.form('/introspect', { client_id: 'planner', token: access_token });
    expect(asPublic).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    for (const token of [access_token, refresh_token, 'x']) {
      const seen = await apps.form('/introspect', { token }, withSecret('server', SECRET));
      expect(seen.body).toEqual({ active: false });
    }
  });

  it('gets a new secret from the operator; the old one is taken for another day', async () => {
    const works = async (secret: string) =>
      (await apps.form('/introspect', { token: 'x' }, withSecret('second', secret))).status === 200;
    const { token: first } = await administer(apps.provider.services, 'client-secret', { client: 'second' });
    expect([await works(first), await works(SECRET), await works('x')]).toEqual([true, true, false]);
    apps.provider.clock.time += 24 * 60 * MINUTE;
    expect([await works(first), await works(SECRET)]).toEqual([true, false]);
    const { token: next } = await administer(apps.provider.services, 'client-secret', { client: 'second' });
    expect([await works(next), await works(first), await works(SECRET)]).toEqual([true, true, false]);
    const kept = await apps.provider.services.db.selectFrom('oauth_client_secrets').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(next);
    expect(apps.provider.logged.join('\n')).not.toContain(next);
    for (const client of ['planner', 'nobody']) {
      await expect(administer(apps.provider.services, 'client-secret', { client })).rejects.toThrow();
    }
    await apps.signInAgain();
  });

  it('must send its secret at every refresh', async () => {
    const fields = { client_id: 'server', redirect_uri: CALLBACK, scopes: OFFLINE, code_challenge: undefined };
    const proof = withSecret('server', SECRET);
    const code = await apps.codeFor(fields);
    const { body } = await apps.redeem({ code, client_id: undefined, code_verifier: undefined }, proof);
    const again = await apps.refresh(body['refresh_token'], { client_id: undefined }, proof);
    expect(again.status).toBe(200);
    expect((await apps.refresh(again.body['refresh_token'], { client_id: 'server' })).status).toBe(401);
  });
});

describe('a project in production', () => {
  it('asks every time for a public app on loopback, which any program could pass itself off as', async () => {
    const there = 'https://login.example/';
    const apps = await makeApps(ANY_DATABASE, {
      allow_loopback: false,
      origins: ['https://login.example'],
      redirect_urls: [there],
      default_login_redirect_url: there,
      default_signup_redirect_url: there,
      idp: { authorization_url: 'https://login.example/authorize' },
    });
    const desktop = { client_id: 'desktop', redirect_uri: 'http://localhost:5000/callback' };
    for (const [fields, asks] of [
      [desktop, true],
      [{}, false],
    ] as const) {
      await apps.codeFor(fields);
      expect((await apps.start(fields)).data['consent_required']).toBe(asks);
    }
    const silent = await apps.submit({ ...desktop, prompt: 'none' });
    expect(silent.data['redirect_uri']).toContain('error=consent_required');
    await apps.provider.close();
  });
});
