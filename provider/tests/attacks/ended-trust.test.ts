import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { perform } from '#provider/operation/operators/commands.ts';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { CHALLENGED, enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { codeOf, isAlive, makeTarget, MINUTES, uniqueEmail } from './attacker.ts';

const mfa = { policy: 'when_enrolled', factors: ['totp'], trusted_devices: { days: 30 } };

/** A thief had the browser trusted. Whoever ends its session from another browser must not leave it the second factor. */
describe.each(EITHER_DATABASE)('a trusted browser whose session is ended, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, { mfa });
  });
  afterAll(() => provider.close());

  /** A login with both factors, in a browser that shows its token of trust. */
  async function logIn({ email, secret }: { readonly email: string; readonly secret: string }, fields: Fields = {}) {
    // A code of an authenticator app is good once.
    provider.clock.time += MINUTE;
    const browser = new LoginBrowser(provider);
    await enterEmail(provider, browser, email);
    const { data } = await browser.post('/totps/authenticate', {
      totp_code: codeOf(provider, secret),
      ...MINUTES,
      ...fields,
    });
    return { session: String(data['session_token']), session_id: data['session'].session_id as string, data };
  }
  async function trusted() {
    const user = await makeGuarded(provider, uniqueEmail('trusted'));
    const thief = await logIn(user, { trust_device: true });
    const owner = await logIn(user);
    return { user, thief, owner, token: String(thief.data['trusted_device_token']) };
  }
  /** The session of a login by one factor that shows the token of trust; null where it lacks the second factor. */
  async function spared(email: string, trusted_device_token: string): Promise<Fields | null> {
    const code = await provider.sendCode(email);
    const body = { token: code.code, method_id: code.method_id, ...MINUTES, ...CHALLENGED, trusted_device_token };
    const { data } = await provider.post('/otps/authenticate', body);
    expect(data).toHaveProperty('session');
    return data['session'] === null ? null : data;
  }
  const end = (session_id: string, session: string) =>
    provider.post(`/users/sessions/${session_id}/revoke`, {}, { session });
  async function listed(session: string): Promise<Fields> {
    const { data } = await provider.call('GET', '/users/sessions', undefined, { session });
    const rows = data['sessions'] as readonly Fields[];
    return Object.fromEntries(rows.map((row) => [row['session_id'], row['device_trusted'] ?? false]));
  }

  it('is trusted no longer after its session was ended from the list, which says that it was', async () => {
    const { user, thief, owner, token } = await trusted();
    expect(await listed(owner.session)).toMatchObject({ [thief.session_id]: true, [owner.session_id]: false });
    expect((await end(thief.session_id, owner.session)).status).toBe(200);
    expect(await spared(user.email, token)).toBeNull();
    expect(await isAlive(provider, owner.session)).toBe(true);
  });

  it('is trusted no longer where its last login was spared the second factor, or proved it again', async () => {
    for (const isSpared of [true, false]) {
      const { user, thief, owner, token } = await trusted();
      await provider.post('/sessions/revoke', {}, { session: thief.session });
      const again = isSpared
        ? (await spared(user.email, token))?.['session'].session_id
        : (await logIn(user, { trusted_device_token: token })).session_id;
      expect(await listed(owner.session)).toMatchObject({ [again]: true });
      expect((await end(again, owner.session)).status).toBe(200);
      expect(await spared(user.email, token)).toBeNull();
    }
  });

  it('is trusted no longer after "everywhere else", and after an operator ended its session', async () => {
    const { user, owner, token } = await trusted();
    await provider.post('/users/sessions/revoke_others', {}, { session: owner.session });
    expect(await spared(user.email, token)).toBeNull();
    const other = await trusted();
    await perform(provider.services, 'sessions.revoke', { id: other.thief.session_id });
    expect(await spared(other.user.email, other.token)).toBeNull();
  });

  it('stays trusted after a log-out, also one from its list', async () => {
    const { user, thief, token } = await trusted();
    await provider.post('/sessions/revoke', {}, { session: thief.session });
    expect(await spared(user.email, token)).not.toBeNull();
    const second = await logIn(user, { trusted_device_token: token });
    expect((await end(second.session_id, second.session)).status).toBe(200);
    expect(await spared(user.email, token)).not.toBeNull();
  });

  it('is trusted no longer where the session was one of a copy of its token', async () => {
    const user = await makeGuarded(provider, uniqueEmail('copied'));
    const owner = await logIn(user, { trust_device: true });
    const token = String(owner.data['trusted_device_token']);
    const thief = await spared(user.email, token);
    expect(thief).not.toBeNull();
    expect((await end(String(thief?.['session'].session_id), owner.session)).status).toBe(200);
    expect(await spared(user.email, token)).toBeNull();
    expect(await isAlive(provider, owner.session)).toBe(true);
  });

  it('has one token: another one ends the first', async () => {
    const { user, owner, token } = await trusted();
    const again = await logIn(user, { trusted_device_token: token, trust_device: true });
    expect(await spared(user.email, token)).toBeNull();
    const next = String(again.data['trusted_device_token']);
    expect(await spared(user.email, next)).not.toBeNull();
    expect((await end(again.session_id, owner.session)).status).toBe(200);
    expect(await spared(user.email, next)).toBeNull();
  });
});
