import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider, type ProviderResponse } from '../kit/harness.ts';
import { enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { newestLink, noticesTo, press, tell } from '../notices/steps.ts';
import { codeOf, enrolTotp, fromServer, isAlive, makeTarget, MINUTES, uniqueEmail } from './attacker.ts';
import { soakIt } from '#tests/soak-tests.ts';

/**
 * Whoever knows the first factor may begin the removal of the second ones. Nobody else may, nobody is flooded by it, and until somebody
 * with a mailbox of the account finishes it, the login needs the second factor as before.
 */

const HOUR = 60 * MINUTE;
const GONE = [401, 'intermediate_session_not_found'];
const outcome = ({ status, body }: ProviderResponse) => [status, body['error_type']];
const start = (browser: Pick<LoginBrowser, 'post'>) => browser.post('/mfa/recovery/start');

describe.each(EITHER_DATABASE)('the start of a recovery, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    const mfa = {
      policy: 'when_enrolled',
      factors: ['totp', 'sms', 'recovery_code'],
      recovery_hours: 48,
      trusted_devices: { days: 30 },
    };
    provider = await makeTarget(
      url,
      { recoveriesPerUser: DEFAULT_LIMITS.recoveriesPerUser },
      { mfa, notices: { factors: true } },
    );
  });
  afterAll(() => provider.close());

  const guarded = async () => {
    const user = await makeGuarded(provider, uniqueEmail('guarded'));
    const browser = new LoginBrowser(provider);
    const first = await enterEmail(provider, browser, user.email);
    return { ...user, browser, user_id: String(first.data['user_id']) };
  };
  const countOf = async (user_id: string): Promise<number> =>
    (await provider.services.db.selectFrom('recoveries').select('state').where('user_id', '=', user_id).execute())
      .length;
  const linkTo = async (email: string): Promise<URL> => {
    const link = await newestLink(provider, email);
    if (link === null) throw new Error(`no link to ${email}`);
    return link;
  };
  const finish = async (email: string) => {
    await tell(provider);
    provider.clock.time += 48 * HOUR;
    await tell(provider);
    expect((await press(provider, await linkTo(email), 'finish')).status).toBe(200);
  };

  it('is the login’s of this browser, whatever else is presented', async () => {
    const { session, browser, user_id } = await guarded();
    const { intermediate_session_token } = browser.fields;
    const others = [{}, { intermediate_session_token: session }, { intermediate_session_token }];
    for (const fields of others) {
      expect(outcome(await provider.post('/mfa/recovery/start', fields, { session }))).toEqual(GONE);
    }
    const thief = new LoginBrowser(provider);
    expect(outcome(await thief.post('/mfa/recovery/start', { intermediate_session_token, mfa_code_verifier: thief.verifier }))).toEqual(GONE); // prettier-ignore
    provider.clock.time += 10 * MINUTE;
    expect(outcome(await start(browser))).toEqual(GONE);
    expect(await countOf(user_id)).toBe(0);
  });

  soakIt('is of the user of the login, and of no other one that the request names', async () => {
    const [mine, theirs] = [await guarded(), await guarded()];
    const named = { user_id: theirs.user_id, email: theirs.email };
    const reply = await mine.browser.post('/mfa/recovery/start', named);
    expect([await countOf(mine.user_id), await countOf(theirs.user_id)]).toEqual([reply.status === 200 ? 1 : 0, 0]);
  });

  soakIt('ten times at once is one recovery and one message', async () => {
    const { browser, email, user_id } = await guarded();
    const before = (await noticesTo(provider, email)).length;
    const replies = await Promise.all(Array.from({ length: 10 }, () => start(browser)));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(replies.map(({ data }) => `${data['recovery_id']} ${data['available_at']}`)).size).toBe(1);
    expect(await countOf(user_id)).toBe(1);
    expect((await noticesTo(provider, email)).length - before).toBe(1);
  });

  it('gives no session: until it is finished the login needs the second factor, and it ends the wait for nobody', async () => {
    const { browser, email, session } = await guarded();
    const { data } = await start(browser);
    expect(data).toMatchObject({ available_at: new Date(provider.clock.time + 48 * HOUR).toISOString() });
    provider.clock.time += 49 * HOUR;
    const again = new LoginBrowser(provider);
    const login = await enterEmail(provider, again, email);
    expect([login.data['session'], login.data['mfa']]).toMatchObject([
      null,
      { factors: ['totp', 'recovery_code'], recovery_pending: { available_at: data['available_at'] } },
    ]);
    expect((await start(again)).data).toMatchObject({ recovery_id: data['recovery_id'] });
    expect(await isAlive(provider, session)).toBe(false);
  });

  soakIt(
    'is ended by a login of two factors, which is recorded and told, and not by one in a trusted browser',
    async () => {
      const user = await guarded();
      const { browser, email, user_id } = user;
      const enter = async (fields: Fields) =>
        browser.post('/totps/authenticate', { totp_code: codeOf(provider, user.secret), ...MINUTES, ...fields });
      expect((await enter({ trust_device: true })).status).toBe(200);
      const { trusted_device_token } = browser.fields;
      const other = new LoginBrowser(provider);
      await enterEmail(provider, other, email);
      const { data } = await start(other);
      const finishing = new URL(await linkTo(email));
      const spared = await enterEmail(provider, new LoginBrowser(provider), email, { trusted_device_token });
      expect(spared.data['session']).not.toBeNull();
      const stateOf = async () =>
        provider.services.db
          .selectFrom('recoveries')
          .select(['recovery_id', 'state'])
          .where('user_id', '=', user_id)
          .execute();
      expect(await stateOf()).toEqual([{ recovery_id: data['recovery_id'], state: 'waiting' }]);
      provider.clock.time += MINUTE;
      const again = new LoginBrowser(provider);
      await enterEmail(provider, again, email);
      const code = { totp_code: codeOf(provider, user.secret), ...MINUTES };
      const replies = await Promise.all(Array.from({ length: 5 }, () => again.post('/totps/authenticate', code)));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await stateOf()).toEqual([{ recovery_id: data['recovery_id'], state: 'canceled' }]);
      expect((await noticesTo(provider, email)).filter(({ text }) => text.includes('was stopped'))).toHaveLength(1);
      expect((await press(provider, finishing, 'stop')).status).toBe(404);
      const rows = provider.services.db.selectFrom('audit_log').select('event').where('user_id', '=', user_id);
      expect(await rows.where('event', '=', 'recovery_canceled').execute()).toHaveLength(1);
    },
  );

  soakIt('by the link that undoes a change is ended by a login with the factor and an older address', async () => {
    const email = uniqueEmail('undone');
    const { session_token } = await provider.signIn(email);
    await tell(provider);
    provider.clock.time += MINUTE;
    const app = await enrolTotp(provider, String(session_token));
    const [added] = (await noticesTo(provider, email)).slice(-1);
    expect((await press(provider, new URL(added?.link ?? ''), 'undo')).status).toBe(200);
    await tell(provider);
    const finishing = await linkTo(email);
    const browser = new LoginBrowser(provider);
    const { data } = await enterEmail(provider, browser, email);
    // The one that waits removes no more than what was added: asking for another one changes nothing.
    expect((await start(browser)).status).toBe(200);
    expect(await countOf(String(data['user_id']))).toBe(1);
    const code = { totp_code: codeOf(provider, app.secret), ...MINUTES };
    expect((await browser.post('/totps/authenticate', code)).status).toBe(200);
    expect((await noticesTo(provider, email)).at(-1)?.text).toContain('was stopped');
    expect((await press(provider, finishing, 'stop')).status).toBe(404);
    expect((await enterEmail(provider, new LoginBrowser(provider), email)).data['session']).toBeNull();
  });

  soakIt('is refused after the third that the owner stopped in a week', async () => {
    const { email } = await guarded();
    const begin = async () => {
      const browser = new LoginBrowser(provider);
      await enterEmail(provider, browser, email);
      return start(browser);
    };
    for (let tries = 0; tries < DEFAULT_LIMITS.recoveriesPerUser.max; tries += 1) {
      expect((await begin()).status).toBe(200);
      expect((await press(provider, await linkTo(email), 'stop')).status).toBe(200);
    }
    const before = (await noticesTo(provider, email)).length;
    const browser = new LoginBrowser(provider);
    await enterEmail(provider, browser, email);
    const refused = await Promise.all([start(browser), start(browser), start(browser)]);
    expect(refused.map(outcome)).toEqual(Array.from({ length: 3 }, () => [429, 'too_many_requests']));
    expect((await noticesTo(provider, email)).length).toBe(before);
    provider.clock.time += 14 * 24 * HOUR;
    expect((await begin()).status).toBe(200);
  });

  soakIt('that is told late waits from then on, and its first message does not finish it', async () => {
    const { browser, email, user_id } = await guarded();
    await tell(provider);
    await start(browser);
    // Nothing tells anybody for as long as the wait.
    provider.clock.time += 49 * HOUR;
    const waits = async () => {
      const rows = provider.services.db.selectFrom('recoveries').select('available_at').where('user_id', '=', user_id);
      return (await rows.executeTakeFirstOrThrow()).available_at.getTime();
    };
    const [first, ...more] = (await noticesTo(provider, email)).filter(({ text }) => text.includes('remove'));
    expect(more).toEqual([]);
    expect(first?.subject).toContain('has begun');
    expect(await waits()).toBe(provider.clock.time + 48 * HOUR);
    expect((await press(provider, new URL(first?.link ?? ''), 'finish')).status).toBe(404);
    provider.clock.time += 48 * HOUR;
    const last = (await noticesTo(provider, email)).at(-1);
    expect(last?.subject).toContain('can be finished');
    expect((await press(provider, new URL(last?.link ?? ''), 'finish')).status).toBe(200);
  });

  soakIt('ends with a login of one factor, once a mailbox finished it', async () => {
    const { browser, email } = await guarded();
    await start(browser);
    await finish(email);
    expect(outcome(await start(browser))).toEqual(GONE);
    const { data } = await enterEmail(provider, new LoginBrowser(provider), email);
    expect(data['session']).not.toBeNull();
  });

  it('removes numbers that are second factors', async () => {
    const number = `+1415555${String(provider.clock.time).slice(-4)}`;
    const email = uniqueEmail('phone');
    const { session_token } = await provider.signIn(email);
    const session = String(session_token);
    const sent = await provider.post('/otps/sms/send/secondary', { phone_number: number }, { session });
    const code = (await provider.newest(number))?.code;
    const added = await provider.post('/otps/authenticate', { token: code, method_id: sent.data['method_id'], ...MINUTES }, { session }); // prettier-ignore
    expect(added.status).toBe(200);
    // Only for an address that is older than the recovery.
    provider.clock.time += MINUTE;
    const browser = new LoginBrowser(provider);
    const first = await enterEmail(provider, browser, email);
    expect(first.data['mfa']).toMatchObject({ factors: ['sms'] });
    expect((await start(browser)).status).toBe(200);
    await finish(email);
    const { data } = await enterEmail(provider, new LoginBrowser(provider), email);
    expect(data['user']).toMatchObject({ phone_numbers: [] });
  });

  soakIt(
    'is not offered by the backend API, to a user without a second factor, or where the project has none',
    async () => {
      const { browser } = await guarded();
      expect((await fromServer(provider, '/mfa/recovery/start', browser.fields)).status).toBe(404);
      const settings = { mfa: { policy: 'required', recovery_hours: null } };
      const strict = await makeTarget(url, {}, settings);
      try {
        const enrols = new LoginBrowser(strict);
        await enterEmail(strict, enrols, uniqueEmail('new'));
        expect(outcome(await start(enrols))).toEqual([403, 'mfa_factor_not_allowed']);
        const user = await makeGuarded(strict, uniqueEmail('guarded'));
        const none = new LoginBrowser(strict);
        expect((await enterEmail(strict, none, user.email)).data['mfa']).toMatchObject({ recovery: null });
        expect(outcome(await start(none))).toEqual([403, 'mfa_factor_not_allowed']);
      } finally {
        await strict.close();
      }
    },
  );

  soakIt('of a user whose number is the only way in keeps the number', async () => {
    const number = `+1415556${String(provider.clock.time + 7).slice(-4)}`;
    const enter = async (browser: LoginBrowser) => {
      const sent = await provider.post('/otps/sms/login_or_create', { phone_number: number });
      const token = (await provider.newest(number))?.code;
      return browser.post('/otps/authenticate', { token, method_id: sent.data['method_id'], ...MINUTES });
    };
    const { data } = await enter(new LoginBrowser(provider));
    await enrolTotp(provider, String(data['session_token']));
    const browser = new LoginBrowser(provider);
    await enter(browser);
    expect((await start(browser)).status).toBe(200);
    await finish(number);
    const { data: alone } = await enter(new LoginBrowser(provider));
    expect(alone['user_id']).toBe(data['user_id']);
    expect(provider.traces).toEqual([]);
  });
});
