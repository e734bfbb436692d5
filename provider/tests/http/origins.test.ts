import { describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { ANY_DATABASE, type Fields, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const SEND = '/otps/email/login_or_create';

describe('the allowed origins', () => {
  const provider = suiteProvider(ANY_DATABASE);

  const raw = async (path: string, init: RequestInit = {}) => {
    const reply = await provider.app.request(path, init);
    const text = await reply.text();
    return {
      status: reply.status,
      headers: reply.headers,
      text,
      body: (text.startsWith('{') ? JSON.parse(text) : {}) as Fields,
    };
  };

  describe('pages of other origins', () => {
    const preflight = (origin: string) =>
      raw(`/sdk/v1${SEND}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,x-sdk-client,x-sdk-parent-host',
        },
      });

    it.each([
      'http://localhost:3000',
      'http://localhost',
      'https://localhost:8443',
      'http://127.0.0.1:5173',
      'http://[::1]:5173',
      'https://app.localhost',
    ])('%s gets an answer that names it and allows credentials', async (origin) => {
      const { status, headers } = await preflight(origin);
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('access-control-allow-methods')).toContain('POST');
      expect(headers.get('access-control-allow-headers')).toContain('x-sdk-client');
      expect(headers.get('access-control-max-age')).toBe('7200');
      expect(headers.get('vary')).toContain('Origin');
      const wrong = await raw('/sdk/v1/users/me', { headers: { origin } });
      expect(wrong.status).toBe(401);
      expect(wrong.headers.get('access-control-allow-origin')).toBe(origin);
      expect(wrong.headers.get('access-control-expose-headers')).toContain('Retry-After');
    });

    it.each([
      'null',
      'https://evil.example',
      'http://localhost.evil.example',
      'http://evil.example:3000',
      'http://localhost:3000/',
      'http://LOCALHOST',
      'file://',
      'http://localhost:3000, http://evil.example',
      'http://user@localhost',
      'http://10.0.0.1',
      '*',
    ])('%s is refused, and nothing is done for it', async (origin) => {
      const [asked, sent, inbox] = [
        await preflight(origin),
        await provider.post(SEND, { email: 'cors@example.com' }, { headers: { origin } }),
        await raw('/dev/inbox.json', { headers: { origin } }),
      ];
      expect([asked.status, asked.text, sent.status, inbox.status]).toEqual([204, '', 403, 403]);
      // The reason is readable, without credentials.
      expect(sent.body).toMatchObject({ error_type: 'unregistered_origin' });
      for (const { headers } of [asked, sent]) {
        expect(headers.get('access-control-allow-origin')).toBe('*');
        expect(headers.get('access-control-allow-credentials')).toBeNull();
        expect(headers.get('access-control-expose-headers')).toBeNull();
        expect(headers.get('access-control-allow-private-network')).toBeNull();
      }
      expect(asked.headers.get('access-control-max-age')).toBe('0');
      expect(inbox.headers.get('access-control-allow-origin')).toBeNull();
      expect((await provider.inbox()).some(({ to }) => to === 'cors@example.com')).toBe(false);
    });

    it('the exact origins of the project file get answers, and no access to the inbox', async () => {
      const project = projectFrom({
        origins: ['https://example.com'],
        redirect_urls: ['https://example.com/login'],
        default_login_redirect_url: 'https://example.com/login',
        default_signup_redirect_url: 'https://example.com/login',
        allow_loopback: false,
      });
      const app = createApp({ ...provider.services, project });
      const status = async (origin: string, path = `/sdk/v1/projects/bootstrap/${PUBLIC_TOKEN}`) =>
        (await app.request(path, { headers: { origin } })).status;
      expect(await status('https://example.com')).toBe(200);
      expect(await status('https://example.com:444')).toBe(403);
      expect(await status('http://example.com')).toBe(403);
      expect(await status('http://localhost:3000')).toBe(403);
      expect(await status('https://example.com', '/dev/inbox.json')).toBe(403);
    });
  });

  describe('host names', () => {
    it.each([
      'evil.example',
      'evil.example:4100',
      'localhost.evil.example',
      '10.0.0.1',
      'localhost@evil.example',
      'x/y',
      '',
    ])('a name that is not this machine is refused (%j)', async (host) => {
      for (const path of ['/dev/inbox.json', `/sdk/v1/projects/bootstrap/${PUBLIC_TOKEN}`]) {
        const { status, text } = await raw(path, { headers: { host } });
        expect(status).toBe(421);
        expect(text).not.toContain('project_name');
      }
    });

    it.each(['localhost:4100', '127.0.0.1', '[::1]:4100', 'api.localhost', 'LOCALHOST:1'])(
      'a name of this machine is answered (%s)',
      async (host) => {
        expect((await raw('/dev/inbox.json', { headers: { host } })).status).toBe(200);
      },
    );

    it('a request line that names another host does not get past the check', async () => {
      const { status } = await raw('http://evil.example/dev/inbox.json', { headers: { host: 'localhost' } });
      expect(status).toBe(421);
    });

    it('a server that is not bound to loopback has no inbox and accepts any host name', async () => {
      const app = createApp({ ...provider.services, loopback: false });
      for (const path of ['/dev/inbox', '/dev/inbox.json', '/dev/inbox/stream', '/dev/inbox.js']) {
        expect((await app.request(path)).status).toBe(404);
      }
      const { status } = await app.request(`/sdk/v1/projects/bootstrap/${PUBLIC_TOKEN}`, {
        headers: { host: 'auth.example.com' },
      });
      expect(status).toBe(200);
    });
  });
});
