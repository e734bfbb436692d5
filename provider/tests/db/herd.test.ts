import { describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { basic, DATABASES, isSecond, otherThan, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { listedIf } from '#tests/soak-tests.ts';

const ORIGIN = 'http://localhost:3000';

describe.each(DATABASES)('many requests at once, on %s', (_, url) => {
  const provider = suiteProvider(url, { maxInFlight: 20 });

  const authenticate = (session: string) =>
    provider.post('/sessions/authenticate', { session_duration_minutes: 60 }, { session, headers: { origin: ORIGIN } });

  listedIf(!isSecond(url), it)('are answered or told when to come back, and no client loses its session', async () => {
    const users = await Promise.all(['a', 'b', 'c', 'd'].map((name) => provider.signIn(`${name}@example.com`)));
    let waiting = Array.from({ length: 160 }, (__, index) => String(users[index % 4]?.['session_token']));
    let rounds = 0;
    let shed = 0;
    for (; waiting.length > 0 && rounds < 60; rounds += 1) {
      const replies = await Promise.all(
        waiting.map(async (session) => ({ session, reply: await authenticate(session) })),
      );
      const refused = replies.filter(({ reply }) => reply.status !== 200);
      for (const { reply } of refused) {
        expect(reply.body).toMatchObject({ status_code: 503, error_type: 'service_unavailable' });
        expect(reply.headers.get('access-control-allow-origin')).toBe(ORIGIN);
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(2);
        expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(17);
      }
      const times = new Set(refused.map(({ reply }) => reply.headers.get('retry-after')));
      if (refused.length > 60) expect(times.size).toBeGreaterThan(5);
      shed += refused.length;
      waiting = refused.map(({ session }) => session);
    }
    expect(waiting).toEqual([]);
    expect(shed).toBeGreaterThan(0);
    for (const user of users) expect((await authenticate(String(user['session_token']))).status).toBe(200);
  });

  it('keep the session of all tabs until one tab ends it', async () => {
    const { session_token, session_jwt } = await provider.signIn('tabs@example.com');
    const secrets = [session_token, session_jwt] as [string, string];
    const tabs = await Promise.all(Array.from({ length: 15 }, (__, index) => authenticate(secrets[index % 2] ?? '')));
    expect(tabs.every(({ status }) => status === 200)).toBe(true);
    // The reply to a JWT has no token.
    const tokens = tabs.map(({ data }) => String(data['session_token'])).filter((token) => token !== '');
    expect(tokens).toHaveLength(8);
    expect((await Promise.all(tokens.map(authenticate))).every(({ status }) => status === 200)).toBe(true);
    const ending = provider.post('/sessions/revoke', undefined, { session: session_token });
    const during = await Promise.all(tokens.map(authenticate));
    expect((await ending).status).toBe(200);
    expect(during.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
    const after = await Promise.all([...tokens, ...secrets].map(authenticate));
    expect(after.every(({ body }) => body['error_type'] === 'unauthorized_credentials')).toBe(true);
  });

  listedIf(!isSecond(url), it)('get no more guesses after a restart on the same database', async () => {
    const restarted = () => createApp(provider.services);
    const { code, method_id } = await provider.sendCode('guessed@example.com');
    const guess = async (token: string): Promise<number> => {
      const init = {
        method: 'POST',
        headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' },
        body: JSON.stringify({ token, method_id, session_duration_minutes: 30 }),
      };
      return (await restarted().request('/sdk/v1/otps/authenticate', init)).status;
    };
    for (let tries = 0; tries < 5; tries += 1) expect(await guess(otherThan(code))).toBe(404);
    expect(await guess(code)).toBe(404);
  });
});
