import { describe, expect, it } from 'vitest';
import { api } from '#application/api/index.ts';
import type { Endpoint } from '#application/api/index.ts';
import type { Shape } from '#domain/shape.ts';
import { createApp } from '#provider/operation/app.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { ANY_DATABASE, basic, type Fields, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const CAPTCHA = { captcha_settings: { enabled: true, siteKey: 'site-key' } };
const DECIDING = { dfp_protected_auth_enabled: true, dfp_protected_auth_mode: 'DECISIONING' };
const OBSERVING = { dfp_protected_auth_enabled: true, dfp_protected_auth_mode: 'OBSERVATION' };

const endpoints: readonly Endpoint[] = Object.values(api).flatMap((area) => Object.values(area) as Endpoint[]);
const risky = endpoints.filter(({ body }) => Object.hasOwn(body, 'captcha_token'));

/** A body of the endpoint's shape. */
function bodyOf(shape: Shape): Fields {
  const required = Object.entries(shape).filter(([, kind]) => !kind.endsWith('?'));
  return Object.fromEntries(required.map(([field, kind]) => [field, kind === 'number' ? 30 : 'x']));
}

describe('a risky call', () => {
  const provider = suiteProvider(ANY_DATABASE);

  /** Calls the server with its project changed. */
  const under = (fields: Fields) => async (path: string, body: Fields) => {
    const app = createApp({ ...provider.services, project: projectFrom(fields) });
    const reply = await app.request(`/sdk/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN),
        'content-type': 'application/json',
        origin: 'http://localhost:3000',
      },
      body: JSON.stringify(body),
    });
    return { status: reply.status, text: await reply.text(), headers: reply.headers };
  };
  const withCaptcha = under(CAPTCHA);
  const deciding = under(DECIDING);
  const observing = under(OBSERVING);
  const plain = under({});

  const SEND = '/otps/email/login_or_create';
  const email = 'risk@example.com';

  it('is every call whose body has a captcha token', () => {
    const names = risky.map(({ name }) => name);
    for (const name of ['magicLinks.loginOrCreate', 'otps.authenticate', 'passwords.create', 'users.search']) {
      expect(names).toContain(name);
    }
    expect(names).not.toContain('sessions.authenticate');
  });

  it.each(risky.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s needs a captcha where the project wants one',
    async (_, { path, body }) => {
      const { status, text, headers } = await withCaptcha(path, bodyOf(body));
      expect(status).toBe(403);
      expect(text).toContain('Captcha required');
      expect(headers.get('content-type')).toMatch(/^text\/plain/u);
      expect(headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
      const solved = await withCaptcha(path, { ...bodyOf(body), captcha_token: 'test-captcha-1' });
      expect(solved.text).not.toContain('Captcha required');
    },
  );

  it('does not take a captcha token that is not a test one', async () => {
    expect((await withCaptcha(SEND, { email, captcha_token: 'made-up' })).text).toBe('Captcha required');
    expect((await withCaptcha(SEND, { email, captcha_token: 'test-captcha-1' })).status).toBe(200);
  });

  it('needs no token where the project asks for none', async () => {
    expect((await plain(SEND, { email })).status).toBe(200);
  });

  it.each([
    [{}, 400, 'dfp_telemetry_id_required'],
    [{ dfp_telemetry_id: 'test-dfp-1' }, 200, 'method_id'],
    [{ dfp_telemetry_id: 'made-up' }, 403, 'unauthorized_action'],
    [{ dfp_telemetry_id: 'test-dfp-block-1' }, 403, 'unauthorized_action'],
    [{ dfp_telemetry_id: 'test-dfp-block-1', captcha_token: 'test-captcha-1' }, 403, 'unauthorized_action'],
    [{ dfp_telemetry_id: 'test-dfp-challenge-1' }, 403, 'Captcha required'],
    [{ dfp_telemetry_id: 'test-dfp-challenge-1', captcha_token: 'test-captcha-1' }, 200, 'method_id'],
  ])('is decided by the telemetry, with %j: %s', async (signals, status, says) => {
    const reply = await deciding(SEND, { email, ...signals });
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(says);
  });

  it.each([{}, { dfp_telemetry_id: 'made-up' }, { dfp_telemetry_id: 'test-dfp-block-1' }])(
    'is only observed, with %j',
    async (signals) => {
      expect((await observing(SEND, { email, ...signals })).status).toBe(200);
    },
  );

  it('is refused for its shape before the captcha is checked', async () => {
    expect((await withCaptcha(SEND, {})).status).toBe(400);
  });
});
