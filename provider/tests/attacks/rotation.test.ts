import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSignedIn } from '#provider/accounts/sessions/rows/find.ts';
import { renew } from '#provider/accounts/sessions/rows/store.ts';
import { EITHER_DATABASE, type ProviderResponse, type Fields, type Provider } from '../kit/harness.ts';
import { enrolTotp, isAlive, makeTarget, MINUTES, passkey, uniqueEmail } from './attacker.ts';
import { oneOf, RACES } from '#tests/soak.ts';

const PASSWORD = 'correct horse battery staple';

describe.each(EITHER_DATABASE)('a JWT that was copied before the session was rotated, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  /** The calls that rotate the token of the presented session. Each resolves with the reply that has the new token. */
  const ROTATIONS: Readonly<Record<string, (owner: Fields, email: string) => Promise<Fields>>> = {
    async 'a login by link'(owner, email) {
      const body = { token: await provider.sendLink(email), ...MINUTES };
      return (await provider.post('/magic_links/authenticate', body, { session: owner['session_token'] })).data;
    },
    'a login by passcode': (owner, email) => provider.signIn(email, { session: owner['session_token'] }),
    async 'a step-up with an authenticator app'(owner) {
      const { session } = await enrolTotp(provider, owner['session_token']);
      return { session_token: session };
    },
    async 'a new passkey'(owner) {
      const reply = await (await passkey(provider).begin(owner['session_token']))();
      return reply.data;
    },
    async 'a new password'(owner) {
      const extras = { session: String(owner['session_token']) };
      return (await provider.post('/passwords/session/reset', { password: PASSWORD }, extras)).data;
    },
  };

  const refresh = (session: unknown): Promise<ProviderResponse> =>
    provider.post('/sessions/authenticate', {}, { session: String(session) });

  it.each(oneOf(2, Object.keys(ROTATIONS)))('the copied JWT is refused after %s', async (name) => {
    const email = uniqueEmail('rotated');
    const owner = await provider.signIn(email);
    const copied = owner['session_jwt'];
    expect(await isAlive(provider, copied)).toBe(true);
    const rotated = await ROTATIONS[name]!(owner, email);
    expect(await isAlive(provider, rotated['session_token'])).toBe(true);
    for (const old of [copied, owner['session_token']]) {
      expect((await refresh(old)).body['error_type']).toBe('unauthorized_credentials');
      expect(await isAlive(provider, old)).toBe(false);
      expect((await provider.post('/sessions/revoke', undefined, { session: String(old) })).status).toBe(401);
    }
    const next = await refresh(rotated['session_token']);
    expect(await isAlive(provider, next.data['session_jwt'])).toBe(true);
  });

  it('the copied JWT cannot extend the session while the owner rotates it', async () => {
    const email = uniqueEmail('racing');
    for (let round = 0; round < RACES; round += 1) {
      const owner = await provider.signIn(email);
      const { method_id, code } = await provider.sendCode(email);
      const body = { token: code, method_id, ...MINUTES };
      const extras = { session: String(owner['session_token']) };
      const [rotated, ...bought] = await Promise.all([
        provider.post('/otps/authenticate', body, extras),
        ...Array.from({ length: 8 }, () => refresh(owner['session_jwt'])),
      ]);
      expect(await isAlive(provider, rotated.data['session_token'])).toBe(true);
      for (const { status, data } of bought) {
        expect(status).toBeLessThan(500);
        if (data['session_token'] === undefined) continue;
        expect(await isAlive(provider, data['session_token'])).toBe(false);
        expect(await isAlive(provider, data['session_jwt'])).toBe(false);
      }
    }
  });

  it.each(['session_token', 'session_jwt'])(
    'custom claims buy nothing for an old %s while a login rotates it',
    async (form) => {
      const { services, clock } = provider;
      const email = uniqueEmail('claiming');
      const owner = await provider.signIn(email);
      clock.time += 30_000;
      const read = async () => (await findSignedIn(services, String(owner[form])))!;
      const renewal = { minutes: undefined, claims: { plan: 'gold' } };
      // Clients subtract the last use from the end, so it must be exact.
      const last_accessed_at = new Date(clock.time).toISOString();
      expect(await renew(services, await read(), renewal)).toMatchObject({ session: { last_accessed_at } });
      const before = await read();
      const rotated = await provider.signIn(email, { session: String(owner['session_token']) });
      for (const signedIn of [before, { ...before, isTokenStored: false }]) {
        expect(await renew(services, signedIn, renewal)).toBeUndefined();
        expect(await isAlive(provider, owner['session_token'])).toBe(false);
      }
      expect(await isAlive(provider, rotated['session_token'])).toBe(true);
    },
  );

  it('refreshing with JWTs fills no table', async () => {
    const owner = await provider.signIn(uniqueEmail('filling'));
    const count = async () => {
      const session_id = String(owner['session']['session_id']);
      const rows = provider.services.db.selectFrom('session_tokens').selectAll().where('session_id', '=', session_id);
      return (await rows.execute()).length;
    };
    let jwt = owner['session_jwt'] as unknown;
    for (let i = 0; i < 10; i += 1) jwt = (await refresh(jwt)).data['session_jwt'];
    expect(await count()).toBe(1);
  });
});
