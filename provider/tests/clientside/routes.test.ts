import { brotliDecompressSync } from 'node:zlib';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { basic, EITHER_DATABASE, type Fields, type Provider, PUBLIC_TOKEN, WITHOUT_PKCE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { soakIt } from '#tests/soak-tests.ts';

const ISSUER = 'https://auth.example.com';
const APP = 'https://app.example.com';
const START = '/sdk/v1/oauth/google/onetap/start';

describe.each(EITHER_DATABASE)('the page of client-side services on %s', (_, url) => {
  const provider = suiteProvider(url);

  /** The server as it runs on the internet, with one page. */
  const published = (fields: object = {}): Provider['app'] => {
    const project = projectFrom({
      issuer: ISSUER,
      origins: [APP],
      redirect_urls: [`${APP}/in`],
      default_login_redirect_url: `${APP}/in`,
      default_signup_redirect_url: `${APP}/in`,
      allow_loopback: false,
      ...WITHOUT_PKCE,
      ...fields,
    });
    const google = { google: { client_id: 'our-client', client_secret: 'our-secret' } };
    return createApp({
      ...provider.services,
      project: { ...project, oauth_clients: google },
      loopback: false,
      dev: false,
    });
  };
  const startFrom = (app: Provider['app'], origin: string, path = START): Promise<Response> =>
    Promise.resolve(
      app.request(`${ISSUER}${path}`, {
        method: 'POST',
        headers: { origin, authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' },
        body: JSON.stringify({ public_token: PUBLIC_TOKEN }),
      }),
    );

  it('can be framed by registered pages alone, and runs its own scripts alone', async () => {
    const page = await published().request(`${ISSUER}/clientside-services/index.html`);
    expect(page.status).toBe(200);
    const csp = page.headers.get('content-security-policy') ?? '';
    expect(csp).toContain(`frame-ancestors ${APP};`);
    expect(csp).toContain(`default-src 'none'; script-src 'self'; connect-src 'self';`);
    expect(csp).not.toContain('unsafe');
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style| on[a-z]+=| style=/u);
    const local = await provider.app.request('http://localhost/clientside-services/index.html');
    expect(local.headers.get('content-security-policy')).toContain('frame-ancestors http://localhost:*');
    const nowhere = await published({ origins: [] }).request(`${ISSUER}/clientside-services/index.html`);
    expect(nowhere.headers.get('content-security-policy')).toContain(`frame-ancestors 'none'`);
  });

  it('contains what its script needs, and no secret', async () => {
    const html = await (await published().request(`${ISSUER}/clientside-services/index.html`)).text();
    const settings = /data-settings="([^"]*)"/u.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '';
    expect(JSON.parse(settings)).toEqual({ origins: [APP], hosts: null, pkce: false });
    expect(html).not.toContain('our-secret');
    expect(html).not.toContain(PUBLIC_TOKEN);
  });

  it('starts One Tap from this server’s own origin, and nothing else', async () => {
    const app = published();
    const reply = await startFrom(app, ISSUER);
    expect(((await reply.json()) as Fields)['data']).toMatchObject({ google_client_id: 'our-client' });
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    expect((await startFrom(app, APP)).status).toBe(200);
    for (const path of [
      '/sdk/v1/oauth/attach',
      '/sdk/v1/sessions/authenticate',
      '/sdk/v1/otps/email/login_or_create',
    ]) {
      expect((await startFrom(app, ISSUER, path)).status).toBe(403);
    }
    for (const origin of ['https://evil.example', 'null', 'http://auth.example.com', `${ISSUER}:8443`]) {
      expect((await startFrom(app, origin)).status).toBe(403);
    }
  });

  soakIt('serves the telephone tables, compressed for browsers that can read that', async () => {
    const plain = await provider.app.request('http://localhost/clientside-services/phone-numbers.js');
    const text = await plain.text();
    const compressed = await provider.app.request('http://localhost/clientside-services/phone-numbers.js', {
      headers: { 'accept-encoding': 'gzip, deflate, br' },
    });
    expect(compressed.headers.get('content-encoding')).toBe('br');
    const bytes = Buffer.from(await compressed.arrayBuffer());
    expect(bytes.length).toBeLessThan(60_000);
    expect(brotliDecompressSync(bytes).toString()).toBe(text);
    for (const coding of ['gzip', 'br;q=0', 'br; q=0.0, gzip', 'brotli']) {
      const other = await provider.app.request('http://localhost/clientside-services/phone-numbers.js', {
        headers: { 'accept-encoding': coding },
      });
      expect(other.headers.get('content-encoding')).toBeNull();
    }
    const window: Fields = {};
    runInContext(text, createContext(Object.assign(window, { window })));
    expect(window['libphonenumber'].getExampleNumber('FR', window['phoneExamples']).number).toMatch(/^\+33\d{9}$/u);
  });

  it('has scripts that are small, and that use nothing from outside', async () => {
    const script = await (await provider.app.request('http://localhost/clientside-services/services.js')).text();
    expect(script.length).toBeLessThan(8_000);
    expect(script).not.toMatch(/import|require\(|__vite/u);
  });
});

