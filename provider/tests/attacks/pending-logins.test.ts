import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, type Provider } from '../kit/harness.ts';
import { browser, CHALLENGE, VERIFIER } from '../kit/oauth-harness.ts';
import { makeTarget, MINUTES, uniqueEmail } from './attacker.ts';

const PASSWORD = 'correct horse battery staple';
const OTHER = 'a wholly different phrase of mine';

describe.each(DATABASES)('the token of an unfinished social login, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  async function pending() {
    const email = uniqueEmail('social');
    const choice = { email, verified: 'yes' } as const;
    const token = () => browser(provider).token('google', choice, { code_challenge: CHALLENGE });
    const enter = async (given: string) =>
      provider.post('/oauth/authenticate', { token: given, code_verifier: VERIFIER, ...MINUTES });
    const { data } = await enter(await token());
    const session = String(data['session_token']);
    const set = await provider.post('/passwords/session/reset', { password: PASSWORD }, { session });
    expect(set.status).toBe(200);
    return { email, session: String(set.data['session_token']), stolen: await token(), enter };
  }

  it('a change of the password in a session ends the token', async () => {
    const { session, stolen, enter } = await pending();
    expect((await provider.post('/passwords/session/reset', { password: OTHER }, { session })).status).toBe(200);
    expect((await enter(stolen)).status).toBe(404);
  });

  it('a change of the password with the old one ends the token', async () => {
    const { email, stolen, enter } = await pending();
    const body = { email, existing_password: PASSWORD, new_password: OTHER, ...MINUTES };
    expect((await provider.post('/passwords/existing_password/reset', body)).status).toBe(200);
    expect((await enter(stolen)).status).toBe(404);
  });
});
