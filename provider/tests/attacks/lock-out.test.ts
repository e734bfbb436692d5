import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { EITHER_DATABASE, MINUTE, otherThan, type ProviderResponse } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { at, codeFor, networks, type Place } from './places.ts';
import { soakIt } from '#tests/soak-tests.ts';

const minutes = { session_duration_minutes: 30 };
const HOME = '203.0.113.1';
const ELSEWHERE = '203.0.113.200';
const FIFTY = Array.from({ length: 50 });

/** Small, because every message costs a dozen statements. */
const limits = {
  ...DEFAULT_LIMITS,
  sendsPerAddress: { max: 4, windowMs: 10 * MINUTE },
  dailySendsPerAddress: { max: 24, windowMs: 24 * 60 * MINUTE },
  textsPerNumber: { max: 6, windowMs: 60 * MINUTE },
  textsPerRange: { max: 12, windowMs: 60 * MINUTE },
};

let made = 0;
const newAddress = (): string => `owner${(made += 1)}@example.com`;
const newNumber = (): string => `+1415555${String((made += 1)).padStart(4, '0')}`;

describe.each(EITHER_DATABASE)('lock-outs by a stranger, on %s', (_, url) => {
  const provider = suiteProvider(url, { limits });
  beforeEach(() => {
    provider.clock.time += 60 * MINUTE;
  });

  const place = (address: string): Place => at(provider.app, address);
  const mail = (from: Place, email: string) => from.post('/otps/email/login_or_create', { email });
  const text = (from: Place, phone_number: string) => from.post('/otps/sms/login_or_create', { phone_number });
  const enter = (from: Place, token: string, sent: ProviderResponse) =>
    from.post('/otps/authenticate', { token, method_id: sent.data['method_id'], ...minutes });

  async function logIn(from: Place, email: string): Promise<ProviderResponse> {
    const sent = await mail(from, email);
    return enter(from, await codeFor(provider, email), sent);
  }

  it('a stranger neither uses up the tries of the owner’s code nor replaces it', async () => {
    const email = newAddress();
    const sent = await mail(place(HOME), email);
    const code = await codeFor(provider, email);
    for (const network of networks(6)) {
      const stranger = await mail(place(network), email);
      const guessed = otherThan(await codeFor(provider, email));
      for (let i = 0; i < 6; i += 1) await enter(place(network), guessed, stranger);
    }
    expect((await enter(place(HOME), code, sent)).status).toBe(200);
  });

  soakIt('the owner’s own network makes no difference to that', async () => {
    const email = newAddress();
    const sent = await mail(place(HOME), email);
    const code = await codeFor(provider, email);
    for (let round = 0; round < 3; round += 1) {
      const stranger = await mail(place(HOME), email);
      const guessed = otherThan(await codeFor(provider, email));
      for (let i = 0; i < 6; i += 1) await enter(place(HOME), guessed, stranger);
    }
    expect((await enter(place(HOME), code, sent)).status).toBe(200);
  });

  soakIt('wrong passcodes do not lock the owner out of passcodes', async () => {
    const email = newAddress();
    await logIn(place(HOME), email);
    for (const network of networks(10)) {
      const stranger = await mail(place(network), email);
      const guessed = otherThan(await codeFor(provider, email));
      for (let i = 0; i < 5; i += 1) await enter(place(network), guessed, stranger);
    }
    expect((await logIn(place(HOME), email)).status).toBe(200);
    expect((await logIn(place(ELSEWHERE), email)).status).toBe(200);
  });

  it('only whoever asked for a code learns its id, and so can try it', async () => {
    const email = newAddress();
    const signedUp = await logIn(place(HOME), email);
    const { email_id } = signedUp.data['user']['emails'][0];
    const owner = await mail(place(HOME), email);
    const code = await codeFor(provider, email);
    const stranger = await mail(place(ELSEWHERE), email);
    const ids = [owner, stranger].map(({ data }) => data['method_id'] as string);
    expect(new Set([...ids, email_id]).size).toBe(3);
    // The stranger saw the code on the owner's screen.
    expect((await enter(place(ELSEWHERE), code, stranger)).status).toBe(404);
    const known = await place(ELSEWHERE).post('/otps/authenticate', { token: code, method_id: email_id, ...minutes });
    expect(known.status).toBe(404);
    expect((await enter(place(HOME), code, owner)).status).toBe(200);
  });

  it('a code is not accepted with the id of one for another purpose', async () => {
    const email = newAddress();
    const { session_token: session } = (await logIn(place(HOME), email)).data;
    const adds = await place(HOME).post('/otps/email/send/secondary', { email }, session);
    const login = await mail(place(HOME), email);
    const code = await codeFor(provider, email);
    expect((await enter(place(HOME), code, adds)).status).toBe(404);
    expect((await enter(place(HOME), code, login)).status).toBe(200);
  });

  soakIt('of fifty simultaneous guesses at most five are checked, and one right one is accepted', async () => {
    const email = newAddress();
    const first = await mail(place(HOME), email);
    const code = await codeFor(provider, email);
    const second = await mail(place(HOME), email);
    const guessed = otherThan(await codeFor(provider, email));
    await Promise.all(FIFTY.map(() => enter(place(HOME), guessed === code ? '999999' : guessed, second)));
    const { tries } = await provider.services.db
      .selectFrom('passcodes')
      .select('tries')
      .where('passcode_id', '=', second.data['method_id'])
      .executeTakeFirstOrThrow();
    expect(tries).toBe(5);
    const third = await mail(place(HOME), email);
    const replies = await Promise.all(FIFTY.map((__, i) => enter(place(HOME), code, i % 2 === 0 ? first : third)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  soakIt('the daily limit of an address does not keep its owner’s own network from getting messages', async () => {
    const email = newAddress();
    await logIn(place(HOME), email);
    let sent = 0;
    for (let round = 0; round < 2; round += 1) {
      for (const network of networks(4)) {
        for (let i = 0; i < 5; i += 1) {
          if ((await mail(place(network), email)).status === 200) sent += 1;
        }
      }
      provider.clock.time += 20 * MINUTE;
    }
    // Guessing is limited by the number of codes a day, with five tries each. The owner's sign-up used one code.
    expect(sent).toBe(4 + (limits.dailySendsPerAddress.max * 2) / 3);
    // What is left is for networks that have not asked yet, one message each.
    expect((await mail(place(ELSEWHERE), email)).status).toBe(200);
    expect((await mail(place(ELSEWHERE), email)).status).toBe(429);
    for (const network of networks(9).slice(4)) if ((await mail(place(network), email)).status === 200) sent += 1;
    expect(sent + 2).toBe(limits.dailySendsPerAddress.max);
    expect((await mail(place('198.51.100.200'), email)).status).toBe(429);
    expect((await logIn(place(HOME), email)).status).toBe(200);
  });

  it('one network cannot use up the daily limit: the owner gets messages in a new place', async () => {
    const email = newAddress();
    let sent = 0;
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 5; i += 1) if ((await mail(place('198.51.100.1'), email)).status === 200) sent += 1;
      provider.clock.time += 20 * MINUTE;
    }
    expect(sent).toBe(limits.dailySendsPerAddress.max / 3);
    expect((await logIn(place(ELSEWHERE), email)).status).toBe(200);
  });

  soakIt('a stranger cannot use up the texts to a number or to its neighbours', async () => {
    const number = newNumber();
    const signUp = await text(place(HOME), number);
    expect((await enter(place(HOME), await codeFor(provider, number), signUp)).status).toBe(200);
    provider.clock.time += 120 * MINUTE;
    const { textsPerNumber, textsPerRange } = limits;
    let sent = 0;
    for (const network of networks(4)) {
      for (let i = 0; i < textsPerNumber.max; i += 1) {
        if ((await text(place(network), number)).status === 200) sent += 1;
      }
    }
    expect(sent).toBe(textsPerNumber.max);
    for (let i = 0; i < textsPerRange.max / 4; i += 1) {
      const neighbour = newNumber();
      for (const network of networks(4)) await text(place(network), neighbour);
    }
    expect((await text(place(ELSEWHERE), newNumber())).status).toBe(429);
    const again = await text(place(HOME), number);
    expect((await enter(place(HOME), await codeFor(provider, number), again)).status).toBe(200);
  });

  it('a sign-up with an unverified address does not count as its owner', async () => {
    const email = newAddress();
    const password = 'correct horse battery staple 9';
    await place('198.51.100.9').post('/passwords', { email, password, ...minutes });
    await place('198.51.100.9').post('/passwords/authenticate', { email, password, ...minutes });
    let sent = 0;
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 5; i += 1) if ((await mail(place('198.51.100.9'), email)).status === 200) sent += 1;
      provider.clock.time += 20 * MINUTE;
    }
    expect(sent).toBe(limits.dailySendsPerAddress.max / 3);
  });
});
