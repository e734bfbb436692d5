import { randomUUID } from 'node:crypto';
import { base64url, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';
import { createApp } from '#provider/operation/app.ts';
import { newBrowserKey } from '../kit/bound-browser.ts';
import { BoundPage, signInBound } from '../kit/bound-page.ts';
import { basic, EITHER_DATABASE, MINUTE, type Provider, PUBLIC_TOKEN } from '../kit/harness.ts';
import { ISSUER } from '../kit/idp-harness.ts';
import { makeTarget, uniqueEmail } from './attacker.ts';

/** Each one in a browser of its own. */
const OWNERS = SOAK ? 100 : 3;
const REQUIRED = [401, 'session_proof_required'];
const INVALID = [401, 'invalid_dpop_proof'];

interface Reply {
  readonly status: number;
  readonly body: { readonly error_type?: string };
}
const answerOf = ({ status, body }: Reply) => [status, body.error_type];

// The thief has copied the token and the JWT, but cannot copy the key.
describe.each(EITHER_DATABASE)('T216 to T218: a copied token of a bound session, %s', (_, databaseUrl) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(databaseUrl);
  });
  afterAll(() => provider.close());
  const signIn = async () => signInBound(provider, uniqueEmail('owner'));

  it(`is worth nothing without the key, from the first moment, each of ${OWNERS}`, async () => {
    const owners: Awaited<ReturnType<typeof signIn>>[] = [];
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as people log in
    for (let n = 0; n < OWNERS; n += 1) owners.push(await signIn());
    const secrets = owners.flatMap(({ token, jwt }) => [token, jwt]);
    const alone = await Promise.all(
      secrets.map(async (session) => provider.call('POST', '/sessions/authenticate', {}, { session })),
    );
    expect(alone.map(answerOf)).toEqual(secrets.map(() => REQUIRED));
    const thief = await BoundPage.open(provider);
    for (const secret of secrets) {
      // oxlint-disable-next-line no-await-in-loop -- the nonce is that of the call before
      expect(answerOf(await thief.authenticate(secret))).toEqual(REQUIRED);
    }
    for (const { page, token } of owners) {
      // oxlint-disable-next-line no-await-in-loop
      expect((await page.authenticate(token)).status).toBe(200);
    }
  });

  it.each([
    ['GET', '/users/me'],
    ['GET', '/users/sessions'],
    ['POST', '/sessions/revoke'],
    ['POST', '/totps'],
    ['POST', '/passwords/session/reset'],
    ['POST', '/idp/oauth/authorize/start'],
    ['PUT', '/users/me'],
  ])('is refused by %s %s, without a proof and with one of another key', async (method, path) => {
    const { token, page } = await signIn();
    const bodies: Readonly<Record<string, object>> = {
      '/passwords/session/reset': { password: 'correct horse battery staple 7', session_duration_minutes: 60 },
      '/totps': { expiration_minutes: 60 },
      '/idp/oauth/authorize/start': {
        client_id: 'everything',
        redirect_uri: 'https://app.example.com/callback',
        response_type: 'code',
        scopes: ['openid'],
      },
    };
    const body = method === 'GET' ? undefined : (bodies[path] ?? {});
    const thief = await BoundPage.open(provider);
    const replies = [
      await provider.call(method, path, body, { session: token }),
      await thief.call(method, path, body, token),
    ];
    expect(replies.map(answerOf)).toEqual([REQUIRED, REQUIRED]);
    expect((await page.me(token)).status).toBe(200);
  });

  it('a proof is good once, also of ten at once at two servers', async () => {
    const { page, token } = await signIn();
    const proof = await page.proofOf('POST', '/sessions/authenticate', token);
    const apps = [provider.app, createApp(provider.services)];
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (__, n) => {
        const reply = await apps[n % 2]!.request('/sdk/v1/sessions/authenticate', {
          method: 'POST',
          headers: { authorization: basic(PUBLIC_TOKEN, token), 'content-type': 'application/json', dpop: proof },
          body: '{}',
        });
        return reply.status;
      }),
    );
    expect(statuses.sort((a, b) => a - b)).toEqual([200, ...Array.from({ length: 9 }, () => 401)]);
    const again = await page.sendWith(proof, 'POST', '/sessions/authenticate', {}, token);
    expect(answerOf(again)).toEqual(INVALID);
  });

  it.each([
    ['another address', { htu: `${ISSUER}/sdk/v1/sessions/revoke` }],
    ['another host', { htu: 'https://evil.example/sdk/v1/users/me' }],
    ['another method', { htm: 'POST' }],
    ['another token', { ath: 'A'.repeat(43) }],
    ['no token', { ath: undefined }],
    ['no address', { htu: undefined }],
    ['no id', { jti: undefined }],
    ['a huge id', { jti: 'x'.repeat(257) }],
  ])('a proof for %s is refused', async (_what, claims) => {
    const { page, token } = await signIn();
    const refused = await page.call('GET', '/users/me', undefined, token, { claims });
    expect(answerOf(refused)).toEqual(INVALID);
    expect((await page.me(token)).status).toBe(200);
  });

  it('a proof without the nonce of now is refused, also one that was made for later', async () => {
    const { page, token } = await signIn();
    const kept = await page.proofOf('GET', '/users/me', token);
    const foreign = await page.proofOf('GET', '/users/me', token, { claims: { nonce: base64url.encode('mine') } });
    const without = await page.proofOf('GET', '/users/me', token, { claims: { nonce: undefined } });
    provider.clock.time += 15 * MINUTE;
    for (const proof of [kept, foreign, without]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const reply = await page.sendWith(proof, 'GET', '/users/me', undefined, token);
      expect(answerOf(reply)).toEqual([401, 'use_dpop_nonce']);
    }
    expect((await page.me(token)).status).toBe(200);
  });

  it('a proof whose key is symmetric, private, of another kind or not there is refused', async () => {
    const { page, token } = await signIn();
    const secret = new TextEncoder().encode('s'.repeat(32));
    const claims = {
      htm: 'GET',
      htu: `${page.origin}/sdk/v1/users/me`,
      iat: 1,
      nonce: page.nonce,
    };
    const { jwk } = page.key;
    const symmetric = (header: object) =>
      new SignJWT({ ...claims, jti: randomUUID() })
        .setProtectedHeader({ alg: 'HS256', typ: 'dpop+jwt', ...header })
        .sign(secret);
    const none = [
      { alg: 'none', typ: 'dpop+jwt', jwk },
      { ...claims, jti: randomUUID() },
    ].map((part) => base64url.encode(JSON.stringify(part)));
    const other = await newBrowserKey();
    const proofs = [
      await symmetric({ jwk }),
      await symmetric({ jwk: { kty: 'oct', k: base64url.encode(secret) } }),
      `${none.join('.')}.`,
      // Signed by the thief, with the owner's public key in its header.
      await page.proofOf('GET', '/users/me', token, { key: { privateKey: other.privateKey, jwk } }),
      await page.proofOf('GET', '/users/me', token, { header: { jwk: undefined } }),
      await page.proofOf('GET', '/users/me', token, { header: { jwk: { ...jwk, d: 'A'.repeat(43) } } }),
      await page.proofOf('GET', '/users/me', token, { header: { typ: 'dbsc+jwt' } }),
      'a.b.c',
      '',
      'x'.repeat(8000),
    ];
    for (const proof of proofs) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { status } = await page.sendWith(proof, 'GET', '/users/me', undefined, token);
      expect(status).toBe(401);
    }
    expect((await page.me(token)).status).toBe(200);
  });

  it('no login with another key takes a bound session over: another session begins', async () => {
    const email = uniqueEmail('shared');
    const { token, reply, page } = await signInBound(provider, email);
    const other = await BoundPage.open(provider);
    const theirs = await signInBound(provider, email, other, token);
    const without = await provider.signIn(email, { session: token });
    const ids = [reply, theirs.reply].map(({ data }) => String(data['session'].session_id));
    ids.push(String(without['session'].session_id));
    expect(new Set(ids).size).toBe(3);
    expect(without['session']).not.toHaveProperty('device_bound');
    expect((await page.me(token)).status).toBe(200);
    expect(answerOf(await page.me(theirs.token))).toEqual(REQUIRED);
    expect((await other.me(theirs.token)).status).toBe(200);
  });

  it('a session that is not bound stays so: a thief of its token cannot bind it, and lock its owner out', async () => {
    const data = await provider.signIn(uniqueEmail('unbound'));
    const token = String(data['session_token']);
    const thief = await BoundPage.open(provider);
    const renewed = await thief.authenticate(token, { session_duration_minutes: 120 });
    expect(renewed.data['session']).not.toHaveProperty('device_bound');
    expect((await provider.call('GET', '/users/me', undefined, { session: token })).status).toBe(200);
  });

  soakIt(
    'two keys that race for one session: one of them has it, and the other one a session of its own or none',
    async () => {
      const data = await provider.signIn(uniqueEmail('race'));
      const token = String(data['session_token']);
      const pages = await Promise.all([BoundPage.open(provider), BoundPage.open(provider)]);
      const path = '/passwords/session/reset';
      const body = { password: 'correct horse battery staple 7', session_duration_minutes: 60 };
      const replies = await Promise.all(pages.map(async (page) => page.call('POST', path, body, token)));
      const won = replies.findIndex(({ status }) => status === 200);
      const [winner, loser] = won === 0 ? pages : [pages[1], pages[0]];
      const kept = String(replies[won]?.data['session_token']);
      expect((await winner.me(kept)).status).toBe(200);
      expect(answerOf(await loser.me(kept))).toEqual(REQUIRED);
      expect(answerOf(await provider.call('GET', '/users/me', undefined, { session: kept }))).toEqual(REQUIRED);
    },
  );

  soakIt('a refresh that races a sign-out brings nothing back', async () => {
    const { page, token } = await signIn();
    await page.me(token);
    await Promise.all([page.authenticate(token), page.call('POST', '/sessions/revoke', {}, token)]);
    expect(answerOf(await page.me(token))).toEqual([401, 'unauthorized_credentials']);
  });
});
