import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { Captcha, captchaOf } from '#provider/api/captcha/captcha.ts';
import { RecaptchaEnterprise } from '#provider/api/captcha/recaptcha-enterprise.ts';
import type { CaptchaService } from '#provider/api/captcha/service.ts';
import { HCAPTCHA, Siteverify, TURNSTILE } from '#provider/api/captcha/siteverify.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { CaptchaServices, type SolvedCaptcha } from '../kit/captcha-services.ts';
import { ANY_DATABASE, basic, makeProvider, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';

const ORIGIN = 'https://shop.example';
const EXTENSION = 'abcdefghijklmnopabcdefghijklmnop';
const SITE = {
  origins: [ORIGIN, `chrome-extension://${EXTENSION}`],
  redirect_urls: [`${ORIGIN}/`],
  default_login_redirect_url: `${ORIGIN}/`,
  default_signup_redirect_url: `${ORIGIN}/`,
  allow_loopback: false,
};

const services = new CaptchaServices();
let origin = '';
let provider: Provider;
beforeAll(async () => {
  [origin, provider] = await Promise.all([services.open(), makeProvider(ANY_DATABASE)]);
});
afterAll(async () => {
  services.close();
  await provider.close();
});
afterEach(() => {
  vi.unstubAllEnvs();
  services.trouble = null;
  services.asked.length = 0;
});

const { siteKey, secret, project: project_id } = services;

/** The adapter, with its service on loopback. */
const adapter = (kind: string, key = secret): CaptchaService => {
  const at = { allowPrivate: true };
  if (kind === 'recaptcha_enterprise') {
    return new RecaptchaEnterprise({ siteKey, secret: key, project_id, action: 'LOGIN' }, { ...at, origin });
  }
  const dialect = kind === 'turnstile' ? TURNSTILE : HCAPTCHA;
  return new Siteverify({ ...dialect, url: origin + new URL(dialect.url).pathname }, { siteKey, secret: key }, at);
};

interface Setup {
  readonly settings?: Fields;
  readonly key?: string;
  readonly warnings?: string[];
  readonly options?: object;
}

/** A public server whose captcha is of that kind; calls it from an address of the internet. */
const server = (kind: string, { settings = {}, key, warnings = [], options = {} }: Setup = {}) => {
  const captcha_settings = { enabled: true, siteKey, provider: kind, secret, ...settings };
  const google = kind === 'recaptcha_enterprise' ? { project_id } : {};
  const project = projectFrom({ ...SITE, captcha_settings: { ...captcha_settings, ...google } }, false);
  const captcha = new Captcha(adapter(kind, key), project, (sentence) => warnings.push(sentence));
  const app = createApp({ ...provider.services, project, captcha, dev: false, loopback: false, ...options });
  return async (captcha_token: string | undefined, address = '203.0.113.7') => {
    const reply = await app.request(
      `${ORIGIN}/sdk/v1/users/search`,
      {
        method: 'POST',
        headers: {
          authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN),
          'content-type': 'application/json',
          'user-agent': 'a browser',
          origin: ORIGIN,
        },
        body: JSON.stringify({ email: 'ada@example.com', captcha_token }),
      },
      { incoming: { socket: { remoteAddress: address } } },
    );
    return { status: reply.status, text: await reply.text(), wait: reply.headers.get('retry-after') };
  };
};

const HERE: SolvedCaptcha = { hostname: 'shop.example', action: 'LOGIN', score: 0.9 };
const KINDS = ['recaptcha_enterprise', 'turnstile', 'hcaptcha'] as const;
const REFUSED = { status: 403, text: 'Captcha required' };

