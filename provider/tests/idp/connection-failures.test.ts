import { describe, expect, it } from 'vitest';
import { listFailures } from '#provider/apps/idp/failures/connection-failures.ts';
import { AGENT_CALLBACK } from '../kit/document-host.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { CALLBACK, ISSUER, REQUEST, SECRET, verifier, withSecret } from '../kit/idp-harness.ts';
import { FILES, MAIL } from '../kit/resource-steps.ts';
import { QUERY, failureSteps } from './failure-steps.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('failed connections, on %s', (_, url) => {
  const world = failureSteps(url);
  const { register, steps, failure } = world;

  it.each<[string, Fields, Fields]>([
    [
      'redirect',
      { redirect_uri: `${CALLBACK}/` },
      { name: 'redirect', expected: [CALLBACK], source: 'RFC 9700, section 2.1', error: 'invalid_redirect_uri' },
    ],
    [
      'resource',
      { resource: `${FILES}/` },
      {
        name: 'resource',
        expected: [FILES, MAIL, expect.stringContaining(ISSUER)],
        source: 'RFC 8707, section 2',
        error: 'invalid_target',
      },
    ],
    ['client', { client_id: 'nobody' }, { name: 'client', error: 'connected_app_not_found' }],
    [
      'PKCE',
      { code_challenge: undefined },
      { name: 'proof_key', source: 'RFC 7636, section 4.2', error: 'pkce_code_challenge_required' },
    ],
    ['request', { response_type: 'token' }, { name: 'request', error: 'unsupported_response_type' }],
    ['request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, { name: 'request_object' }],
  ])(
    'the authorization endpoint records the %s: what was sent, what was expected, and the rule',
    async (_w, sent, told) => {
      await world.apps.visit('/authorize', { ...QUERY, ...sent });
      const found = await failure();
      expect(found).toMatchObject({
        ...told,
        step: 'authorization endpoint',
        client_id: sent['client_id'] ?? 'planner',
      });
      for (const [name, value] of Object.entries(sent)) {
        if (name === 'client_id') continue;
        const isHidden = name === 'request';
        expect((found['sent'] as Fields)[name]).toBe(
          value === undefined ? '(absent)' : isHidden ? `(${String(value).length} characters, not stored)` : value,
        );
      }
    },
  );

  it('a request for scopes of which the app may have none is recorded with those that it may', async () => {
    const { body } = await register({ redirect_uris: [AGENT_CALLBACK], token_endpoint_auth_method: 'none' });
    const client_id = String(body['client_id']);
    await world.apps.visit('/authorize', { ...QUERY, client_id, redirect_uri: AGENT_CALLBACK, scope: 'write' });
    expect(await failure()).toMatchObject({
      name: 'scope',
      expected: ['openid', 'email'],
      sent: { scope: 'write' },
      source: 'RFC 6749, section 3.3',
      client_id,
    });
  });

  it('a metadata document that is wrong, and a registration, are recorded with the reason', async () => {
    const client_id = world.host.publish('/wrong.json', { client_id: 'https://elsewhere.example/' });
    await world.apps.visit('/authorize', { ...QUERY, client_id });
    expect(await failure()).toMatchObject({
      name: 'metadata_document',
      client_id,
      message: 'client_id in the document of the app is not its address.',
      source: 'draft-ietf-oauth-client-id-metadata-document',
    });
    await world.apps.provider.services.db.deleteFrom('connection_failures').execute();
    await register({ redirect_uris: ['http://app.example/?token=seekrit'], token_endpoint_auth_method: 'none' });
    expect(await failure()).toMatchObject({
      step: 'registration endpoint',
      name: 'registered_redirect',
      sent: { redirect_uris: 'http://app.example/?token=…', token_endpoint_auth_method: 'none' },
    });
    await world.apps.provider.services.db.deleteFrom('connection_failures').execute();
    await register({ redirect_uris: [AGENT_CALLBACK], grant_types: ['password'] });
    expect(await failure()).toMatchObject({ name: 'client_metadata', sent: { grant_types: 'password' } });
  });

  it('the token endpoint records what its answer hides: the redirect URI, the verifier and the client of a code', async () => {
    const code = await world.apps.codeFor();
    const wrong = await world.apps.redeem({ code, redirect_uri: `${CALLBACK}?a=seekrit` });
    expect(wrong.body['error_description']).not.toContain(CALLBACK);
    expect(await failure()).toMatchObject({
      step: 'token endpoint',
      name: 'redirect_of_code',
      message: expect.stringContaining(`The authorization request had ${CALLBACK}.`),
      sent: { redirect_uri: `${CALLBACK}?a=…`, grant_type: 'authorization_code' },
    });
    await world.apps.provider.services.db.deleteFrom('connection_failures').execute();
    await world.apps.redeem({ code, code_verifier: `${verifier}x` });
    expect(await failure()).toMatchObject({ name: 'verifier', source: 'RFC 7636, section 4.6' });
    await world.apps.provider.services.db.deleteFrom('connection_failures').execute();
    await world.apps.redeem({ code, client_id: 'other' });
    expect(await failure()).toMatchObject({
      message: expect.stringContaining('of another client'),
      client_id: 'other',
    });
    await world.apps.provider.services.db.deleteFrom('connection_failures').execute();
    await world.apps.redeem({ code, client_id: undefined }, withSecret('server', 'a wrong secret'));
    expect(await failure()).toMatchObject({
      name: 'client_authentication',
      client_id: 'server',
      sent: { token_endpoint_auth_method: 'client_secret_basic' },
      expected: ['the secret, by client_secret_basic or client_secret_post'],
    });
  });

  soakIt(
    'a token for another API is recorded where it is presented: at userinfo, and by an API that asks',
    async () => {
      const { access_token } = (await steps.redeem(await steps.allow([FILES]))).body;
      expect((await world.apps.userinfo(access_token)).status).toBe(401);
      expect(await failure()).toMatchObject({
        step: 'userinfo endpoint',
        name: 'audience',
        sent: { 'aud of the token': FILES, 'client_id of the token': 'planner' },
        expected: [expect.stringContaining(ISSUER)],
        source: 'RFC 9068, section 4',
      });
      await world.apps.provider.services.db.deleteFrom('connection_failures').execute();
      const other = (await steps.redeem(await steps.allow([MAIL], 'openid'))).body['access_token'];
      const asked = await world.apps.form('/introspect', { token: other }, withSecret('server', SECRET));
      expect(asked.body).toEqual({ active: false });
      expect(await failure()).toMatchObject({
        step: 'introspection endpoint',
        name: 'audience',
        client_id: 'server',
        sent: { 'aud of the token': MAIL },
        expected: ['tokens of server', FILES],
      });
    },
  );

  it('records what the page refuses, and a pushed request', async () => {
    await world.apps.start({ redirect_uri: 'https://evil.example/' });
    expect(await failure()).toMatchObject({ step: 'consent page', name: 'redirect', expected: [CALLBACK] });
    await world.apps.provider.services.db.deleteFrom('connection_failures').execute();
    await world.apps.form('/par', { ...QUERY, redirect_uri: 'https://evil.example/' });
    expect(await failure()).toMatchObject({ step: 'pushed request endpoint', name: 'redirect', expected: [CALLBACK] });
  });

  it('records nothing of what goes well, of what a user decides, and of usual answers of a protocol', async () => {
    const { refresh_token } = await world.apps.tokensFor();
    await world.apps.refresh(refresh_token);
    await world.apps.submit({ consent_granted: false });
    await world.apps.visit('/authorize', { ...QUERY, prompt: 'none' });
    await world.apps.provider.post('/idp/oauth/authorize/start', REQUEST);
    await world.apps.submit({ prompt: 'none', scopes: ['openid', 'phone'] });
    await world.apps.form('/introspect', { token: 'x' }, withSecret('server', SECRET));
    await world.apps.get('/oauth2/userinfo');
    expect((await world.apps.get('/dev/connections.json')).body).toEqual([]);
  });

  it('stores no secret, code, token or hint, wherever the app puts it', async () => {
    const secret = 'seekrit0123456789';
    const redirect_uri = `https://${secret}:${secret}@evil.example/cb?state=${secret}&${secret}#${secret}`;
    const hidden = Object.fromEntries(
      ['state', 'nonce', 'login_hint', 'id_token_hint', 'code', 'code_challenge', 'request'].map((name) => [
        name,
        secret,
      ]),
    );
    await world.apps.visit('/authorize', { ...QUERY, ...hidden, redirect_uri, resource: `${FILES}?token=${secret}` });
    const grant = { client_secret: secret, refresh_token: secret, device_code: secret, code: secret, token: secret };
    for (const grant_type of [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
      'x',
    ]) {
      await world.apps.form('/token', {
        client_id: 'planner',
        grant_type,
        code_verifier: secret,
        ...grant,
        redirect_uri,
      });
    }
    await world.apps.form(
      '/token',
      { grant_type: 'refresh_token', ...grant, client_secret: undefined },
      withSecret('server', secret),
    );
    await world.apps.form('/par', { ...QUERY, ...hidden, redirect_uri });
    await register(
      { redirect_uris: [redirect_uri], client_secret: secret, contacts: [secret], logo_uri: secret },
      secret,
    );
    await world.apps.userinfo(secret);
    const { failures } = await listFailures(world.apps.provider.services, { limit: 100 });
    expect(failures.length).toBeGreaterThan(5);
    expect(JSON.stringify(failures)).not.toContain(secret);
    expect(JSON.stringify(failures)).toContain('https://…@evil.example/cb?state=…&…#…');
  });
});
