import { describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { passkeySteps } from '../kit/passkey-steps.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';

const ID = 'abcdefghijklmnopabcdefghijklmnop';
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const CHROMIUM = `chrome-extension://${ID}`;
const FIREFOX = `moz-extension://${UUID}`;
const SETTINGS = {
  origins: ['https://app.example.com', CHROMIUM, FIREFOX],
  allow_loopback: true,
  pkce_required_for_email_magic_links: false,
};
const SEND = '/otps/email/login_or_create';

/** What no extension sends, or another one does. */
const OTHERS = [
  'null',
  'chrome-extension://*',
  'chrome-extension://',
  'moz-extension://*',
  `chrome-extension://${'p'.repeat(32)}`,
  `chrome-extension://${ID.toUpperCase()}`,
  `CHROME-EXTENSION://${ID}`,
  `${CHROMIUM}/`,
  `${CHROMIUM}/popup.html`,
  `${CHROMIUM}:443`,
  `${CHROMIUM}.example.com`,
  `chrome-extension://x@${ID}`,
  `chrome-extension://${ID.slice(1)}`,
  `chrome-extension://${ID}a`,
  `chrome-extension://${UUID}`,
  `moz-extension://${ID}`,
  `moz-extension://${UUID.toUpperCase()}`,
  `moz-extension://${UUID.replaceAll('-', '')}`,
  `safari-web-extension://${UUID}`,
  `https://${ID}`,
  `http://${ID}`,
];

describe.each(EITHER_DATABASE)('a registered extension, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: projectFrom(SETTINGS) });
  const send = async (origin: string, fields: object = {}) =>
    provider.call('POST', SEND, { email: 'ada@example.com', ...fields }, { headers: { origin } });

  it.each([CHROMIUM, FIREFOX])('%s may call the API, and read the reply', async (origin) => {
    const headers = { origin, 'access-control-request-method': 'POST' };
    const preflight = await provider.app.request(`/sdk/v1${SEND}`, { method: 'OPTIONS', headers });
    const reply = await send(origin);
    expect([preflight.status, reply.status]).toEqual([204, 200]);
    for (const each of [preflight, reply]) expect(each.headers.get('access-control-allow-origin')).toBe(origin);
  });

  it.each(OTHERS)('admits no page with the origin %s', async (origin) => {
    const { status, body, headers } = await send(origin);
    expect([status, body['error_type']]).toEqual([403, 'unregistered_origin']);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('is no site of passkeys', async () => {
    const { signIn, creation, register } = passkeySteps(() => provider);
    const { session_token } = await signIn();
    const start = await provider.post('/webauthn/register/start', { domain: ID }, { session: session_token });
    expect(start.body['error_type']).toBe('invalid_domain');
    const domain = { domain: 'app.example.com' };
    const made = new SoftwareAuthenticator().create(await creation(session_token, domain), { origin: CHROMIUM });
    expect((await register(made, session_token)).body['error_type']).toBe('webauthn_verification_failed');
  });

  it('is no site that fills in codes', async () => {
    await send(CHROMIUM);
    const message = await provider.newest('ada@example.com');
    expect(message?.code).toMatch(/^\d{6}$/u);
    expect(JSON.stringify(message)).not.toContain(ID);
  });

  it('is no site of wallets', async () => {
    const wallet = {
      crypto_wallet_type: 'ethereum',
      crypto_wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    };
    const path = '/crypto_wallets/authenticate/start/primary';
    const reply = await provider.call('POST', path, wallet, { headers: { origin: CHROMIUM } });
    expect(reply.body['error_type']).toBe('invalid_siwe_params');
  });

  it('is no target of links, and frames no page of the provider', async () => {
    const link = { email: 'ada@example.com', login_magic_link_url: `${CHROMIUM}/login.html` };
    const sent = await provider.call('POST', '/magic_links/email/login_or_create', link, {
      headers: { origin: CHROMIUM },
    });
    expect(sent.body['error_type']).toBe('no_match_for_provided_magic_link_url');
    const page = await provider.app.request('/clientside-services/index.html');
    expect(page.headers.get('content-security-policy')).toContain('https://app.example.com');
    expect(`${page.headers.get('content-security-policy')}${await page.text()}`).not.toContain('extension://');
  });
});

describe('a project file', () => {
  it.each(OTHERS.filter((origin) => !/^https?:|p{32}/u.test(origin)))('registers no %s', (origin) => {
    expect(() => projectFrom({ origins: [origin] })).toThrow(/origins\[0\]/u);
  });

  it.each([
    [{ redirect_urls: [`${CHROMIUM}/login.html`] }, /redirect_urls\[0\]/u],
    [{ issuer: CHROMIUM }, /issuer/u],
    [{ ...SETTINGS, passkey_domain: ID }, /passkey_domain/u],
    [
      {
        ...SETTINGS,
        issuer: 'https://auth.example.com',
        session_cookies: { http_only: true, domain: 'example.com' },
      },
      /origins\[1\]/u,
    ],
  ])('names no extension elsewhere: %j', (fields, message) => {
    expect(() => projectFrom(fields)).toThrow(message);
  });
});