describe.each(KINDS)('a captcha of %s', (kind) => {
  it('that a person solved on a page of the project is accepted, once', async () => {
    const call = server(kind);
    const token = services.solve(HERE);
    expect((await call(token)).status).toBe(200);
    expect(await call(token)).toMatchObject(REFUSED);
  });

  it('is accepted once by two calls at the same time', async () => {
    const call = server(kind);
    const token = services.solve(HERE);
    const statuses = (await Promise.all([call(token), call(token)])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 403]));
  });

  it.each([
    ['made up', undefined],
    ['expired', { ...HERE, expired: true }],
    ['solved on another site', { ...HERE, hostname: 'evil.example' }],
    ['solved on a host below the site', { ...HERE, hostname: 'x.shop.example' }],
    ['solved on loopback, which is not registered', { ...HERE, hostname: 'localhost' }],
    ['solved on a host with the name of a registered extension', { ...HERE, hostname: EXTENSION }],
  ])('that is %s is refused as the wire asks for a captcha', async (_, solved) => {
    const token = solved === undefined ? 'made-up' : services.solve(solved);
    expect(await server(kind)(token)).toMatchObject(REFUSED);
  });

  it.each([undefined, '', 'with space', 'x'.repeat(9_000), 'tschüss'])(
    'that cannot be a token is refused without asking the service (%#)',
    async (token) => {
      expect(await server(kind)(token)).toMatchObject(REFUSED);
      expect(services.asked).toEqual([]);
    },
  );

  it('may be solved on the hosts that the project names, or on any', async () => {
    const elsewhere = () => services.solve({ ...HERE, hostname: 'app.example' });
    const named = server(kind, { settings: { hostnames: ['app.example'] } });
    expect((await named(elsewhere())).status).toBe(200);
    expect((await named(services.solve(HERE))).status).toBe(403);
    expect((await server(kind, { settings: { hostnames: 'any' } })(elsewhere())).status).toBe(200);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['fails', (response) => response.writeHead(500).end('{}')],
    ['is overloaded', (response) => response.writeHead(429).end('{"success":true}')],
    ['redirects', (response) => response.writeHead(307, { Location: '/siteverify' }).end()],
    ['answers a page', (response) => response.writeHead(200).end('<p>Maintenance</p>')],
    ['breaks off', (response) => response.destroy()],
    ['answers too much', (response) => response.end(`{"success":true,"pad":"${'x'.repeat(300_000)}"}`)],
  ])('is refused with a time to wait when the service %s', async (_, trouble) => {
    services.trouble = trouble;
    const warnings: string[] = [];
    const call = server(kind, { warnings });
    for (let i = 0; i < 2; i += 1) {
      const { status, text, wait } = await call(services.solve(HERE));
      expect([status, wait]).toEqual([503, '5']);
      expect(text).toContain('"error_type":"service_unavailable"');
    }
    expect(warnings).toEqual(['the captcha service does not answer; logins are refused until it does.']);
    services.trouble = null;
    expect((await call(services.solve(HERE))).status).toBe(200);
  });

  it('names the setting when the service refuses the secret, without the secret', async () => {
    const warnings: string[] = [];
    const { status, text } = await server(kind, { key: 'wrong-secret', warnings })(services.solve(HERE));
    expect(status).toBe(503);
    expect(warnings).toEqual([expect.stringContaining('captcha_settings.secret')]);
    expect(text + warnings.join()).not.toContain('wrong-secret');
    expect(JSON.stringify(services.asked.map(({ path }) => path))).not.toContain('secret');
  });

  it('sends the service the address of a visitor from the internet, and no other', async () => {
    const call = server(kind);
    await call(services.solve(HERE), '8.8.8.8');
    await call(services.solve(HERE), '10.1.2.3');
    const [outside, inside] = services.asked.map(({ body }) => body);
    expect(outside).toContain('8.8.8.8');
    expect(inside).not.toContain('10.1.2.3');
  });

  it('of which one network presents too many wrong ones is not sent to the service any more', async () => {
    const failuresPerNetwork = { max: 2, windowMs: 60_000 };
    const call = server(kind, { options: { limits: { ...DEFAULT_LIMITS, failuresPerNetwork } } });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await call('made-up', `198.51.100.${KINDS.indexOf(kind)}`)).status);
    expect(statuses).toEqual([403, 403, 429, 429]);
    expect(services.asked).toHaveLength(2);
    expect((await call(services.solve(HERE), '198.51.100.99')).status).toBe(200);
  });
});

describe('reCAPTCHA Enterprise', () => {
  const KIND = 'recaptcha_enterprise';

  it('is called for an assessment of the action, with the key in a header', async () => {
    const token = services.solve(HERE);
    await server(KIND)(token);
    const [{ path, headers, body } = { path: '', headers: {}, body: '{}' }] = services.asked;
    expect(path).toBe(`/v1/projects/${project_id}/assessments`);
    expect(headers['x-goog-api-key']).toBe(secret);
    expect(JSON.parse(body)).toEqual({ event: { token, siteKey, expectedAction: 'LOGIN', userAgent: 'a browser' } });
  });

  it.each([
    ['another action', { ...HERE, action: 'BUY' }, {}, 403],
    ['a score below the default', { ...HERE, score: 0.4 }, {}, 403],
    ['the default as its score', { ...HERE, score: 0.5 }, {}, 200],
    ['no score', { ...HERE, score: 0 }, {}, 403],
    ['a score that the project accepts', { ...HERE, score: 0.3 }, { min_score: 0.3 }, 200],
    ['a score below that of the project', { ...HERE, score: 0.8 }, { min_score: 0.9 }, 403],
    ['the action of the project', { ...HERE, action: 'BUY' }, { action: 'BUY' }, 200],
  ])('%s', async (_, solved, settings, status) => {
    expect((await server(KIND, { settings })(services.solve(solved))).status).toBe(status);
  });
});

