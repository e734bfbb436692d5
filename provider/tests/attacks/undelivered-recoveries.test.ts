import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settle } from '#provider/messages/outbox/queue.ts';
import { shortenRecoveryOf } from '#provider/operation/operators/users/actions.ts';
import { EITHER_DATABASE, MINUTE, type Provider } from '../kit/harness.ts';
import { enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { newestLink, noticesTo, press, tell } from '../notices/steps.ts';
import { codeOf, makeTarget, MINUTES, secondAddress, uniqueEmail } from './attacker.ts';
import { soakIt } from '#tests/soak-tests.ts';

/**
 * An intruder begins a recovery while the mail server is away: the owner has the whole wait from the delivery on, and nobody is told that
 * it can be finished before the owner was told that it has begun.
 */

const OPERATOR = { name: 'test', address: null, request_id: null };
const HOUR = 60 * MINUTE;
const WAIT = 48 * HOUR;

describe.each(EITHER_DATABASE)('a recovery whose first message is not delivered, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, { mfa: { policy: 'when_enrolled', recovery_hours: 48 } });
    // As with a mail server: messages wait until they are delivered. Texts are another program's.
    Object.assign(provider.services, { carried: new Set(['email']) });
  });
  afterAll(() => provider.close());

  const start = async (email: string) => {
    const browser = new LoginBrowser(provider);
    const { data } = await enterEmail(provider, browser, email);
    expect((await browser.post('/mfa/recovery/start')).status).toBe(200);
    return { browser, email, user_id: String(data['user_id']), started: provider.clock.time };
  };
  const begun = async () => {
    const { email } = await makeGuarded(provider, uniqueEmail('away'));
    const one = await start(email);
    await tell(provider);
    return one;
  };
  const settleOne = async (email: string, state: 'sent' | 'dead') => {
    const { db } = provider.services;
    const waiting = db.selectFrom('outbox').selectAll().where('recipient', '=', email).where('state', '=', 'waiting');
    for (const message of await waiting.execute()) {
      await settle(db, message, { state, now: provider.clock.time, keepContent: true });
    }
  };
  const end = async (email: string, state: 'sent' | 'dead') => {
    await settleOne(email, state);
    await tell(provider);
  };
  const endOf = async (user_id: string): Promise<number> => {
    const rows = provider.services.db.selectFrom('recoveries').select('available_at').where('user_id', '=', user_id);
    return (await rows.executeTakeFirstOrThrow()).available_at.getTime();
  };
  const canFinish = async (email: string): Promise<boolean> =>
    (await noticesTo(provider, email)).some(({ subject }) => subject.includes('can be finished'));
  const pass = async (time: number) => {
    provider.clock.time += time;
    await tell(provider);
  };

  it('waits from the delivery on, and is then finished like every other', async () => {
    const { email, user_id, started } = await begun();
    await pass(WAIT + HOUR);
    expect(await canFinish(email)).toBe(false);
    await end(email, 'sent');
    expect(await endOf(user_id)).toBe(started + WAIT + (WAIT + HOUR));
    expect(await canFinish(email)).toBe(false);
    await pass(WAIT - 1);
    expect(await canFinish(email)).toBe(false);
    await pass(1);
    expect(await canFinish(email)).toBe(true);
    expect(
      (await press(provider, (await newestLink(provider, email)) ?? new URL('http://none'), 'finish')).status,
    ).toBe(200);
  });

  it('is stopped by the first message, for as long as it waits', async () => {
    const { email } = await begun();
    const stop = (await newestLink(provider, email)) ?? new URL('http://none');
    await pass(WAIT + HOUR);
    await end(email, 'sent');
    // Later than the link was good for at first.
    await pass(WAIT + 7 * 24 * HOUR - HOUR);
    expect((await press(provider, stop, 'stop')).status).toBe(200);
  });

  soakIt('ends when it was to end, where the message was delivered at once or given up', async () => {
    for (const state of ['sent', 'dead'] as const) {
      const { email, user_id, started } = await begun();
      await pass(state === 'sent' ? MINUTE : WAIT - 2 * HOUR);
      await end(email, state);
      expect(await endOf(user_id), state).toBe(started + WAIT);
      provider.clock.time = started + WAIT;
      await tell(provider);
      expect(await canFinish(email), state).toBe(true);
    }
  });

  it('waits from the moment on at which nobody knows any more when it was delivered', async () => {
    const { email, user_id, started } = await begun();
    const { db } = provider.services;
    await pass(30 * HOUR);
    await db.deleteFrom('outbox').where('recipient', '=', email).execute();
    await tell(provider);
    expect(await endOf(user_id)).toBe(started + WAIT + 30 * HOUR);
  });

  soakIt('does not wait for it where an operator shortened it, nor for the messages of another program', async () => {
    const { email } = await begun();
    await pass(HOUR);
    await shortenRecoveryOf(provider.services, email, OPERATOR);
    await tell(provider);
    expect(await canFinish(email)).toBe(true);

    Object.assign(provider.services, { carried: new Set(['webhook']) });
    const other = await begun();
    Object.assign(provider.services, { carried: new Set(['email']) });
    await pass(WAIT);
    expect(await canFinish(other.email)).toBe(true);
  });

  soakIt('can be shortened by an operator also when its time has come, but not when it is over', async () => {
    const { email, user_id, started } = await begun();
    await pass(WAIT + HOUR);
    await shortenRecoveryOf(provider.services, email, OPERATOR);
    expect(await endOf(user_id)).toBe(started + WAIT);
    await tell(provider);
    expect(await canFinish(email)).toBe(true);
    const over = await begun();
    await pass(WAIT + 7 * 24 * HOUR);
    await expect(shortenRecoveryOf(provider.services, over.email, OPERATOR)).rejects.toThrow('No recovery');
  });

  soakIt('that was shortened before its start was told does not wait for the message of it', async () => {
    const { email } = await makeGuarded(provider, uniqueEmail('away'));
    await start(email);
    provider.clock.time += MINUTE;
    await shortenRecoveryOf(provider.services, email, OPERATOR);
    expect(await canFinish(email)).toBe(true);
  });

  soakIt(
    'waits for its message also where the start and the end of another one are told together with it',
    async () => {
      const { email, secret } = await makeGuarded(provider, uniqueEmail('away'));
      const { browser } = await start(email);
      const entered = await browser.post('/totps/authenticate', { totp_code: codeOf(provider, secret), ...MINUTES });
      expect(entered.status).toBe(200);
      await start(email);
      await tell(provider);
      await pass(WAIT);
      expect(await canFinish(email)).toBe(false);
      await end(email, 'sent');
      await pass(WAIT);
      expect(await canFinish(email)).toBe(true);
    },
  );

  soakIt(
    'is not put off for a message that was delivered at once and is gone, while another one is given up',
    async () => {
      for (const isLate of [false, true]) {
        const { email, session } = await makeGuarded(provider, uniqueEmail('away'));
        expect((await (await secondAddress(provider).begin(session))()).status).toBe(200);
        const { db } = provider.services;
        const { user_id, started } = await start(email);
        await tell(provider);
        if (isLate) await pass(HOUR);
        await end(email, 'sent');
        await pass(25 * HOUR);
        await db.deleteFrom('outbox').where('recipient', '=', email).where('state', '=', 'sent').execute();
        const all = await db.selectFrom('emails').select('email').where('user_id', '=', user_id).execute();
        for (const other of all) await settleOne(other.email, 'dead');
        await tell(provider);
        // Of a late one nobody knows any more how late it was.
        expect(await endOf(user_id), String(isLate)).toBe(started + WAIT + (isLate ? 26 * HOUR : 0));
      }
    },
  );
});
