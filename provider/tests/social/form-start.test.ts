import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import {
  EITHER_DATABASE,
  makeProvider,
  WITHOUT_PKCE,
  PUBLIC_TOKEN,
  type Fields,
  type Provider,
} from '../kit/harness.ts';
import { browser, CHALLENGE, HTML, ORIGIN, VERIFIER } from '../kit/oauth-harness.ts';

const START = `${ORIGIN}/v1/public/oauth/google/start`;
const FORM = 'application/x-www-form-urlencoded';
const TOKEN = `public_token=${PUBLIC_TOKEN}`;
const ADA = { account: 'ada@example.com' } as const;

describe.each(EITHER_DATABASE)('social logins that a form starts, on %s', (_, url) => {
  let provider: Provider;
  let visitor: ReturnType<typeof browser>;
  beforeAll(async () => {
    provider = await makeProvider(url);
    visitor = browser(provider);
  });
  afterAll(() => provider.close());

  const send = async (body: string, address = START, type = FORM, headers: Record<string, string> = {}) =>
    provider.app.request(address, { method: 'POST', headers: { 'content-type': type, ...headers }, body });
  const flows = async () => (await provider.services.db.selectFrom('oauth_flows').selectAll().execute()).length;

  it('log in, from a page of another site, with a cookie for the callback alone', async () => {
    const options = {
      method: 'POST',
      code_challenge: CHALLENGE,
      login_redirect_url: 'http://localhost:3000/in',
    } as const;
    const started = await visitor.start('google', options);
    expect(started.status).toBe(303);
    expect(started.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^portico_oauth_[\w-]{16}=[\w-]{43}; Max-Age=1800; Path=\/v1\/public\/oauth\/google\/callback; HttpOnly; SameSite=Lax$/u,
      ),
    ]);
    const token = await visitor.token('google', ADA, options);
    const redeem = (fields: Fields) =>
      provider.post('/oauth/authenticate', { token, session_duration_minutes: 30, ...fields });
    expect((await redeem({})).body['error_type']).toBe('pkce_expected_code_verifier');
    expect((await redeem({ code_verifier: VERIFIER })).status).toBe(200);
  });

  it('lead to the social provider as an address does, by GET and without the fields that are not for it', async () => {
    const options = {
      custom_scopes: ['calendar'],
      provider_params: { login_hint: 'ada@example.com', state: 'mine' },
      login_redirect_url: 'http://localhost:3000/in',
    };
    const [first, second] = await Promise.all([
      visitor.start('google', options),
      visitor.start('google', { ...options, method: 'POST' }),
    ]);
    const targets = [first, second].map(({ status, headers }) => {
      expect(status).toBe(303);
      const target = new URL(headers.get('location') ?? '');
      for (const name of ['state', 'nonce', 'code_challenge']) {
        expect(target.searchParams.get(name)).toMatch(/^[\w-]{43}$/u);
        target.searchParams.delete(name);
      }
      return target.href;
    });
    expect(targets[1]).toBe(targets[0]);
    expect(targets[1]).not.toContain(PUBLIC_TOKEN);
  });

  it.each([
    ['without a token', '', START, FORM, 401, 'missing_public_token'],
    ['with the token in the query', '', `${START}?${TOKEN}`, FORM, 401, 'missing_public_token'],
    ['with a wrong token', 'public_token=x', START, FORM, 401, 'invalid_public_token'],
    ['with a bad challenge', `${TOKEN}&code_challenge=x`, START, FORM, 400, 'invalid_code_challenge'],
    ['with a token twice', `${TOKEN}&${TOKEN}`, START, FORM, 400, 'duplicate_parameter'],
    ['of another type', TOKEN, START, 'text/plain', 415, 'unsupported_media_type'],
    ['of parts', TOKEN, START, 'multipart/form-data; boundary=x', 415, 'unsupported_media_type'],
    ['that is JSON', '{"public_token":1}', START, 'application/json', 415, 'unsupported_media_type'],
    ['that is long', `${TOKEN}&provider_x=${'x'.repeat(9_000)}`, START, FORM, 413, 'request_too_large'],
    ['that is longer', `${TOKEN}&provider_x=${'x'.repeat(70_000)}`, START, FORM, 413, 'request_too_large'],
    ['for no provider', TOKEN, START.replace('google', 'myspace'), FORM, 404, 'oauth_config_not_found'],
    [
      'to evil',
      `${TOKEN}&login_redirect_url=https://evil.example/`,
      START,
      FORM,
      400,
      'no_match_for_provided_oauth_url',
    ],
    ['with NUL', `${TOKEN}&code_challenge=%00`, START, FORM, 400, 'invalid_code_challenge'],
  ])('refuse a form %s', async (__, body, address, type, status, error) => {
    const before = await flows();
    const json = await send(body, address, type);
    expect([json.status, ((await json.json()) as Fields)['error_type']]).toEqual([status, error]);
    const page = await send(body, address, type, HTML);
    expect([page.status, page.headers.get('location')]).toEqual([status, null]);
    expect(await page.text()).toContain(error);
    expect(await flows()).toBe(before);
  });

  it('need what an address needs of the project', async () => {
    const body = { method: 'POST', headers: { 'content-type': FORM }, body: TOKEN };
    const typeOn = async (options: object) => {
      const reply = await createApp({ ...provider.services, ...options }).request(START, body);
      return ((await reply.json()) as Fields)['error_type'];
    };
    expect(await typeOn({ loopback: false })).toBe('oauth_config_not_found');
    const project = { ...DEMO_PROJECT, ...WITHOUT_PKCE, pkce_required_for_oauth: true };
    expect(await typeOn({ project })).toBe('pkce_code_challenge_required');
  });
});