describe('the action of Turnstile', () => {
  it.each([
    ['is not checked', 'x', {}, 200],
    ['is checked where the project names one', 'x', { action: 'login' }, 403],
    ['may be the one that the project names', 'login', { action: 'login' }, 200],
  ])('%s', async (_, action, settings, status) => {
    expect((await server('turnstile', { settings })(services.solve({ ...HERE, action }))).status).toBe(status);
  });
});

it('a token of hCaptcha that belongs to another site key is refused', async () => {
  const token = services.solve({ ...HERE, siteKey: 'of-somebody-else' });
  expect(await server('hcaptcha')(token)).toMatchObject(REFUSED);
});

describe('the settings of a captcha', () => {
  const captchaWith = (settings: Fields) =>
    projectFrom({ ...SITE, captcha_settings: { enabled: true, siteKey, ...settings } }, false);
  const google = { provider: 'recaptcha_enterprise', secret, project_id };

  it('choose the service, and no service where there is none', () => {
    const warn = (): void => undefined;
    for (const settings of [google, { provider: 'turnstile', secret }, { provider: 'hcaptcha', secret }]) {
      expect(captchaOf(captchaWith(settings), warn)).toBeInstanceOf(Captcha);
      expect(captchaOf(captchaWith({ ...settings, enabled: false }), warn)).toBeUndefined();
    }
    expect(captchaOf(captchaWith({}), warn)).toBeUndefined();
  });

  it('may take the secret from the environment, and show pages nothing but the site key', async () => {
    vi.stubEnv('CAPTCHA_SECRET', secret);
    const project = captchaWith({ ...google, secret: { env: 'CAPTCHA_SECRET' }, hostnames: ['shop.example'] });
    expect(project.captcha_settings.secret).toBe(secret);
    const app = createApp({ ...provider.services, project });
    const reply = await app.request(`http://localhost/sdk/v1/projects/bootstrap/${PUBLIC_TOKEN}`);
    const { data } = (await reply.json()) as Fields;
    expect(data['captcha_settings']).toEqual({ enabled: true, siteKey });
    expect(JSON.stringify(data)).not.toContain(secret);
  });

  it.each([
    [{ provider: 'other' }, 'provider must be one of recaptcha_enterprise, turnstile, hcaptcha'],
    [{ provider: 'turnstile' }, 'secret must be given'],
    [{ provider: 'turnstile', secret: '' }, 'secret must be a text that is not empty'],
    [{ provider: 'recaptcha_enterprise', secret }, 'project_id must be given'],
    [{ ...google, project_id: 'x/../y' }, 'project_id must be the id'],
    [{ ...google, min_score: 2 }, 'min_score must be a number from 0 to 1'],
    [{ ...google, provider: 'turnstile' }, 'project_id must be left out'],
    [{ provider: 'turnstile', secret, min_score: 0.5 }, 'min_score must be left out'],
    [{ provider: 'hcaptcha', secret, action: 'LOGIN' }, 'action must be left out'],
    [{ provider: 'hcaptcha', secret, hostnames: 'all' }, "hostnames must be 'any' or an array"],
    [{ provider: 'hcaptcha', secret, hostnames: ['https://shop.example'] }, 'hostnames[0] must be a host name'],
  ])('%j are refused by field', (settings, message) => {
    expect(() => captchaWith(settings)).toThrow(`captcha_settings.${message}`);
  });
});

describe('a captcha service that stays away', () => {
  it('is left alone after five failures, and asked again five seconds later', async () => {
    const clock = { time: 0, now: () => clock.time };
    const project = projectFrom({ ...SITE, captcha_settings: { enabled: true, siteKey } }, false);
    const captcha = new Captcha(adapter('hcaptcha'), project, () => undefined, clock);
    const solved = () => captcha.isSolved({ token: services.solve(HERE), address: '', userAgent: '' });
    services.trouble = (response) => response.writeHead(503).end();
    for (let i = 0; i < 7; i += 1) await expect(solved()).rejects.toMatchObject({ type: 'service_unavailable' });
    expect(services.asked).toHaveLength(5);
    services.trouble = null;
    clock.time = 5_000;
    expect(await solved()).toBe(true);
  });
});
