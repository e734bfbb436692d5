import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { enterEmail, LoginBrowser } from '../kit/second-step.ts';
import { makeTarget, MINUTES, uniqueEmail, uniqueNumber } from './attacker.ts';
import { at, networks, type Place } from './places.ts';

const PASSWORD = 'correct horse battery staple 42';
const DAY = 24 * 60 * MINUTE;
const HOME = '203.0.113.1';
const MOST = 12;
const SETTINGS = {
  mfa: { policy: 'when_enrolled', factors: ['sms'], trusted_devices: { days: 30 } },
  notices: { factors: true },
};

/** Wrong codes of one method of a user have one count, however they are entered. */
describe.each(EITHER_DATABASE)('guesses of codes by message, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, { dailyTriesPerPasscode: { max: MOST, windowMs: DAY } }, SETTINGS);
  });
  afterAll(() => provider.close());

  /** A user with a password and a number, and a session of both. */
  async function makeOwner() {
    const email = uniqueEmail('owner');
    const number = uniqueNumber();
    let session = String((await provider.signIn(email))['session_token']);
    await provider.post('/passwords/session/reset', { password: PASSWORD }, { session });
    session = String((await provider.signIn(email))['session_token']);
    const { method_id } = (await provider.post('/otps/sms/send/secondary', { phone_number: number }, { session })).data;
    const token = (await provider.newest(number))?.code;
    const { data } = await provider.post('/otps/authenticate', { token, method_id, ...MINUTES }, { session });
    return { email, number, session: String(data['session_token']) };
  }

  const wrongFor = async (to: string): Promise<string> =>
    (await provider.newest(to))?.code === '000000' ? '111111' : '000000';
  const byPlace = (place: string) => at(provider.app, place);

  it('are counted together as the first factor, as the second one and in a session', async () => {
    const { email, number, session } = await makeOwner();
    const answers: unknown[] = [];

    const first = await provider.post('/otps/sms/send/primary', { phone_number: number });
    const token = await wrongFor(number);
    const enter = async (
      post: (path: string, body: Fields) => Promise<{ readonly body: Fields }>,
      method_id: unknown,
    ) => (await post('/otps/authenticate', { token, method_id, ...MINUTES })).body['error_type'];
    for (let tries = 0; tries < 5; tries += 1) answers.push(await enter(provider.post, first.data['method_id']));

    const login = new LoginBrowser(provider);
    const begun = await login.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES });
    const { phone_id } = begun.data['mfa'].phone_numbers[0] as Fields;
    const second = await login.post('/mfa/send_code', { phone_id, channel: 'sms' });
    const inLogin = async (path: string, body: Fields) => login.post(path, body);
    for (let tries = 0; tries < 5; tries += 1) answers.push(await enter(inLogin, second.data['method_id']));

    const third = await provider.post('/otps/sms/send/secondary', { phone_number: number }, { session });
    const inSession = async (path: string, body: Fields) => provider.post(path, body, { session });
    for (let tries = 0; tries < 5; tries += 1) answers.push(await enter(inSession, third.data['method_id']));

    expect(answers.slice(0, MOST)).toEqual(Array.from({ length: MOST }, () => 'otp_code_not_found'));
    expect(new Set(answers.slice(MOST))).toEqual(new Set(['user_lock_limit_reached']));
    // Another method of the user is not concerned.
    const { data: other } = await enterEmail(provider, new LoginBrowser(provider), email);
    expect(other).toMatchObject({ session: null, mfa: { factors: ['sms'] } });
    provider.clock.time += 2 * DAY;
    const { data } = await provider.post('/otps/sms/send/primary', { phone_number: number });
    const right = { token: (await provider.newest(number))?.code, method_id: data['method_id'], ...MINUTES };
    expect((await new LoginBrowser(provider).post('/otps/authenticate', right)).status).toBe(200);
  });

  it('are counted together in all channels to a number, whose codes are entered by the id of any of them', async () => {
    const { number } = await makeOwner();
    const channels = ['sms', 'whatsapp'] as const;
    const answers: unknown[] = [];
    for (let sends = 0; sends < 4; sends += 1) {
      const path = `/otps/${channels[sends % 2] ?? 'sms'}/send/primary`;
      const { data, status } = await provider.post(path, { phone_number: number });
      expect(status).toBe(200);
      const wrong = { token: await wrongFor(number), method_id: data['method_id'], ...MINUTES };
      for (let tries = 0; tries < 5; tries += 1) {
        answers.push((await new LoginBrowser(provider).post('/otps/authenticate', wrong)).body['error_type']);
      }
    }
    expect(answers.filter((each) => each === 'otp_code_not_found')).toHaveLength(MOST);
    expect(answers.filter((each) => each === 'user_lock_limit_reached')).toHaveLength(20 - MOST);
  });

  it('are counted together when they come at once', async () => {
    const { number } = await makeOwner();
    const ids: unknown[] = [];
    for (let sends = 0; sends < 4; sends += 1) {
      ids.push((await provider.post('/otps/sms/send/primary', { phone_number: number })).data['method_id']);
    }
    const messages = new Set((await provider.inbox()).filter(({ to }) => to === number).map(({ code }) => code));
    const token = ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !messages.has(code));
    const guesses = ids.flatMap((method_id) => Array.from({ length: 5 }, () => ({ token, method_id, ...MINUTES })));
    const replies = await Promise.all(guesses.map((body) => provider.post('/otps/authenticate', body)));
    const types = replies.map(({ body }) => body['error_type'] as unknown);
    expect(types.filter((type) => type === 'otp_code_not_found')).toHaveLength(MOST);
    expect(types.filter((type) => type === 'user_lock_limit_reached')).toHaveLength(guesses.length - MOST);
  });

  it('do not count where the code was right', async () => {
    const email = uniqueEmail('often');
    const statuses: unknown[] = [];
    for (let logins = 0; logins < MOST + 3; logins += 1) {
      statuses.push((await provider.signIn(email))['user_id'] !== undefined);
    }
    expect(statuses).not.toContain(false);
  });

  /** Sends a code to the address, and enters it or a wrong one. */
  async function enterAt(place: Place, email: string, isRight: boolean): Promise<unknown> {
    const { method_id } = (await place.post('/otps/email/login_or_create', { email })).data;
    const code = (await provider.newest(email))?.code ?? '';
    const token = isRight ? code : await wrongFor(email);
    const { status, body } = await place.post('/otps/authenticate', { token, method_id, ...MINUTES });
    return status === 200 ? 200 : body['error_type'];
  }

  it('of strangers lock no owner out, at home or in a new network', async () => {
    const email = uniqueEmail('attacked');
    expect(await enterAt(byPlace(HOME), email, true)).toBe(200);
    const answers: unknown[] = [];
    for (const network of networks(4)) {
      for (let tries = 0; tries < MOST; tries += 1) answers.push(await enterAt(byPlace(network), email, false));
    }
    // One network gets half of them, and each further one a single try.
    expect(answers.filter((type) => type === 'otp_code_not_found')).toHaveLength(MOST + 2);
    expect(await enterAt(byPlace(HOME), email, true)).toBe(200);
    expect(await enterAt(byPlace('203.0.113.200'), email, true)).toBe(200);
    expect(await enterAt(byPlace('203.0.113.201'), email, false)).toBe('otp_code_not_found');
    expect(await enterAt(byPlace('203.0.113.201'), email, true)).toBe('user_lock_limit_reached');
  });
});
