import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { as, makeApps, verifier, type Apps } from '../kit/idp-harness.ts';
import { registrar } from '../kit/registrar.ts';

const SITE = 'https://phishing.example/login';
const SCHEME = 'com.example.helper:/callback';
const LOOPBACK = 'http://127.0.0.1:8123/callback';

/** Anybody can register an agent. A link to this server must not lead people to its site before they decided anything. */
describe.each(EITHER_DATABASE)('an agent that registered itself to lead people to its site, on %s', (_, url) => {
  let apps: Apps;
  const { register, at } = registrar(() => apps.provider);
  beforeAll(async () => {
    apps = await makeApps(url, { agents: { registration: 'open' } });
  });
  afterAll(() => apps.provider.close());

  /** What an agent at a port of this machine gets from the user. */
  const tokensOf = async (client_id: string): Promise<Fields> => {
    const request = { client_id, redirect_uri: LOOPBACK, response_type: 'code', scope: 'openid' };
    const { data } = await apps.submit(await apps.arrive(request));
    const code = data['authorization_code'];
    return (await apps.redeem({ code, client_id, redirect_uri: LOOPBACK, code_verifier: verifier })).body;
  };
  const registered = async (): Promise<Fields> => {
    const metadata = { redirect_uris: [SITE, LOOPBACK], token_endpoint_auth_method: 'none' };
    const { client_id } = (await register(metadata)).body;
    return { client_id, redirect_uri: SITE, response_type: 'code', code_challenge: 'x'.repeat(43) };
  };
  const WRONG = [
    { response_type: 'token' },
    { scope: 'no-such-scope' },
    { scope: 'full_access' },
    { prompt: 'never' },
    { prompt: 'none login' },
    { request: 'a.b.c' },
    { code_challenge: undefined },
    { resource: 'https://unknown.example' },
    { claims: '{' },
    { claims: '{"id_token":{"visit:phishing.example":1}}' },
    { id_token_hint: 'a.b.c' },
  ];

  it('does not by a wrong request: a person reads the reason', async () => {
    const agent = await registered();
    for (const wrong of WRONG) {
      const { status, location, text } = await apps.visit('/authorize', { ...agent, ...wrong });
      expect([wrong, status, location]).toEqual([wrong, 400, null]);
      expect(text).toContain('The app cannot sign you in');
      expect(text).not.toContain('phishing.example');
    }
  });

  it('does not by a request that wants no question, but once the user let it in', async () => {
    const { code_challenge: __, ...agent } = await registered();
    const silent = await apps.arrive({ ...agent, prompt: 'none' });
    const { provider, signedIn } = apps;
    const unknown = await provider.post('/idp/oauth/authorize/submit', { ...silent, consent_granted: false });
    const asked = await apps.submit({ ...silent, consent_granted: false });
    for (const { status, body } of [unknown, asked]) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(body)).not.toContain('phishing.example');
    }
    await apps.submit(await apps.arrive(agent), signedIn.user);
    const more = await apps.arrive({ ...agent, scopes: ['openid', 'email'], prompt: 'none' });
    const { data } = await apps.submit({ ...more, consent_granted: false });
    expect(String(data['redirect_uri'])).toMatch(/^https:\/\/phishing\.example\/login\?error=consent_required/u);
  });

  it('does not by other addresses than those that the user let in', async () => {
    const metadata = { token_endpoint_auth_method: 'none', redirect_uris: ['https://helper.example/callback'] };
    const made = (await register(metadata)).body;
    const { client_id } = made;
    const request = { client_id, response_type: 'code' };
    await apps.submit(await apps.arrive({ ...request, redirect_uri: metadata.redirect_uris[0] }));
    apps.provider.clock.time += MINUTE;
    await apps.signInAgain();
    expect((await at(made)('PUT', { client_id, ...metadata, redirect_uris: [SITE] })).status).toBe(200);
    const silent = await apps.arrive({ ...request, redirect_uri: SITE, prompt: 'none' });
    const { status, body } = await apps.submit({ ...silent, consent_granted: false });
    expect([status, body['error_type']]).toEqual([403, 'consent_required']);
    expect(JSON.stringify(body)).not.toContain('phishing.example');
  });

  it('gets its errors where it is a program of the person’s machine, or an operator approved it', async () => {
    const agent = await registered();
    const wrong = { ...agent, response_type: 'token' };
    const here = await apps.visit('/authorize', { ...wrong, redirect_uri: LOOPBACK });
    expect(here.location?.href).toMatch(/^http:\/\/127\.0\.0\.1:8123\/callback\?error=unsupported_response_type/u);
    const metadata = { redirect_uris: [SCHEME], token_endpoint_auth_method: 'none' };
    const { client_id } = (await register(metadata)).body;
    const native = await apps.visit('/authorize', { ...wrong, client_id, redirect_uri: SCHEME });
    expect(native.location?.href).toMatch(/^com\.example\.helper:\/callback\?error=unsupported_response_type/u);
    const { db } = apps.provider.services;
    const one = db.updateTable('agents').where('client_id', '=', String(agent['client_id']));
    await one.set({ approval: 'approved' }).execute();
    expect((await apps.visit('/authorize', wrong)).location?.origin).toBe('https://phishing.example');
  });

  it('does not by a logout, also of somebody who let it in, before an operator approved it', async () => {
    const metadata = { redirect_uris: [LOOPBACK], token_endpoint_auth_method: 'none' };
    const addresses = [SITE, LOOPBACK, SCHEME];
    const { client_id } = (await register({ ...metadata, post_logout_redirect_uris: addresses })).body;
    const { access_token: _, id_token } = await tokensOf(String(client_id));
    const { db } = apps.provider.services;
    const one = db.updateTable('agents').where('client_id', '=', String(client_id));
    for (const isApproved of [false, true]) {
      await one.set({ approval: isApproved ? 'approved' : null }).execute();
      for (const uri of addresses) {
        for (const hint of [{}, { id_token_hint: id_token }]) {
          const query = { client_id, post_logout_redirect_uri: uri, ...hint };
          const page = await apps.visit('/logout', query);
          const asked = await apps.provider.post('/oauth/logout/start', query, as(apps.signedIn.user));
          const isLed = isApproved || uri !== SITE;
          expect([page.status, page.location?.searchParams.get('post_logout_redirect_uri')]).toEqual([
            303,
            isLed ? uri : '',
          ]);
          expect([asked.status, asked.data['redirect_uri']]).toEqual([200, isLed ? uri : '']);
        }
      }
    }
  });

  it.each([
    ['https://helper.example/callback', 'helper.example'],
    ['com.example.helper://accounts.bank.example/callback', 'com.example.helper:'],
    ['cursor://accounts.bank.example/callback', 'cursor:'],
    [LOOPBACK, '127.0.0.1:8123'],
  ])('is called by what its address leads to, not by the host that it wrote there: %s', async (redirect_uri, name) => {
    const metadata = { redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' };
    const { client_id } = (await register(metadata)).body;
    const { data } = await apps.start(await apps.arrive({ client_id, redirect_uri, response_type: 'code' }));
    expect(data['client'].client_name).toBe(name);
  });

  it.each(Array.from('.․。．｡ꓸ܁܂٠۰꘎𐩐𝅭·•∙⋅・'))('is not called by a site whose dots are %s', async (dot) => {
    const client_name = `bank${dot}example`;
    const metadata = { client_name, redirect_uris: [SITE], token_endpoint_auth_method: 'none' };
    const { client_id } = (await register(metadata)).body;
    const { data } = await apps.start(await apps.arrive({ client_id, redirect_uri: SITE, response_type: 'code' }));
    expect(data['client'].client_name).toBe('phishing.example');
  });

  it.each(Array.from('\u2006\u2008\u2009\u200a\u202f'))(
    'is not called by a site with a thin space in it',
    async (space) => {
      for (const client_name of [`bank${space}.example`, `bank.${space}example`, `ba${space}nk.exam${space}ple`]) {
        const metadata = { client_name, redirect_uris: [SITE], token_endpoint_auth_method: 'none' };
        const { client_id } = (await register(metadata)).body;
        const { data } = await apps.start(await apps.arrive({ client_id, redirect_uri: SITE, response_type: 'code' }));
        expect(data['client'].client_name).toBe('phishing.example');
      }
    },
  );

  it.each(['Paral·lel', 'ジョン・スミス', 'Dr. Watson'])('may have a name with dots: %s', async (client_name) => {
    const metadata = { client_name, redirect_uris: [SITE], token_endpoint_auth_method: 'none' };
    const { client_id } = (await register(metadata)).body;
    const { data } = await apps.start(await apps.arrive({ client_id, redirect_uri: SITE, response_type: 'code' }));
    expect(data['client'].client_name).toBe(client_name);
  });

  it.each([
    ['redirect_uris', [SITE, LOOPBACK]],
    ['client_name', 'Bank'],
    ['logo_uri', 'https://bank.example/logo.png'],
    ['client_uri', 'https://bank.example/'],
    ['tos_uri', 'https://bank.example/terms'],
    ['policy_uri', 'https://bank.example/privacy'],
    ['post_logout_redirect_uris', [SITE]],
  ])('is approved no longer when it changes %s', async (field, value) => {
    const metadata = { redirect_uris: [LOOPBACK], token_endpoint_auth_method: 'none' };
    const made = (await register(metadata)).body;
    const client_id = String(made['client_id']);
    const { db } = apps.provider.services;
    await db.updateTable('agents').where('client_id', '=', client_id).set({ approval: 'approved' }).execute();
    const approval = async () =>
      (await db.selectFrom('agents').select('approval').where('client_id', '=', client_id).executeTakeFirstOrThrow())
        .approval;
    expect((await at(made)('PUT', { client_id, ...metadata, software_version: '2' })).status).toBe(200);
    expect(await approval()).toBe('approved');
    expect((await at(made)('PUT', { client_id, ...metadata, [field]: value })).status).toBe(200);
    expect(await approval()).toBeNull();
  });

  it('has no form posted to a page of this site, before an operator approved it', async () => {
    const page = 'https://app.example.com/api/transfer?to=thief';
    const metadata = { redirect_uris: [page, LOOPBACK], token_endpoint_auth_method: 'none' };
    const { client_id } = (await register(metadata)).body;
    const asked = { client_id, redirect_uri: page, response_type: 'code', state: 'amount=100' };
    const challenged = { ...asked, code_challenge: 'x'.repeat(43), response_mode: 'form_post' };
    const person = await apps.visit('/authorize', challenged);
    expect([person.status, person.location]).toEqual([400, null]);
    const program = await apps.visit('/authorize', { ...challenged, redirect_uri: LOOPBACK });
    expect(program.location?.href).toMatch(/^http:\/\/127\.0\.0\.1:8123\/callback\?error=invalid_request/u);
    const one = apps.provider.services.db.updateTable('agents').where('client_id', '=', String(client_id));
    await one.set({ approval: 'approved' }).execute();
    const signed = await apps.arrive({ ...asked, response_mode: 'form_post' });
    const decided = async (consent_granted: boolean) =>
      String((await apps.submit({ ...signed, consent_granted })).data['redirect_uri']);
    expect(await decided(false)).toContain('/oauth2/form_post?answer=');
    // The approval ends while the person reads the page.
    await one.set({ approval: null }).execute();
    const answers = [await decided(false), await decided(true)];
    for (const answer of answers) expect(answer.startsWith(`${page}&`)).toBe(true);
  });
});
