import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { currentNonce } from '#provider/accounts/sessions/proofs/proofs.ts';
import { BoundPage, signInBound } from '../kit/bound-page.ts';
import { basic, DATABASES, isSecond, type Fields, type Provider, PUBLIC_TOKEN } from '../kit/harness.ts';
import { CALLBACK, ISSUER, verifier } from '../kit/idp-harness.ts';
import { APP, consent, makeTarget, MINUTES, redeemCode, uniqueEmail } from './attacker.ts';
import { listedIf, soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'correct horse battery staple 7';
const TOKENS = `${ISSUER}/oauth2/token`;
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
/** Enough to tell a row for each request from none. */
const REQUESTS = 5;

// Anybody can make a key and proofs with it. What they send costs no place in the database.
describe.each(DATABASES)('T225: proofs of strangers, %s', (_, databaseUrl) => {
  let provider: Provider;
  let stranger: BoundPage;
  let before: number;
  beforeAll(async () => {
    provider = await makeTarget(databaseUrl);
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    stranger = await BoundPage.open(provider);
    await stranger.me('unknown');
    before = await stored();
  });

  const stored = async () => (await provider.services.db.selectFrom('used_trusted_tokens').select('token_key').execute()).length; // prettier-ignore
  const repeated = async (send: () => Promise<{ readonly status: number }>) => {
    // oxlint-disable-next-line no-await-in-loop -- each has the nonce of the one before
    for (let n = 0; n < REQUESTS; n += 1) expect((await send()).status).toBeGreaterThanOrEqual(400);
  };

  listedIf(!isSecond(databaseUrl), it).each<[string, string, object | undefined]>([
    ['POST', '/sessions/authenticate', {}],
    ['GET', '/users/me', undefined],
    ['PUT', '/users/me', {}],
    ['POST', '/otps/authenticate', { token: '123456', method_id: `email-test-${randomUUID()}`, ...MINUTES }],
    ['POST', '/passwords/authenticate', { email: 'nobody@example.com', password: PASSWORD, ...MINUTES }],
  ])('with an unknown token are not stored: %s %s', async (method, path, body) => {
    await repeated(async () => stranger.call(method, path, body, randomUUID()));
    await repeated(async () => stranger.call(method, path, body, `${'e30.'.repeat(2)}${randomUUID()}`));
    expect(await stored()).toBe(before);
  });

  it('with a copied token of a bound session are not stored, as their key is another one', async () => {
    const { token, jwt } = await signInBound(provider, uniqueEmail('owner'));
    before = await stored();
    for (const secret of [token, jwt]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await repeated(async () => stranger.authenticate(secret));
    }
    expect(await stored()).toBe(before);
  });

  listedIf(!isSecond(databaseUrl), it).each<[string, Fields]>([
    ['code', { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: verifier, code: 'x' }],
    ['refresh token', { grant_type: 'refresh_token', refresh_token: 'x' }],
    ['device code', { grant_type: DEVICE_CODE, device_code: 'x' }],
  ])('with an unknown %s at the token endpoint are not stored', async (_what, fields) => {
    await repeated(async () => tokenRequest(fields, await proofFor(TOKENS)));
    expect(await stored()).toBe(before);
  });

  soakIt('with an access token that is unknown, or bound to another key, are not stored', async () => {
    const url = `${ISSUER}/oauth2/userinfo`;
    const owner = await provider.signIn(uniqueEmail('owner'));
    const session = String(owner['session_token']);
    const { data } = await consent(provider, session);
    const fields = { redirect_uri: CALLBACK, code_verifier: verifier, code: data['authorization_code'] };
    const own = await BoundPage.open(provider);
    const made = await tokenRequest({ grant_type: 'authorization_code', ...fields }, await proofFor(TOKENS, own));
    const { access_token } = (await made.json()) as Fields;
    before = await stored();
    for (const token of ['unknown', String(access_token)]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await repeated(async () => {
        const dpop = await proofFor(url, stranger, { method: 'GET', token });
        return provider.app.request(url, { headers: { authorization: `DPoP ${token}`, dpop } });
      });
    }
    expect(await stored()).toBe(before);
  });

  it('two logins at once with one proof: exactly one of them begins a session', async () => {
    const email = uniqueEmail('owner');
    await provider.post('/passwords', { email, password: PASSWORD, ...MINUTES });
    const path = '/passwords/authenticate';
    const dpop = await stranger.proofOf('POST', path, undefined, {
      claims: { nonce: currentNonce(provider.services), ath: undefined },
    });
    const apps = [provider.app, createApp(provider.services)];
    const replies = await Promise.all(
      Array.from({ length: 6 }, async (__, n) => {
        const headers = { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json', dpop };
        const body = JSON.stringify({ email, password: PASSWORD, ...MINUTES });
        return (await apps[n % 2]!.request(`/sdk/v1${path}`, { method: 'POST', headers, body })).status;
      }),
    );
    expect(replies.sort((a, b) => a - b)).toEqual([200, 401, 401, 401, 401, 401]);
    expect(await stored()).toBe(before + 1);
  });

  it('a code that two requests with one proof redeem at once gives tokens to one, and the other ends none', async () => {
    const owner = await provider.signIn(uniqueEmail('owner'));
    const { data } = await consent(provider, String(owner['session_token']));
    const fields = { redirect_uri: CALLBACK, code_verifier: verifier, code: data['authorization_code'] };
    const dpop = await proofFor(TOKENS);
    const send = async () => tokenRequest({ grant_type: 'authorization_code', ...fields }, dpop);
    const replies = await Promise.all([send(), send(), send()]);
    const won = replies.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const { refresh_token } = (await won[0]!.json()) as Fields;
    const next = await tokenRequest({ grant_type: 'refresh_token', refresh_token }, await proofFor(TOKENS));
    expect(next.status).toBe(200);
    expect((await send()).status).toBe(400);
  });

  listedIf(!isSecond(databaseUrl), it)('a proof of an owner is used up by a call that fails', async () => {
    const { token, page } = await signInBound(provider, uniqueEmail('owner'));
    await page.me(token);
    const dpop = await page.proofOf('POST', '/otps/authenticate', token);
    const wrong = { token: '000000', method_id: `email-test-${randomUUID()}`, ...MINUTES };
    const first = await page.sendWith(dpop, 'POST', '/otps/authenticate', wrong, token);
    const again = await page.sendWith(dpop, 'POST', '/otps/authenticate', wrong, token);
    expect([first.body['error_type'], again.body['error_type']]).toEqual(['otp_code_not_found', 'invalid_dpop_proof']);
  });

  listedIf(!isSecond(databaseUrl), it)('a polling device stores one proof for each interval', async () => {
    const device = await provider.app.request(`${ISSUER}/oauth2/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: APP }),
    });
    const { device_code } = (await device.json()) as Fields;
    await repeated(async () =>
      tokenRequest({ grant_type: DEVICE_CODE, device_code: String(device_code) }, await proofFor(TOKENS)),
    );
    expect(await stored()).toBe(before + 1);
  });

  listedIf(!isSecond(databaseUrl), it)('a code is still redeemed without a proof', async () => {
    const owner = await provider.signIn(uniqueEmail('owner'));
    const { data } = await consent(provider, String(owner['session_token']));
    expect(await redeemCode(provider, data['authorization_code'])).toHaveProperty('access_token');
  });

  interface Target {
    readonly method?: string;
    readonly token?: string;
  }

  async function proofFor(htu: string, page = stranger, { method = 'POST', token }: Target = {}): Promise<string> {
    const iat = Math.floor(provider.clock.time / 1000);
    return page.proofOf(method, '', token, { claims: { htu, iat, nonce: currentNonce(provider.services) } });
  }

  async function tokenRequest(fields: Fields, dpop: string) {
    const body = new URLSearchParams({ client_id: APP, ...fields });
    return provider.app.request(TOKENS, { method: 'POST', headers: { dpop }, body });
  }
});
