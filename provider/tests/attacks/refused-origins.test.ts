import { describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { RefusedOrigins } from '#provider/api/refused-origins.ts';
import { createLog } from '#provider/base/log/log.ts';
import { EITHER_DATABASE, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const SEND = '/sdk/v1/otps/email/login_or_create';
const BOOTSTRAP = `/sdk/v1/projects/bootstrap/${PUBLIC_TOKEN}`;

describe.each(EITHER_DATABASE)('a page of an origin that is not registered, on %s', (_name, url) => {
  const provider = suiteProvider(url);

  /** A server with a log of its own. */
  function open() {
    const lines: string[] = [];
    const log = createLog({ level: 'warn', format: 'text' }, (line) => void lines.push(line.trimEnd()));
    const app = createApp({ ...provider.services, log });
    const call = (origin: string, path = BOOTSTRAP, init: RequestInit = {}) =>
      Promise.resolve(app.request(path, { ...init, headers: { origin, ...(init.headers as Record<string, string>) } }));
    return { lines, call };
  }

  it('can read why it is refused, and nothing that needs a session or changes anything', async () => {
    const { call } = open();
    const signedIn = await provider.signIn('reader@example.com');
    const basic = `Basic ${Buffer.from(`${PUBLIC_TOKEN}:${String(signedIn['session_token'])}`).toString('base64')}`;
    const cookie = `stytch_session=${String(signedIn['session_token'])}`;
    const requests = [
      call('https://evil.example', '/sdk/v1/users/me', { headers: { authorization: basic, cookie } }),
      call('null', '/sdk/v1/users/me', { headers: { authorization: basic, cookie } }),
      call('https://evil.example', SEND, {
        method: 'POST',
        // No preflight asks about a request of this form.
        headers: { 'content-type': 'text/plain' },
        body: JSON.stringify({ email: 'forged@example.com' }),
      }),
    ];
    for (const response of await Promise.all(requests)) {
      expect(response.status).toBe(403);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      // With credentials, browsers refuse both a star and a reply without this header (Fetch, CORS check).
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      expect(response.headers.get('set-cookie')).toBeNull();
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(Object.keys((await response.json()) as object).sort()).toEqual([
        'error_message',
        'error_type',
        'error_url',
        'request_id',
        'status_code',
      ]);
    }
    expect((await provider.inbox()).some(({ to }) => to === 'forged@example.com')).toBe(false);
  });

  it('can read no refusal outside of the API of clients', async () => {
    const { call } = open();
    for (const path of [
      '/dev/inbox.json',
      '/dev/control/state',
      '/.well-known/jwks.json',
      '/errors/x',
      '/sdk/v1',
      '/',
    ]) {
      const response = await call('https://evil.example', path);
      expect(response.headers.get('access-control-allow-origin'), path).toBeNull();
    }
  });

  it('is named in the log once, with the field that admits it', async () => {
    const { call, lines } = open();
    for (let times = 0; times < 3; times += 1) await call('https://app.example.com');
    await call('null');
    await call('null');
    expect(lines).toEqual([
      'warning: a page was refused: add its origin to this field of the project, if the page is yours origin="https://app.example.com" field="origins"',
      'warning: a page without an origin was refused: serve it over http, because files and sandboxed frames have none',
    ]);
  });

  it('cannot fill the log, or write into it', async () => {
    const { call, lines } = open();
    for (const origin of ['https://a.example/\u001b[2J', `https://${'a'.repeat(300)}.example`, 'password=1', '*']) {
      await call(origin).catch(() => undefined);
    }
    expect(lines).toEqual([]);
    for (let number = 0; number < 500; number += 1) await call(`https://${number}.example`);
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toContain('more pages were refused');
  });
});

it('the log names other origins an hour later, and keeps no more than ten', () => {
  const lines: unknown[] = [];
  const clock = { time: 0, now: () => clock.time };
  const refused = new RefusedOrigins({ warn: (_message, fields) => void lines.push(fields?.['origin']) }, clock);
  for (let number = 0; number < 100_000; number += 1) refused.add(`https://${number}.example`, 'origins');
  expect(lines).toHaveLength(11);
  clock.time += 3_600_000;
  refused.add('https://app.example.com', 'session_cookies.domain');
  expect(lines.at(-1)).toBe('https://app.example.com');
});
