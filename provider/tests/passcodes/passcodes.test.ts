import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { EITHER_DATABASE, MINUTE, otherThan, type Provider } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { soakIt } from '#tests/soak-tests.ts';

type SentCode = Awaited<ReturnType<Provider['sendCode']>>;

describe.each(EITHER_DATABASE)('passcodes on %s', (_, url) => {
  const provider = suiteProvider(url);

  const enter = (token: string, method_id: string) =>
    provider.post('/otps/authenticate', { token, method_id, session_duration_minutes: 30 });

  it('refuses a wrong code and then takes the right one, once', async () => {
    const { code, method_id } = await provider.sendCode('wrong@example.com');
    const wrong = await enter(otherThan(code), method_id);
    expect(wrong.body).toMatchObject({ status_code: 404, error_type: 'otp_code_not_found' });
    expect(wrong.body).not.toHaveProperty('data');
    expect(wrong.body['request_id']).toMatch(/^request-id-test-/u);
    expect(wrong.body['error_url']).toContain('/errors/otp_code_not_found');
    expect((await enter(code, method_id)).status).toBe(200);
    expect((await enter(code, method_id)).body['error_type']).toBe('otp_code_not_found');
  });

  it('takes the right code after four wrong ones, but not after five', async () => {
    const lucky = await provider.sendCode('four@example.com');
    for (let i = 0; i < 4; i += 1) await enter(otherThan(lucky.code), lucky.method_id);
    expect((await enter(lucky.code, lucky.method_id)).status).toBe(200);
    const dead = await provider.sendCode('five@example.com');
    for (let i = 0; i < 5; i += 1) await enter(otherThan(dead.code), dead.method_id);
    expect((await enter(dead.code, dead.method_id)).body['error_type']).toBe('otp_code_not_found');
  });

  soakIt('reports why a code does not count: wrong, out of tries, expired or replaced', async () => {
    const reasonOf = async (code: string, method_id: string) => (await enter(code, method_id)).body['error_details'];
    const { code, method_id } = await provider.sendCode('why@example.com');
    for (let i = 0; i < 4; i += 1) expect(await reasonOf(otherThan(code), method_id)).toEqual({ reason: 'wrong' });
    expect(await reasonOf(otherThan(code), method_id)).toEqual({ reason: 'tries_used' });
    expect(await reasonOf(code, method_id)).toEqual({ reason: 'tries_used' });
    const sent = [];
    for (let i = 0; i < 4; i += 1) {
      provider.clock.time += 1;
      sent.push(await provider.sendCode('newer@example.com'));
    }
    const last = sent[3]!;
    expect(await reasonOf(sent[0]!.code, last.method_id)).toEqual({ reason: 'replaced' });
    expect(await reasonOf(otherThan(last.code), 'email-test-unknown')).toEqual({ reason: 'wrong' });
    provider.clock.time += 5 * MINUTE;
    expect(await reasonOf(last.code, last.method_id)).toEqual({ reason: 'expired' });
  });

  it('lets a code expire: five minutes unless asked for otherwise', async () => {
    const { code, method_id } = await provider.sendCode('late@example.com');
    provider.clock.time += 5 * MINUTE;
    expect((await enter(code, method_id)).body['error_type']).toBe('otp_code_not_found');
    const slow = await provider.post('/otps/email/login_or_create', {
      email: 'slow@example.com',
      expiration_minutes: 10,
    });
    provider.clock.time += 10 * MINUTE - 1;
    expect((await enter((await provider.newest())?.code ?? '', slow.data['method_id'])).status).toBe(200);
  });

  it.each([0, 11, 2.5])('refuses an expiration of %s minutes, naming the field', async (expiration_minutes) => {
    const { body } = await provider.post('/otps/email/login_or_create', { email: 'e@example.com', expiration_minutes });
    expect(body).toMatchObject({ status_code: 400, error_type: 'invalid_expiration_minutes' });
    expect(body['error_message']).toContain('expiration_minutes');
  });

  it('takes the codes before when a new one is sent, with the id of any of the last three', async () => {
    // The first proof of an address ends what was on its way there before.
    await provider.signIn('again@example.com');
    const sent = [];
    for (let i = 0; i < 4; i += 1) {
      provider.clock.time += 1;
      sent.push(await provider.sendCode('again@example.com'));
    }
    const [oldest, first, second, newest] = sent as [SentCode, SentCode, SentCode, SentCode];
    expect((await enter(oldest.code, newest.method_id)).status).toBe(404);
    expect((await enter(first.code, newest.method_id)).status).toBe(200);
    expect((await enter(newest.code, second.method_id)).status).toBe(200);
    expect((await enter(oldest.code, oldest.method_id)).status).toBe(200);
    expect((await enter(second.code, second.method_id)).status).toBe(200);
  });

  it('binds a code to its method', async () => {
    const mine = await provider.sendCode('mine@example.com');
    const yours = await provider.sendCode('yours@example.com');
    if (mine.code !== yours.code) expect((await enter(mine.code, yours.method_id)).status).toBe(404);
    expect((await enter(mine.code, 'email-test-unknown')).status).toBe(404);
  });

  it.each(['12345', '1234567', '12345a', '', '１２３４５６'])('refuses %j, which no code can be', async (token) => {
    const { method_id } = await provider.sendCode('shape@example.com');
    expect((await enter(token, method_id)).body).toMatchObject({ status_code: 400, error_type: 'invalid_code' });
    provider.clock.time += 20 * MINUTE;
  });

  it.each(['nobody', 'a@b', 'a b@example.com', 'x\u202e@example.com', `${'a'.repeat(250)}@example.com`, ''])(
    'refuses %j as an address',
    async (email) => {
      const { body } = await provider.post('/otps/email/login_or_create', { email });
      expect(body).toMatchObject({ status_code: 400, error_type: 'invalid_email' });
    },
  );

  it.each([4, 527_041, 5.5, -1])('refuses a session of %s minutes and keeps the code', async (minutes) => {
    const { code, method_id } = await provider.sendCode('minutes@example.com');
    const fields = { token: code, method_id, session_duration_minutes: minutes };
    expect((await provider.post('/otps/authenticate', fields)).body['error_type']).toBe('invalid_session_duration');
    expect((await enter(code, method_id)).status).toBe(200);
  });

  it('sends ten to one address in ten minutes, then says when to come back', async () => {
    const send = () => provider.post('/otps/email/login_or_create', { email: 'flood@example.com' });
    for (let i = 0; i < DEFAULT_LIMITS.sendsPerAddress.max; i += 1) expect((await send()).status).toBe(200);
    const refused = await send();
    expect(refused.body).toMatchObject({ status_code: 429, error_type: 'too_many_requests' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    provider.clock.time += 20 * MINUTE;
    expect((await send()).status).toBe(200);
  });

  soakIt(
    'sends no more than sixty a day to one address, so that its codes cannot be guessed in the long run',
    async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 90; i += 1) {
        if (i % 10 === 0) provider.clock.time += 20 * MINUTE;
        statuses.push((await provider.post('/otps/email/login_or_create', { email: 'brute@example.com' })).status);
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(DEFAULT_LIMITS.dailySendsPerAddress.max);
      expect(statuses.at(-1)).toBe(429);
    },
  );
});
