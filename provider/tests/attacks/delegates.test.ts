import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { createApp } from '#provider/operation/app.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { basic, EITHER_DATABASE, makeProvider, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';
import { CALLBACK, ISSUER, SETTINGS } from '../kit/idp-harness.ts';
import {
  APP,
  codeOf,
  consent,
  enrolTotp,
  exchange,
  isAlive,
  makeTarget,
  MINUTES,
  passkey,
  redeemCode,
  secondAddress,
  uniqueEmail,
  wallet,
} from './attacker.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'correct horse battery staple';

// Complete flows, which are slow when many tests share a core.

describe.each(EITHER_DATABASE)('an operator or app that acts for a user, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  async function impersonate(email: string): Promise<string> {
    const { token } = await administer(provider.services, 'impersonate', { user: email, by: 'ann' });
    const reply = await provider.post('/impersonation/authenticate', { impersonation_token: token });
    return String(reply.data['session_token']);
  }

  async function connected(scopes: readonly string[] = ['openid', 'offline_access', 'full_access']) {
    const email = uniqueEmail('acted-for');
    const owner = String((await provider.signIn(email))['session_token']);
    const tokens = await redeemCode(provider, (await consent(provider, owner, scopes)).data['authorization_code']);
    const made = await exchange(provider, tokens['access_token']);
    return { email, owner, tokens, session: String(made.data['session_token']) };
  }

  it('a code that the user reads out gives no unmarked session', async () => {
    const email = uniqueEmail('acted-for');
    const app = await enrolTotp(provider, String((await provider.signIn(email))['session_token']));
    const session = await impersonate(email);
    const entered = await provider.post(
      '/totps/authenticate',
      { totp_code: codeOf(provider, app.secret), ...MINUTES },
      { session },
    );
    const recovered = await provider.post(
      '/totps/recover',
      { recovery_code: app.recovery_codes[0], ...MINUTES },
      { session },
    );
    for (const reply of [entered, recovered]) {
      expect([reply.status, reply.body['error_type']]).toEqual([403, 'unauthorized_action']);
    }
    // Nothing was used up.
    const own = String((await provider.signIn(email))['session_token']);
    expect(
      (await provider.post('/totps/recover', { recovery_code: app.recovery_codes[0], ...MINUTES }, { session: own }))
        .status,
    ).toBe(200);
  });

  it.each([wallet, passkey, secondAddress].map((make) => [make]))(
    'finishing the %o that the user began gives no session of one’s own',
    async (make) => {
      const email = uniqueEmail('acted-for');
      const owner = String((await provider.signIn(email))['session_token']);
      const way = make(provider);
      const finish = await way.begin(owner);
      const reply = await finish(await impersonate(email));
      expect(reply.status).toBe(403);
      const tokens = await redeemCode(provider, (await consent(provider, owner)).data['authorization_code']);
      const made = await exchange(provider, tokens['access_token']);
      const byApp = await finish(String(made.data['session_token']));
      expect(byApp.status).toBe(403);
      expect(await way.enter().catch(() => null)).not.toBe(made.data['user_id']);
    },
  );

  it('a session ends when its app gives the access token up', async () => {
    const { tokens, session, owner } = await connected(['openid', 'full_access']);
    expect(await isAlive(provider, session)).toBe(true);
    const body = new URLSearchParams({ client_id: APP, token: String(tokens['access_token']) });
    expect((await provider.app.request(`${ISSUER}/oauth2/revoke`, { method: 'POST', body })).status).toBe(200);
    expect(await isAlive(provider, session)).toBe(false);
    expect(await isAlive(provider, owner)).toBe(true);
  });

  soakIt('a session that is made while its access token is revoked does not survive', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { tokens } = await connected(['openid', 'full_access']);
      const body = new URLSearchParams({ client_id: APP, token: String(tokens['access_token']) });
      const [revoked, ...made] = await Promise.all([
        provider.app.request(`${ISSUER}/oauth2/revoke`, { method: 'POST', body }),
        ...Array.from({ length: 5 }, () => exchange(provider, tokens['access_token'])),
      ]);
      expect(revoked.status).toBe(200);
      for (const { status, data } of made) {
        expect(status).toBeLessThan(500);
        expect(await isAlive(provider, data['session_token'])).toBe(false);
      }
    }
  });

  it.each([
    ['the app', []],
    [
      'full_access',
      [
        {
          client_id: APP,
          client_type: 'public',
          name: 'App',
          redirect_uris: [CALLBACK],
          scopes: ['openid', 'offline_access'],
        },
      ],
    ],
  ])('a session ends when the project file no longer lists %s', async (_name, clients) => {
    const { session, owner } = await connected();
    const app = createApp({ ...provider.services, project: projectFrom({ ...SETTINGS, clients }) });
    const me = async (secret: string) =>
      (await app.request('/sdk/v1/users/me', { headers: { authorization: basic(PUBLIC_TOKEN, secret) } })).status;
    expect(await me(session)).toBe(401);
    expect(await me(owner)).toBe(200);
  });
});

describe.each(EITHER_DATABASE)('an app with a session of a user, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    const client = {
      client_type: 'public',
      name: 'App',
      redirect_uris: [CALLBACK],
      scopes: ['openid', 'offline_access', 'full_access'],
    };
    provider = await makeProvider(url, {
      project: projectFrom({
        ...SETTINGS,
        clients: [
          { ...client, client_id: APP },
          { ...client, client_id: 'rival' },
        ],
      }),
      limits: {
        ...DEFAULT_LIMITS,
        failuresPerUser: { max: 3, windowMs: 60_000_000 },
        strangerFailuresPerUser: { max: 1, windowMs: 60_000_000 },
      },
    });
  });
  afterAll(() => provider.close());

  async function session(owner: string): Promise<Fields> {
    const { data } = await consent(provider, owner, ['openid', 'full_access']);
    return redeemCode(provider, data['authorization_code']);
  }

  soakIt('more sessions give the app no more guesses at the password', async () => {
    const email = uniqueEmail('guessed');
    const owner = String((await provider.signIn(email))['session_token']);
    const set = await provider.post('/passwords/session/reset', { password: PASSWORD }, { session: owner });
    const tokens = await session(String(set.data['session_token']));
    let looked = 0;
    for (let made = 0; made < 7; made += 1) {
      const own = String((await exchange(provider, tokens['access_token'])).data['session_token']);
      const guess = await provider.post(
        '/passwords/authenticate',
        { email, password: `guess number ${made} of many`, ...MINUTES },
        { session: own },
      );
      if (guess.status === 401) looked += 1;
    }
    expect(looked).toBe(3);
  });

  it('the app cannot revoke the access of another app', async () => {
    const owner = String((await provider.signIn(uniqueEmail('rivals')))['session_token']);
    const request = {
      client_id: 'rival',
      redirect_uri: CALLBACK,
      response_type: 'code',
      scopes: ['openid'],
      code_challenge: 'x'.repeat(43),
      consent_granted: true,
    };
    expect((await provider.post('/idp/oauth/authorize/submit', request, { session: owner })).status).toBe(200);
    const tokens = await session(owner);
    const own = String((await exchange(provider, tokens['access_token'])).data['session_token']);
    const taken = await provider.post('/users/connected_apps/rival/revoke', undefined, { session: own });
    expect([taken.status, taken.body['error_type']]).toEqual([403, 'unauthorized_action']);
    expect((await provider.post(`/users/connected_apps/${APP}/revoke`, undefined, { session: own })).status).toBe(200);
    expect(await isAlive(provider, own)).toBe(false);
  });
});
