import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { api } from '#application/api/index.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { as, BYE, makeApps, OFFLINE, REQUEST, SECRET, verifier, withSecret, type Apps } from '../kit/idp-harness.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';

const issuer = generateKeyPairSync('ed25519');
const PROFILE = {
  profile_id: 'p',
  issuer: 'https://issuer.example',
  audience: 'canary',
  public_key: issuer.publicKey.export({ format: 'pem', type: 'spki' }),
  email_domains: ['*'],
};
/** Method, the route's own name, status, time, the request's id and the type of the refusal: nothing that came with the request. */
const LINE =
  /^(?:GET|POST|PUT|DELETE|OPTIONS|PATCH) (?:\/[A-Za-z0-9_:./*-]*|\(no route\)) \d{3} \d+ms request-id-test-[0-9a-f-]{36}(?: refusal="[a-z_]+")?$/u;
const PASSKEY = { domain: 'localhost', return_passkey_credential_options: true };

describe.each(EITHER_DATABASE)('secrets of apps, devices and issuers, on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url, { trusted_auth_token_profiles: [PROFILE] });
  });
  afterAll(() => apps.provider.close());

  /** Everything below /oauth2 and what leads there, rightly and wrongly. @returns the secrets that were seen */
  async function useApps(): Promise<readonly string[]> {
    const { codeFor, redeem, refresh, form, get, userinfo, submit, signedIn, provider } = apps;
    const code = await codeFor({ scopes: OFFLINE, nonce: 'canary-nonce', state: 'canary-state' });
    const first = (await redeem({ code })).body;
    const second = (await refresh(first['refresh_token'])).body;
    const server = withSecret('server', SECRET);
    await form('/introspect', { token: second['access_token'] }, server);
    await form('/introspect', { token: 'canary-guess' }, withSecret('server', 'canary-secret'));
    await form('/token', {
      grant_type: 'refresh_token',
      client_id: 'server',
      client_secret: 'canary-secret',
      refresh_token: 'canary-guess',
    });
    await redeem({ code, code_verifier: `canary-${verifier}` });
    await userinfo(second['access_token']);
    await userinfo('canary-bearer');
    await get(`/oauth2/userinfo?access_token=${String(second['access_token'])}`);
    const third = (await redeem({ code: await codeFor({ scopes: OFFLINE }) })).body;
    await form('/revoke', { token: third['refresh_token'], client_id: 'planner' });
    const bye = { client_id: 'planner', post_logout_redirect_uri: BYE, id_token_hint: third['id_token'] };
    await provider.post('/idp/oauth/logout/start', bye, as(signedIn.user));
    await provider.post('/oauth/logout/start', bye, as(signedIn.user));
    await submit({ scopes: ['openid'], consent_granted: false, state: 'canary-state' });
    const exchange = { access_token: second['access_token'], session_duration_minutes: 5 };
    await provider.post('/sessions/exchange_access_token', exchange);
    const secret = (await administer(provider.services, 'client-secret', { client: 'server' })).token;
    await form('/introspect', { token: 'x' }, withSecret('server', secret));
    const tokens = [first, second, third].flatMap((each) => [
      each['access_token'],
      each['refresh_token'],
      each['id_token'],
    ]);
    return [code, ...tokens, SECRET, secret, verifier] as string[];
  }

  /** What is signed is no secret; what signs it is used once. */
  async function useDevices(): Promise<{ readonly asked: readonly string[]; readonly secrets: readonly string[] }> {
    const { provider, signedIn } = apps;
    const session = as(signedIn.user);
    const key = new SoftwareAuthenticator();
    const asked = (await provider.post('/webauthn/register/start', PASSKEY, session)).data;
    const creation = JSON.parse(asked['public_key_credential_creation_options']) as Fields;
    await provider.post('/webauthn/register', { public_key_credential: key.create(creation) }, session);
    const got = (await provider.post('/webauthn/authenticate/start/primary', PASSKEY)).data;
    const request = JSON.parse(got['public_key_credential_request_options']) as Fields;
    const credential = key.get(request);
    await provider.post('/webauthn/authenticate', { public_key_credential: credential, session_duration_minutes: 5 });
    const wallet = { crypto_wallet_type: 'ethereum', crypto_wallet_address: `0x${'ab'.repeat(20)}` };
    const challenge = (await provider.post('/crypto_wallets/authenticate/start/primary', wallet)).data['challenge'];
    const signature = `0x${'c0ffee'.repeat(21)}c0ff1b`;
    await provider.post('/crypto_wallets/authenticate', { ...wallet, signature, session_duration_minutes: 5 });
    const parts = (JSON.parse(credential) as Fields)['response'] as Fields;
    const nonce = /Nonce: (\w+)/u.exec(challenge)?.[1] ?? '';
    return { asked: [creation['challenge'], request['challenge'], nonce], secrets: [parts['signature'], signature] };
  }

  async function useIssuers(): Promise<readonly string[]> {
    const { provider } = apps;
    const now = Math.floor(provider.clock.time / 1000);
    const token = await new SignJWT({ email: 'iss@example.com', jti: randomUUID() })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setIssuer(PROFILE.issuer)
      .setAudience(PROFILE.audience)
      .setIssuedAt(now)
      .setExpirationTime(now + 300)
      .sign(issuer.privateKey);
    const attested = (await provider.post('/sessions/attest', { profile_id: 'p', token })).data;
    await provider.post('/sessions/attest', { profile_id: 'p', token: `${token}canary` });
    const { token: acting } = await administer(provider.services, 'impersonate', {
      user: 'iss@example.com',
      by: 'op',
    });
    const acted = (await provider.post('/impersonation/authenticate', { impersonation_token: acting })).data;
    return [
      token,
      acting,
      attested['session_token'],
      attested['session_jwt'],
      acted['session_token'],
      acted['session_jwt'],
    ];
  }

  it('are in no log line and in no table', async () => {
    const devices = await useDevices();
    // A new factor is a new token: the one before is worth nothing.
    await apps.signInAgain();
    const secrets = [...(await useApps()), ...devices.secrets, ...(await useIssuers())];
    expect(secrets.every((secret) => typeof secret === 'string' && secret.length > 15)).toBe(true);
    const tables = await sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_name <> 'outbox'`.execute(apps.provider.services.db);
    let dump = '';
    for (const { name } of tables.rows) {
      const rows = await sql`select t::text as row from ${sql.table(name)} t`.execute(apps.provider.services.db);
      dump += JSON.stringify(rows.rows);
    }
    const log = apps.provider.logged.join('\n');
    for (const route of [
      'POST /oauth2/token 200',
      'POST /oauth2/introspect 401',
      'POST /sdk/v1/webauthn/authenticate 200',
    ]) {
      expect(log).toContain(route);
    }
    for (const secret of [...secrets, ...devices.asked]) expect(log).not.toContain(secret);
    expect(log).not.toMatch(/canary|example/u);
    for (const secret of secrets) expect(dump).not.toContain(secret);
    expect(dump).not.toMatch(/canary-(?:secret|guess|bearer|state)/u);
  });

  it('every log line consists of the route’s own name, without the content of a request', async () => {
    const { provider } = apps;
    const before = provider.logged.length;
    const canary = 'canary-4711';
    for (const endpoints of Object.values(api)) {
      for (const { method, path } of Object.values(endpoints)) {
        const at = path.replaceAll(/:\w+/gu, canary);
        const extras = { session: canary, headers: { 'user-agent': canary, referer: `https://${canary}.example/` } };
        const body =
          method === 'GET' || method === 'DELETE'
            ? undefined
            : { token: canary, email: `${canary}@example.com`, code_verifier: canary };
        await provider.call(method, `${at}?token=${canary}`, body, extras);
      }
    }
    for (const path of [
      `/${canary}`,
      `/sdk/v1/${canary}`,
      `/oauth2/${canary}`,
      `/accounts/${canary}`,
      `/errors/${canary}`,
      `/dev/${canary}`,
      `/admin/${canary}`,
      `/v1/public/oauth/${canary}/start?public_token=${canary}`,
      `/.well-known/${canary}`,
      `/sdk/v1/sessions/jwks/${canary}`,
    ]) {
      await provider.app.request(path, { headers: { cookie: canary, authorization: `Bearer ${canary}` } });
    }
    const lines = provider.logged.slice(before);
    expect(lines.length).toBeGreaterThan(60);
    expect(lines.filter((line) => !LINE.test(line) || line.includes(canary))).toEqual([]);
  });

  it('a refusal does not repeat the parameters of the request', async () => {
    const { body } = await apps.submit({ redirect_uri: 'https://canary.example/cb' });
    expect(JSON.stringify(body)).not.toContain('canary');
    const refused = await apps.token({ ...REQUEST, grant_type: 'authorization_code', code: 'canary-code' });
    expect(JSON.stringify(refused.body)).not.toContain('canary');
  });
});
