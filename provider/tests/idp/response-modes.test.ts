import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { chromium, type Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expressApp } from '#tests/clients/server-side.mjs';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { CALLBACK, challenge, ISSUER, makeApps, SETTINGS, type Apps } from '../kit/idp-harness.ts';
import { servedProvider, type ServedProvider } from '../kit/served-provider.ts';
import { listen, stop } from './oidcc/subject.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const NATIVE = 'com.example.app:/callback';
const HOSTILE = `"><script>alert(1)</script>&'`;
const QUERY = {
  client_id: 'planner',
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'openid',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  state: HOSTILE,
};

describe.each(EITHER_DATABASE)('the response mode of an authorization, on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    const native = { client_id: 'native', client_type: 'public', name: 'Native', redirect_uris: [NATIVE] };
    apps = await makeApps(url, { clients: [...SETTINGS.clients, { ...native, scopes: ['openid'] }] });
  });
  afterAll(() => apps.provider.close());

  const granted = async (fields: Fields): Promise<URL> => {
    const asked = await apps.arrive({ state: HOSTILE, code_challenge_method: 'S256', ...fields });
    const { data } = await apps.submit(asked);
    return new URL(String(data['redirect_uri']));
  };
  const page = async (address: URL, method = 'GET') => {
    const reply = await apps.provider.app.request(address, { method, headers: { accept: 'text/html' } });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  };
  /** The form of the page, read as a browser does. */
  const formIn = (text: string) => {
    const plain = (value: string): string =>
      value
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
    const inputs = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/gu)];
    return {
      action: /<form method="post" action="([^"]*)">/u.exec(text)?.[1],
      fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, plain(value)])),
    };
  };

  it('is the query unless the app asks for another', async () => {
    for (const response_mode of [undefined, 'query']) {
      const { search, hash } = await granted({ response_mode });
      expect([new URLSearchParams(search).has('code'), hash]).toEqual([true, '']);
    }
  });

  it('can be the fragment', async () => {
    const { origin, pathname, search, hash } = await granted({ response_mode: 'fragment' });
    const { code, ...rest } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
    expect([`${origin}${pathname}`, search, rest]).toEqual([CALLBACK, '', { state: HOSTILE, iss: ISSUER }]);
    expect((await apps.redeem({ code })).status).toBe(200);
  });

  it('can be a form that the browser posts', async () => {
    const address = await granted({ response_mode: 'form_post' });
    expect(`${address.origin}${address.pathname}`).toBe(`${ISSUER}/oauth2/form_post`);
    const { status, headers, text } = await page(address);
    expect([status, headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([200, 'no-store', 'origin']);
    expect(text.match(/<script/gu)).toHaveLength(1);
    const { action, fields } = formIn(text);
    expect([action, fields]).toEqual([CALLBACK, { code: expect.any(String), state: HOSTILE, iss: ISSUER }]);
    expect((await apps.redeem({ code: fields['code'] })).status).toBe(200);
  });

  it('is a form whose address is hardly longer than the request, of whose state nothing can be changed', async () => {
    const state = 's'.repeat(6_500);
    const address = await granted({ response_mode: 'form_post', state });
    const wrong = { ...QUERY, state, response_type: 'token', response_mode: 'form_post' };
    const { location } = await apps.visit('/authorize', wrong);
    for (const at of [address, location ?? address]) {
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      expect(formIn((await page(at)).text).fields['state']).toBe(state);
      // Proxies read a line of eight kilobytes.
      expect(at.href.length).toBeLessThan(7_500);
      for (const changed of [`${state}s`, '', null]) {
        const other = new URL(at);
        if (changed === null) other.searchParams.delete('state');
        else other.searchParams.set('state', changed);
        // oxlint-disable-next-line no-await-in-loop -- one page after the other
        expect((await page(other)).status).toBe(400);
      }
    }
  });

  it('is kept for a denial and for an error of the request', async () => {
    const asked = await apps.arrive({ state: HOSTILE, prompt: 'consent', response_mode: 'form_post' });
    const { data } = await apps.submit({ ...asked, consent_granted: false });
    const wrong = { ...QUERY, response_type: 'token', response_mode: 'form_post' };
    const { location } = await apps.visit('/authorize', wrong);
    const errors = await Promise.all(
      [String(data['redirect_uri']), location?.href ?? ''].map(
        async (at) => formIn((await page(new URL(at))).text).fields,
      ),
    );
    expect(errors).toMatchObject([
      { error: 'access_denied', state: HOSTILE, iss: ISSUER },
      { error: 'unsupported_response_type', state: HOSTILE, iss: ISSUER },
    ]);
    const inFragment = await apps.visit('/authorize', { ...wrong, response_mode: 'fragment' });
    expect(inFragment.location?.hash).toContain('error=unsupported_response_type');
  });

  it('is no form for the scheme of a program, and nothing that there is not', async () => {
    const native = { ...QUERY, client_id: 'native', redirect_uri: NATIVE, response_mode: 'form_post' };
    for (const fields of [native, { ...QUERY, response_mode: 'web_message' }]) {
      // oxlint-disable-next-line no-await-in-loop -- one visit after the other
      const { location } = await apps.visit('/authorize', fields);
      expect([location?.protocol, location?.searchParams.get('error')]).toEqual([
        new URL(fields.redirect_uri).protocol,
        'invalid_request',
      ]);
    }
  });

  it('posts nothing but what this server signed for it, and for two minutes', async () => {
    const address = await granted({ response_mode: 'form_post' });
    const answer = address.searchParams.get('answer') ?? '';
    const { authorization_request } = await apps.arrive();
    const at = (text: string): URL => new URL(`${ISSUER}/oauth2/form_post?answer=${encodeURIComponent(text)}`);
    for (const text of ['', 'x', `${answer}x`, String(authorization_request)]) {
      // oxlint-disable-next-line no-await-in-loop -- one visit after the other
      const { status, text: shown } = await page(at(text));
      expect([status, shown.includes('<form')]).toEqual([400, false]);
    }
    const swapped = await apps.submit({ ...(await apps.arrive()), authorization_request: answer });
    expect(swapped.body['error_type']).toBe('invalid_authorization_request');
    apps.provider.clock.time += 2 * MINUTE + 1_000;
    expect((await page(address)).status).toBe(400);
    expect((await page(address, 'PUT')).status).toBe(405);
  });
});

