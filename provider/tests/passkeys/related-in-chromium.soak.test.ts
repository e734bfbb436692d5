import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { chromium, type Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { findWholeBrowser } from '#scripts/lib/browsers.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { basic, makeProvider, PUBLIC_TOKEN } from '../kit/harness.ts';
import { tlsFront } from '../kit/tls-front.ts';

const browser = findWholeBrowser();
const DOMAIN = 'shop.example';
/** As many names as browsers accept at least (WebAuthn Level 3, section 5.11.1). */
const HOSTS = [DOMAIN, 'laden.test', 'tienda.test', 'magasin.test', 'negozio.test'];
const STRANGER = 'stranger.test';
const AUTHENTICATOR = {
  protocol: 'ctap2',
  ctap2Version: 'ctap2_1',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

// A whole browser for one test: what the provider accepts is tested without one in related-origins.test.ts.
describe.runIf(browser !== null)('a passkey in Chromium', () => {
  it('is made on one origin and logs in on the other four, of which the file of the domain tells; not elsewhere', async () => {
    const site = await serveSite();
    const open = await chromium.launch({ executablePath: browser ?? '', args: site.args });
    try {
      const page = await open.newPage();
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('WebAuthn.enable', { enableUI: false });
      await devtools.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR });
      const { session_token } = await site.provider.signIn('ada@example.com');
      await page.goto(`https://${HOSTS[1]}/`);
      expect(await ceremony(page, 'register', String(session_token))).toBe(200);
      const logins: Record<string, unknown> = {};
      for (const host of [...HOSTS, STRANGER]) {
        // oxlint-disable-next-line no-await-in-loop -- one page, one origin after the other
        await page.goto(`https://${host}/`);
        // oxlint-disable-next-line no-await-in-loop
        logins[host] = await ceremony(page, 'authenticate');
      }
      expect(logins).toEqual({ ...Object.fromEntries(HOSTS.map((host) => [host, 200])), [STRANGER]: 'SecurityError' });
      expect(site.asked()).toBeGreaterThan(0);
    } finally {
      await open.close();
      await site.close();
    }
  });
});

/** Registers a passkey of the domain, or logs in with it, on the open page: the status of the last call, or the browser's error. */
async function ceremony(page: Page, kind: 'register' | 'authenticate', session = PUBLIC_TOKEN): Promise<unknown> {
  const given = { kind, domain: DOMAIN, authorization: basic(PUBLIC_TOKEN, session) };
  return page.evaluate(async ({ kind: what, domain, authorization }) => {
    const call = async (path: string, body: object) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const reply = await fetch(`https://${domain}/sdk/v1/webauthn/${path}`, init);
      return { status: reply.status, data: ((await reply.json()) as { data?: Record<string, string> }).data };
    };
    const asking = { domain, return_passkey_credential_options: true };
    const isNew = what === 'register';
    const started = await call(isNew ? 'register/start' : 'authenticate/start/primary', asking);
    const field = `public_key_credential_${isNew ? 'creation' : 'request'}_options`;
    // The provider tells a stranger nothing; the browser would refuse it any options.
    const options = JSON.parse(started.data?.[field] ?? JSON.stringify({ challenge: 'AAAA', rpId: domain })) as never;
    try {
      const made = (await (isNew
        ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        : navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
          }))) as PublicKeyCredential;
      const public_key_credential = JSON.stringify(made.toJSON());
      return (await call(what, { public_key_credential, session_duration_minutes: 30 })).status;
    } catch (error) {
      return (error as Error).name;
    }
  }, given);
}

/** An empty page on each host, and the provider on the domain of the passkeys, all at https. */
async function serveSite() {
  const late: { listener?: ReturnType<typeof getRequestListener> } = {};
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Shop</title>');
      return;
    }
    if (request.url === '/.well-known/webauthn') asked += 1;
    void late.listener?.(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const front = await tlsFront((server.address() as AddressInfo).port, DOMAIN);
  const issuer = `https://${DOMAIN}`;
  const origins = [...HOSTS, STRANGER].map((host) => `https://${host}`);
  const project = projectFrom({
    issuer,
    origins: origins.slice(0, HOSTS.length),
    redirect_urls: [`${issuer}/`],
    default_login_redirect_url: `${issuer}/`,
    default_signup_redirect_url: `${issuer}/`,
    passkey_domain: DOMAIN,
  });
  const clock = { now: () => Date.now() };
  const provider = await makeProvider(undefined, { project, clock });
  late.listener = getRequestListener((request, env) => provider.app.fetch(request, env));
  const { publicKey } = new X509Certificate(await readFile(front.certificate));
  const spki = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
  const { port } = new URL(front.issuer);
  const rules = [...HOSTS, STRANGER].map((host) => `MAP ${host} 127.0.0.1:${port}`);
  return {
    provider,
    asked: () => asked,
    args: [`--ignore-certificate-errors-spki-list=${spki}`, `--host-resolver-rules=${rules.join(', ')}`],
    close: async () => {
      await front.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await provider.close();
    },
  };
}