describe.each(EITHER_DATABASE)('device telemetry on %s', (_, url) => {
  const provider = suiteProvider(url, { project: projectFrom({ dfp_protected_auth_enabled: true }) });

  const origin = 'http://localhost:3000';
  const submit = (body: object, headers: Record<string, string> = { origin }): Promise<Response> =>
    Promise.resolve(
      provider.app.request('http://localhost/submit', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    );
  const id = async (): Promise<string> =>
    ((await (await submit({ public_token: PUBLIC_TOKEN })).json()) as Fields)['telemetry_id'];

  it('answers registered pages with a new id each time, which protected calls accept', async () => {
    const script = await provider.app.request('http://localhost/telemetry.js');
    expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const reply = await submit({ public_token: PUBLIC_TOKEN });
    expect(reply.headers.get('access-control-allow-origin')).toBe(origin);
    const ids = [await id(), await id()];
    expect(new Set(ids).size).toBe(2);
    const [dfp_telemetry_id] = ids;
    const email = 'telemetry@example.com';
    const sent = await provider.post('/otps/email/login_or_create', { email, dfp_telemetry_id });
    expect(sent.status).toBe(200);
  });

  soakIt('stores and logs nothing of what it receives', async () => {
    const canary = 'canary-5b1f0e';
    const before = await rows(provider);
    const logged = provider.logged.length;
    const reply = await submit(
      { public_token: PUBLIC_TOKEN, fingerprint: canary },
      { origin, 'user-agent': canary, cookie: `a=${canary}` },
    );
    const { telemetry_id } = (await reply.json()) as Fields;
    expect(reply.headers.get('set-cookie')).toBeNull();
    expect(await rows(provider)).toEqual(before);
    const lines = provider.logged.slice(logged).join('\n');
    expect(lines).toContain('/submit');
    expect(lines).not.toContain(canary);
    expect(lines).not.toContain(telemetry_id);
  });

  it('refuses other projects and pages, and is not there where the project does not use it', async () => {
    expect((await submit({ public_token: 'public-token-test-other' })).status).toBe(401);
    expect((await submit({})).status).toBe(401);
    expect((await submit({ public_token: PUBLIC_TOKEN }, { origin: 'https://evil.example' })).status).toBe(403);
    const without = createApp({ ...provider.services, project: projectFrom({}), loopback: true });
    for (const [path, method] of [
      ['/telemetry.js', 'GET'],
      ['/submit', 'POST'],
    ] as const) {
      expect((await without.request(`http://localhost${path}`, { method })).status).toBe(404);
    }
  });

  it('gives ids that no check of --dev accepts, where the server runs for others', async () => {
    const app = createApp({ ...provider.services, loopback: false, dev: false });
    const reply = await app.request('http://localhost/submit', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ public_token: PUBLIC_TOKEN }),
    });
    expect(((await reply.json()) as Fields)['telemetry_id']).toMatch(/^telemetry-[\w-]{36}$/u);
  });
});

/** How many rows each table has. */
async function rows({ services }: Provider): Promise<Fields> {
  const tables = await services.db.introspection.getTables();
  const counts = tables.map(async ({ name }) => {
    const { count } = await services.db
      .selectFrom(name as 'users')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    return [name, Number(count)] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
