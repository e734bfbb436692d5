import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeJwt } from 'jose';
import type { Hono } from 'hono';
import { gates } from '#application/api/gates.ts';
import { CALLER_KINDS } from '#domain/rules/gates.ts';
import { SESSION_REFUSALS } from '#domain/sessions/session-refusals.ts';
import { createVerifier, type Verifier } from '#composition/server.ts';
import { backendGates } from '#provider/accounts/sessions/reading/backend-gates.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { ISSUER } from '../kit/idp-harness.ts';
import { enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { codeOf, consent, makeTarget, MINUTES, passkey, redeemCode, uniqueEmail, wallet } from './attacker.ts';
import { GATE_SETTINGS, isWithoutPolicy, CALLER_MAKERS, withoutPolicy } from './gate-callers.ts';

const SETTINGS = { mfa: { ...GATE_SETTINGS.mfa, factors: ['totp', 'recovery_code', 'webauthn'] } };
const TWO = 'urn:portico:aal2';

const bearer = (secret: unknown) =>
  new Request('https://app.example/', { headers: { authorization: `Bearer ${String(secret)}` } });

describe.each(EITHER_DATABASE)('what an app’s server is told of a session, on %s', (_, url) => {
  let provider: Provider;
  let off: Hono<AppEnv>;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, SETTINGS);
    off = withoutPolicy(provider);
  });
  afterAll(() => provider.close());

  function verifierAt(app: Hono<AppEnv>, by: 'publicToken' | 'secret'): Verifier {
    const { project_id: projectId, public_token: publicToken } = provider.services.project;
    const credentials = by === 'secret' ? { secret: DEV_SECRET } : { publicToken };
    const clock = { now: () => provider.clock.time, after: () => () => undefined };
    return createVerifier({
      projectId,
      apiUrl: ISSUER,
      ...credentials,
      adapters: { clock },
      fetch: async (to, init) => app.request(to, init),
    });
  }

  it('has a verdict for each refusal of a session by either API', () => {
    const rows = [gates.sessions.authenticate, backendGates.sessions.authenticate];
    const answers = rows.flatMap((row) => CALLER_KINDS.map((kind) => row[kind]));
    const unknown = answers.filter((answer) => answer !== 'passes' && !SESSION_REFUSALS.has(answer));
    expect(unknown).toEqual([]);
  });

  it.each(CALLER_KINDS)('is never an outage for %s', async (kind) => {
    const { session } = await (await CALLER_MAKERS[kind](provider, off)).present();
    const app = isWithoutPolicy(kind) ? off : provider.app;
    for (const by of ['publicToken', 'secret'] as const) {
      const found = await verifierAt(app, by).authenticateRequest(bearer(session ?? 'A'.repeat(43)), { fresh: true });
      expect(found.status, by).not.toBe('unavailable');
      if (kind === 'lacking') expect(found, by).toEqual({ status: 'signed-out', reason: 'lacks-factor' });
    }
  });

  it('is no login of the user while an operator impersonates them', async () => {
    const { session } = await (await CALLER_MAKERS.impersonated(provider, off)).present();
    const found = await verifierAt(provider.app, 'secret').authenticateRequest(bearer(session), { maxAgeMinutes: 10 });
    expect(found).toMatchObject({ status: 'forbidden', lacks: { reason: 'too-old' } });
  });

  /** A user with an old session, which a thief has copied. */
  async function stolenSession() {
    const email = uniqueEmail('owner');
    const { session_token } = await provider.signIn(email);
    const loginAt = provider.clock.time;
    provider.clock.time += 20 * MINUTE;
    return { email, session: String(session_token), loginAt };
  }

  async function addApp(session: string): Promise<Fields> {
    const { data } = await provider.post('/totps', { expiration_minutes: 60 }, { session });
    const totp_code = codeOf(provider, String(data['secret']));
    return (await provider.post('/totps/authenticate', { totp_code, ...MINUTES }, { session })).data;
  }

  const ADDITIONS: Readonly<Record<string, (session: string) => Promise<Fields>>> = {
    'an authenticator app': addApp,
    'a passkey': async (session) => (await (await passkey(provider).begin(session))()).data,
    'a wallet': async (session) => (await (await wallet(provider).begin(session))()).data,
  };

  it.each(Object.keys(ADDITIONS))('is no newer and no stronger by %s that a thief adds', async (name) => {
    const { session, loginAt } = await stolenSession();
    const added = (await ADDITIONS[name]?.(session)) ?? {};
    const jwt = String(added['session_jwt']);
    const verifier = verifierAt(provider.app, 'publicToken');
    for (const secret of [jwt, added['session_token']]) {
      const two = await verifier.authenticateRequest(bearer(secret), { factors: 2 });
      expect(two).toMatchObject({ status: 'forbidden', lacks: { reason: 'second-factor' } });
      const fresh = await verifier.authenticateRequest(bearer(secret), { maxAgeMinutes: 10 });
      expect(fresh).toMatchObject({ status: 'forbidden', lacks: { reason: 'too-old' } });
    }
    const claims = decodeJwt(jwt);
    expect(claims['acr']).not.toBe(TWO);
    expect(claims['amr']).not.toContain('mfa');
    expect(claims['auth_time']).toBe(loginAt / 1000);
    const granted = await consent(provider, String(added['session_token']), ['openid']);
    const tokens = await redeemCode(provider, granted.data['authorization_code']);
    const idToken = decodeJwt(String(tokens['id_token']));
    expect([idToken['acr'] === TWO, idToken['auth_time']]).toEqual([false, loginAt / 1000]);
  });

  it('is no login of the user by a passkey that a thief added, in a session of its own', async () => {
    const { session } = await stolenSession();
    await provider.services.db
      .updateTable('users')
      .set({ created_at: new Date(provider.clock.time - 2000 * MINUTE) })
      .execute();
    await provider.services.db
      .updateTable('emails')
      .set({ created_at: new Date(provider.clock.time - 2000 * MINUTE) })
      .execute();
    const way = passkey(provider);
    await (
      await way.begin(session)
    )();
    provider.clock.time += MINUTE;
    const entered = await way.login();
    const claims = decodeJwt(String(entered['session_jwt']));
    expect([claims['acr'] === TWO, claims['auth_time']]).toEqual([false, undefined]);
    const found = await verifierAt(provider.app, 'publicToken').authenticateRequest(bearer(entered['session_jwt']), {
      maxAgeMinutes: 10,
    });
    expect(found).toMatchObject({ status: 'forbidden', lacks: { reason: 'too-old' } });
  });

  it('has two factors after an owner adds one right after their login, and later with both', async () => {
    const email = uniqueEmail('owner');
    const { session_token } = await provider.signIn(email);
    provider.clock.time += 2 * MINUTE;
    const added = await addApp(String(session_token));
    const verifier = verifierAt(provider.app, 'publicToken');
    const two = { factors: 2, maxAgeMinutes: 10 } as const;
    expect((await verifier.authenticateRequest(bearer(added['session_jwt']), two)).status).toBe('signed-in');
    const { session, secret, email: guarded } = await makeGuarded(provider, uniqueEmail('guarded'));
    expect(session).not.toBe('');
    const browser = new LoginBrowser(provider);
    await enterEmail(provider, browser, guarded);
    const entered = await browser.post('/totps/authenticate', { totp_code: codeOf(provider, secret), ...MINUTES });
    expect((await verifier.authenticateRequest(bearer(entered.data['session_jwt']), two)).status).toBe('signed-in');
  });
});
