import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeHash } from '#provider/base/security/secrets.ts';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { newestLink, noticesTo, open, press } from '../notices/steps.ts';
import { codeOf, makeTarget, MINUTES, uniqueEmail } from './attacker.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** New recovery codes are worth a login, so a session without the second factor makes none, and those before are worth nothing. */

const settings = {
  mfa: { policy: 'when_enrolled', trusted_devices: { days: 30 } },
  notices: { recovery_codes: true, factors: true },
};
const ALL = 10;

describe.each(EITHER_DATABASE)('recovery codes, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, settings);
  });
  afterAll(() => provider.close());

  const guarded = () => makeGuarded(provider, uniqueEmail('codes'));
  const summary = async (session: string) =>
    (await provider.call('GET', '/users/me/recovery_codes', undefined, { session })).data['recovery_codes'] as unknown;
  const renew = (session: string) => provider.post('/users/me/recovery_codes', {}, { session });
  const codesIn = ({ data }: { readonly data: Fields }) => data['recovery_codes'] as readonly string[];
  /** Logs in by a passcode and a recovery code. */
  const recover = async (email: string, recovery_code: string | undefined) => {
    const browser = new LoginBrowser(provider);
    await enterEmail(provider, browser, email);
    return browser.post('/totps/recover', { recovery_code, ...MINUTES });
  };

  it('are counted for their user, who is not shown them again', async () => {
    const { email, session, recovery_codes } = await guarded();
    expect(await summary(session)).toEqual({ left: ALL, can_be_shown: false });
    expect((await recover(email, recovery_codes[4])).status).toBe(200);
    expect(await summary(session)).toEqual({ left: ALL - 1, can_be_shown: false });
    const other = String((await provider.signIn(uniqueEmail('other')))['session_token']);
    expect(await summary(other)).toBe(null);
    expect((await renew(other)).body).toMatchObject({ status_code: 404, error_type: 'totp_not_found' });
    await provider.post('/totps', { expiration_minutes: 60 }, { session: other });
    expect(await summary(other)).toBe(null);
    expect((await renew(other)).body['error_type']).toBe('totp_not_found');
  });

  soakIt('that the user makes end all those before at once', async () => {
    const { email, session, recovery_codes } = await guarded();
    const made = await renew(session);
    expect(made.status).toBe(200);
    const codes = codesIn(made);
    expect(new Set([...codes, ...recovery_codes]).size).toBe(2 * ALL);
    for (const code of recovery_codes.slice(0, 2)) {
      expect((await recover(email, code)).body['error_type']).toBe('recovery_code_not_found');
    }
    expect((await recover(email, codes[0])).status).toBe(200);
    expect(await summary(session)).toEqual({ left: ALL - 1, can_be_shown: false });
  });

  it('of 60 bits, which earlier versions made, still work once, in any spelling', async () => {
    const { email, session, totp_id } = await guarded();
    const { db, keys } = provider.services;
    const old = { code: 'k3mp-9qdf-x2aw', typed: ' K3MP9qdf X2AW' };
    await db
      .insertInto('recovery_codes')
      .values({ totp_id, code_hash: codeHash(keys.codeKey, totp_id, old.code), sealed: '', place: ALL })
      .execute();
    expect(await summary(session)).toEqual({ left: ALL + 1, can_be_shown: false });
    expect((await recover(email, old.typed)).status).toBe(200);
    expect((await recover(email, old.code)).body['error_type']).toBe('recovery_code_not_found');
  });

  it('are not made in a session without the second factor, nor in a login that lacks it', async () => {
    const { email, session } = await guarded();
    // The session began with two factors; one of them is taken from it, as where the policy was raised after the login.
    const { db } = provider.services;
    const mine = await db
      .selectFrom('sessions')
      .select(['session_id', 'authentication_factors'])
      .where('user_id', '=', String((await provider.call('GET', '/users/me', undefined, { session })).data['user_id']))
      .execute();
    for (const { session_id, authentication_factors: factors } of mine) {
      const first = JSON.stringify(factors.filter(({ type }) => type === 'otp'));
      await db
        .updateTable('sessions')
        .set({ authentication_factors: first })
        .where('session_id', '=', session_id)
        .execute();
    }
    expect((await renew(session)).body).toMatchObject({ status_code: 403, error_type: 'mfa_required' });
    const browser = new LoginBrowser(provider);
    await enterEmail(provider, browser, email);
    expect((await browser.post('/users/me/recovery_codes')).status).toBe(401);
    const token = String(browser.fields['intermediate_session_token']);
    expect((await renew(token)).status).toBe(401);
    expect((await provider.call('GET', '/users/me/recovery_codes')).status).toBe(401);
  });

  soakIt(
    'made ten times at once are one set, and a code before spent meanwhile counts once or not at all',
    async () => {
      const { email, session, totp_id, recovery_codes } = await guarded();
      const [entered, ...made] = await Promise.all([
        recover(email, recovery_codes[0]),
        ...Array.from({ length: 10 }, () => renew(session)),
      ]);
      // The logins that lack a factor end with each change, so the code may come too late.
      expect([200, 401, 404]).toContain(entered.status);
      const renewed = made.filter(({ status }) => status === 200);
      expect(renewed.length).toBeGreaterThan(0);
      expect(made.every(({ status }) => status < 500)).toBe(true);
      const { db, keys } = provider.services;
      const rows = await db.selectFrom('recovery_codes').select('code_hash').where('totp_id', '=', totp_id).execute();
      const stored = new Set(rows.map(({ code_hash }) => code_hash));
      expect(stored.size).toBe(ALL);
      const whole = renewed.filter((reply) =>
        codesIn(reply).every((code) => stored.has(codeHash(keys.codeKey, totp_id, code))),
      );
      expect(whole).toHaveLength(1);
      expect((await recover(email, recovery_codes[1])).status).toBe(404);
    },
  );

  it('that are made end the trust in browsers and the logins that lack a factor', async () => {
    const { email, secret } = await guarded();
    const trusted = new LoginBrowser(provider);
    await enterEmail(provider, trusted, email);
    const entered = { totp_code: codeOf(provider, secret), trust_device: true, ...MINUTES };
    const session = String((await trusted.post('/totps/authenticate', entered)).data['session_token']);
    const { trusted_device_token } = trusted.fields;
    const waiting = new LoginBrowser(provider);
    await enterEmail(provider, waiting, email);
    expect((await waiting.post('/mfa/status')).status).toBe(200);
    expect((await renew(session)).status).toBe(200);
    expect((await waiting.post('/mfa/status')).body['error_type']).toBe('intermediate_session_not_found');
    const again = await enterEmail(provider, new LoginBrowser(provider), email, { trusted_device_token });
    expect(again.data['session']).toBe(null);
  });

  soakIt('that are made are told to the owner, whose link ends them, to the audit log and to webhooks', async () => {
    const { email, session } = await guarded();
    const { db } = provider.services;
    const hook = `https://hooks.example/${randomUUID()}`;
    await db.insertInto('webhook_endpoints').values({ url: hook, events: null }).execute();
    const codes = codesIn(await renew(session));
    await db.deleteFrom('webhook_endpoints').where('url', '=', hook).execute();
    const sent = await db.selectFrom('outbox').select('text').where('recipient', '=', hook).execute();
    expect(sent.map(({ text }) => (JSON.parse(text) as Fields)['type'] as string)).toEqual(['recovery_codes.renewed']);
    const user_id = String((await provider.call('GET', '/users/me', undefined, { session })).data['user_id']);
    const logged = await db
      .selectFrom('audit_log')
      .select(['outcome', 'actor_kind'])
      .where('user_id', '=', user_id)
      .where('event', '=', 'recovery_codes_renewed')
      .execute();
    expect(logged).toEqual([{ outcome: 'ok', actor_kind: 'user' }]);

    const texts = (await noticesTo(provider, email)).map(({ text }) => text);
    expect(texts.some((text) => text.includes('New recovery codes were made.'))).toBe(true);
    const link = await newestLink(provider, email);
    if (link === null) throw new Error('no link');
    expect((await open(provider, link)).text).toContain('New recovery codes were made.');
    expect((await press(provider, link, 'undo')).status).toBe(200);
    expect((await recover(email, codes[0])).body['error_type']).toBe('recovery_code_not_found');
  });
});
