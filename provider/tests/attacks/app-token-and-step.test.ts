import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, EITHER_DATABASE, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';
import { enterEmail, LoginBrowser } from '../kit/second-step.ts';
import { consent, enrolTotp, isAlive, makeTarget, MINUTES, redeemCode, uniqueEmail } from './attacker.ts';

/**
 * A thief has the access token of an app that a user let in with two factors. The token makes a session of the app. It must not be the
 * second factor of the user's own session or login, and must not spare the second factor of a login.
 */
describe.each(EITHER_DATABASE)('the token of an app that was let in with two factors, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    const mfa = { policy: 'when_enrolled', factors: ['totp', 'recovery_code'], trusted_devices: { days: 30 } };
    provider = await makeTarget(url, {}, { mfa });
  });
  afterAll(() => provider.close());

  /** A session that began before the second factor was added, and the token. */
  async function stolen() {
    const email = uniqueEmail('victim');
    const { session_token, session } = await provider.signIn(email);
    const own = await enrolTotp(provider, String((await provider.signIn(email))['session_token']));
    const granted = await consent(provider, own.session);
    const { access_token } = await redeemCode(provider, granted.data['authorization_code']);
    const id = String((session as Fields)['session_id']);
    return { email, access_token: String(access_token), session: String(session_token), id };
  }
  const exchange = (access_token: string, fields: Fields = {}) =>
    provider.post('/sessions/exchange_access_token', { access_token, ...MINUTES, ...fields });
  const isOfApp = async (session: string) => {
    const { status, body } = await provider.post('/totps/recovery_codes', {}, { session });
    expect([status, body['error_type']]).toEqual([403, 'unauthorized_action']);
  };

  it('is no second factor of a session that lacks one', async () => {
    const { access_token, session, id } = await stolen();
    const headers = { authorization: basic(PUBLIC_TOKEN, session) };
    const thief = new LoginBrowser({ post: async (path, body) => provider.post(path, body, { headers }) });
    expect((await thief.post('/sessions/authenticate')).data['mfa']).toMatchObject({
      factors: ['totp', 'recovery_code'],
    });
    const { data } = await exchange(access_token, thief.fields);
    expect(data['session'].session_id).not.toBe(id);
    await isOfApp(String(data['session_token']));
    expect(await isAlive(provider, session)).toBe(false);
  });

  it('is no second factor of a login that lacks one', async () => {
    const { email, access_token } = await stolen();
    const thief = new LoginBrowser(provider);
    expect((await enterEmail(provider, thief, email)).data['session']).toBeNull();
    const { data } = await exchange(access_token, thief.fields);
    const types = (data['session'].authentication_factors as Fields[]).map(({ type }) => String(type));
    expect(types.filter((type) => type === 'otp')).toHaveLength(1);
    await isOfApp(String(data['session_token']));
  });

  it('makes no trusted browser', async () => {
    const { email, access_token } = await stolen();
    const { data } = await exchange(access_token, { trust_device: true });
    const { trusted_device_token } = data;
    const { method_id, code: token } = await provider.sendCode(email);
    const { fields } = new LoginBrowser(provider);
    const login = { method_id, token, ...MINUTES, ...fields, trusted_device_token };
    expect((await provider.post('/otps/authenticate', login)).data['session']).toBeNull();
    expect(trusted_device_token).toBeUndefined();
  });
});