/** A form needs a browser. */
describe.runIf(existsSync(CHROMIUM))('an app that takes its answer by a form, in Chromium', () => {
  let op: ServedProvider;
  let server: Server;
  let browser: Browser;
  let origin: string;
  beforeAll(async () => {
    const site = await listen();
    ({ server } = site);
    ({ origin } = site.issuer);
    const secret = 'a secret of the client';
    op = await servedProvider(undefined, () => ({
      clients: [
        {
          client_id: 'express',
          client_type: 'confidential',
          client_secret_hash: tokenHash(secret),
          name: 'Express',
          redirect_uris: [`${origin}/callback`],
          scopes: ['openid', 'email', 'offline_access'],
          pkce_required: false,
        },
      ],
    }));
    const app = { issuer: op.issuer, client_id: 'express', client_secret: secret, origin, response_mode: 'form_post' };
    site.answer(expressApp(app));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([stop(server), op.close()]);
  });

  const signedIn = { sub: expect.any(String), email: 'edith@example.com', refreshed: true };

  it('express-openid-connect: signs in, and the page of the form is not in the history', async () => {
    const page = await browser.newPage();
    const posted = page.waitForRequest((request) => request.url() === `${origin}/callback`);
    await page.goto(`${origin}/login`);
    expect([(await posted).method(), (await posted).headers()['origin']]).toEqual(['POST', op.issuer]);
    await page.waitForURL(`${origin}/`);
    expect(JSON.parse(await page.locator('body').innerText())).toEqual(signedIn);
    await page.goBack();
    expect(page.url()).toBe('about:blank');
    await page.close();
  });

  it('without scripts: a button posts it', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/login`);
    const sheets = await page
      .locator('link[rel=stylesheet]')
      .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).sheet !== null));
    expect(sheets).toEqual([true]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${origin}/`);
    expect(JSON.parse(await page.locator('body').innerText())).toEqual(signedIn);
    await context.close();
  });
});
