import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { OutsideError } from '#provider/base/http/outside-fetch.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { addKind, production } from '../kit/foreign-kinds.ts';
import { ForeignProviders, rsaKey } from '../kit/foreign-provider.ts';
import { PRODUCTION } from '../kit/foreign-visitor.ts';
import { basic, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const public_token = PUBLIC_TOKEN;
const ISSUER = 'https://accounts.google.com';
const ADA = { sub: 'g-ada', email: 'ada@gmail.com', email_verified: true, given_name: 'Ada', family_name: 'Lovelace' };

describe('One Tap with a client at Google', () => {
  const foreign = new ForeignProviders();
  let provider: Provider;
  beforeAll(async () => {
    await foreign.start();
    await addKind(foreign, 'google');
    provider = await production(foreign);
  });
  beforeEach(() => {
    foreign.intercept = () => undefined;
  });
  afterAll(async () => {
    await provider.close();
    await foreign.close();
  });

  const begin = async () =>
    String((await provider.post('/oauth/google/onetap/start', { public_token })).data['oauth_callback_id']);
  const submit = (id_token: string, oauth_callback_id: string) =>
    provider.post('/oauth/google/onetap/submit', { public_token, id_token, oauth_callback_id });
  /** An ID token as Google makes it for this project, with these changes. */
  function credential(claims: Fields, key: Parameters<typeof foreign.idToken>[1] = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const google = { iss: ISSUER, aud: 'our-client', azp: 'our-client', iat: now, exp: now + 3600 };
    return foreign.idToken({ ...google, jti: `${Math.random()}`, ...ADA, ...claims }, key);
  }
  async function userOf(redirect: unknown): Promise<Fields> {
    const token = new URL(String(redirect)).searchParams.get('token');
    return (await provider.post('/oauth/authenticate', { token, session_duration_minutes: 30 })).data;
  }

  it('gives the page the client of the project, and logs in the person whom Google names', async () => {
    const { data } = await provider.post('/oauth/google/onetap/start', { public_token });
    expect(data).toMatchObject({ google_client_id: 'our-client', oauth_callback_id: expect.any(String) });
    const nonce = String(data['oauth_callback_id']);
    const reply = await submit(await credential({ nonce }), nonce);
    expect(reply.data['redirect_url']).toContain('https://app.example.com/up?');
    expect(await userOf(reply.data['redirect_url'])).toMatchObject({
      provider_type: 'google',
      provider_subject: 'g-ada',
      user: { name: { first_name: 'Ada' }, emails: [{ email: 'ada@gmail.com', verified: true }] },
    });
  });

  it('takes both forms of the issuer, and tokens of older clients without a nonce', async () => {
    const token = await credential({ iss: 'accounts.google.com' });
    expect((await submit(token, await begin())).status).toBe(200);
  });

  it('takes a token once, so that a stolen one is worth nothing afterwards', async () => {
    const token = await credential({});
    const callbacks = await Promise.all(Array.from({ length: 4 }, begin));
    const replies = await Promise.all(callbacks.map((callback) => submit(token, callback)));
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400]);
    expect((await submit(token, await begin())).body['error_type']).toBe('oauth_flow_callback_error');
  });

  it.each<[string, Fields]>([
    ['for another client', { aud: 'their-client' }],
    ['for another client too', { aud: ['our-client', 'their-client'] }],
    ['that another client asked for', { azp: 'their-client' }],
    ['for another callback', { nonce: 'x'.repeat(43) }],
    ['of another issuer', { iss: 'https://accounts.google.com.evil.example' }],
    ['of an issuer that only looks alike', { iss: 'https://sso.example.org/realms/staff' }],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 60 }],
    ['that is not valid yet', { nbf: Math.floor(Date.now() / 1000) + 600 }],
    ['without an end', { exp: undefined }],
  ])('refuses a token %s', async (_, claims) => {
    const callback = await begin();
    const reply = await submit(await credential({ nonce: callback, ...claims }), callback);
    expect([reply.status, reply.body['error_type']]).toEqual([401, 'invalid_client']);
    // The callback is still there for the right one.
    expect((await submit(await credential({ nonce: callback }), callback)).status).toBe(200);
  });

  soakIt('refuses a token that Google did not sign', async () => {
    const key = await rsaKey('stranger');
    const unsigned = (await credential({})).replace(/^[^.]+/u, btoa('{"alg":"none"}').replaceAll('=', ''));
    const tokens = [
      await credential({}, { key }),
      await credential({}, { key, kid: 'unknown' }),
      unsigned,
      unsigned.replace(/[^.]+$/u, ''),
      'not a token',
    ];
    for (const token of tokens) {
      const reply = await submit(token, await begin());
      expect([reply.status, reply.body['error_type']]).toEqual([401, 'invalid_client']);
    }
  });

  it('links no address that is not Google’s own', async () => {
    const token = await credential({ sub: 'g-other', email: 'ada@example.com' });
    const { data } = await submit(token, await begin());
    expect(await userOf(data['redirect_url'])).toMatchObject({ user: { emails: [] } });
  });

  it('goes on during an outage with the keys of before, and asks to come back without any', async () => {
    foreign.intercept = () => {
      throw new OutsideError('unreachable', 'accounts.google.com');
    };
    expect((await submit(await credential({}), await begin())).status).toBe(200);
    const app = createApp({ ...provider.services, socialFetch: foreign.fetch() });
    const reply = await app.request('/sdk/v1/oauth/google/onetap/submit', {
      method: 'POST',
      headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' },
      body: JSON.stringify({ public_token, id_token: await credential({}), oauth_callback_id: await begin() }),
    });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('is not offered where the project has no client at Google, or switched it off', async () => {
    const github = { client_id: 'x', client_secret: 'y' };
    for (const settings of [
      { oauth_clients: { github } },
      { oauth_clients: { google: github }, google_one_tap: false },
      { oauth_clients: { google: github }, oauth_providers: ['github'] },
    ]) {
      const project = projectFrom({ ...PRODUCTION, ...settings }, false);
      const reply = await createApp({ ...provider.services, project }).request('/sdk/v1/oauth/google/onetap/start', {
        method: 'POST',
        headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' },
        body: JSON.stringify({ public_token }),
      });
      expect(await reply.json()).toMatchObject({ error_type: 'oauth_config_not_found' });
    }
  });
});
