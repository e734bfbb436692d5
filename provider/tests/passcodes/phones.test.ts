import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { EITHER_DATABASE, makeProvider, MINUTE, otherThan, type Fields, type Provider } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const minutes = { session_duration_minutes: 30 };
const CHANNELS = ['sms', 'whatsapp'] as const;

let last = 0;
/** Another American number at every call. */
const freshNumber = () => `+1415555${String((last += 1)).padStart(4, '0')}`;

describe.each(EITHER_DATABASE)('passcodes by text on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    const roomy = { max: 1000, windowMs: 60 * MINUTE };
    provider = await makeProvider(url, { limits: { ...DEFAULT_LIMITS, textsPerRange: roomy } });
  });
  afterAll(() => provider.close());

  type Channel = (typeof CHANNELS)[number];
  const send = (channel: Channel, kind: string, fields: Fields, session?: string) =>
    provider.post(`/otps/${channel}/${kind}`, fields, session === undefined ? {} : { session });
  const newest = async () => (await provider.newest())!;
  const enter = (token: string, method_id: string, session?: string) =>
    provider.post('/otps/authenticate', { token, method_id, ...minutes }, session === undefined ? {} : { session });

  async function textIn(phone_number: string, channel: Channel = 'sms'): Promise<Fields> {
    const { data } = await send(channel, 'login_or_create', { phone_number });
    return (await enter((await newest()).code!, data['method_id'])).data;
  }

  it.each(CHANNELS)('sign up and in by %s', async (channel) => {
    const phone_number = freshNumber();
    const sent = await send(channel, 'login_or_create', { phone_number });
    expect(sent.data['method_id']).toMatch(/^phone-number-test-[0-9a-f-]{36}$/u);
    const message = await newest();
    expect(message).toMatchObject({ channel, to: phone_number });
    const bound = channel === 'sms' ? `\n\n@localhost #${message.code}` : '';
    expect(message.text).toBe(`Your Portico Demo passcode is ${message.code}.${bound}`);
    const { data, status } = await enter(message.code!, sent.data['method_id']);
    expect(status).toBe(200);
    const { phone_id } = data['user']['phone_numbers'][0];
    expect(sent.data['method_id']).not.toBe(phone_id);
    expect(data).toMatchObject({
      method_id: phone_id,
      user: { status: 'active', emails: [], phone_numbers: [{ phone_id, phone_number, verified: true }] },
      session: {
        authentication_factors: [
          { type: 'otp', delivery_method: channel, phone_number_factor: { phone_id, phone_number } },
        ],
      },
    });
    expect((await textIn(phone_number))['user_id']).toBe(data['user_id']);
  });

  it('are one factor for each number and each channel', async () => {
    const phone_number = freshNumber();
    const { session_token } = await textIn(phone_number);
    const again = await send('whatsapp', 'login_or_create', { phone_number }, session_token);
    const first = (await enter((await newest()).code!, again.data['method_id'], session_token)).data;
    const added = await send('sms', 'send/secondary', { phone_number: freshNumber() }, first['session_token']);
    const both = (await enter((await newest()).code!, added.data['method_id'], first['session_token'])).data;
    expect(both['session']['authentication_factors']).toHaveLength(3);
    expect(both['user']['phone_numbers']).toHaveLength(2);
  });

  it('end with a line for the browser on the page that asked, unless it is not to fill the code in', async () => {
    const phone_number = freshNumber();
    const fields = { phone_number, autofill_session_duration_minutes: 30 };
    expect((await send('sms', 'login_or_create', fields)).status).toBe(200);
    const { text, code } = await newest();
    expect(text.split('\n').at(-1)).toBe(`@localhost #${code}`);
    await provider.post('/otps/sms/login_or_create', fields, { headers: { Origin: 'http://127.0.0.1:4000' } });
    const other = await newest();
    expect(other.text.split('\n').at(-1)).toBe(`@127.0.0.1 #${other.code}`);
    await send('sms', 'login_or_create', { ...fields, enable_autofill: false });
    expect((await newest()).text).not.toContain('@');
    const wrong = await send('sms', 'login_or_create', { ...fields, autofill_session_duration_minutes: 1 });
    expect(wrong.body['error_type']).toBe('invalid_session_duration');
  });

  it.each(CHANNELS)('reach by %s only whom they know, when asked to', async (channel) => {
    const phone_number = freshNumber();
    const unknown = await send(channel, 'send/primary', { phone_number });
    expect(unknown.body).toMatchObject({ status_code: 404, error_type: 'phone_number_not_found' });
    const { user_id } = await textIn(phone_number);
    const { data } = await send(channel, 'send/primary', { phone_number });
    expect((await enter((await newest()).code!, data['method_id'])).data['user_id']).toBe(user_id);
  });

  it.each(CHANNELS)('add a number by %s to the signed-in user, once it is proven', async (channel) => {
    const phone_number = freshNumber();
    expect((await send(channel, 'send/secondary', { phone_number })).body).toMatchObject({
      status_code: 401,
      error_type: 'user_unauthenticated',
    });
    const user = await provider.signIn(`${channel}@example.com`);
    const session = user['session_token'];
    const { data } = await send(channel, 'send/secondary', { phone_number }, session);
    const before = await provider.call('GET', '/users/me', undefined, { session });
    expect(before.data['phone_numbers']).toEqual([]);
    const again = await send(channel, 'send/secondary', { phone_number }, session);
    expect(again.data['method_id']).not.toBe(data['method_id']);
    const done = (await enter((await newest()).code!, data['method_id'], session)).data;
    expect(done).toMatchObject({
      user_id: user['user_id'],
      user: { phone_numbers: [{ phone_id: done['method_id'], phone_number, verified: true }] },
      session: { session_id: user['session']['session_id'] },
    });
    expect((await textIn(phone_number))['user_id']).toBe(user['user_id']);
  });

  it('add a number only in a session of the user who asked', async () => {
    const phone_number = freshNumber();
    const asked = await provider.signIn('asker@example.com');
    const other = await provider.signIn('bystander@example.com');
    const { data } = await send('sms', 'send/secondary', { phone_number }, asked['session_token']);
    const { code } = await newest();
    expect((await enter(code!, data['method_id'])).body['error_type']).toBe('user_unauthenticated');
    const foreign = await enter(code!, data['method_id'], other['session_token']);
    expect(foreign.body['error_type']).toBe('otp_code_not_found');
    expect((await enter(code!, data['method_id'], asked['session_token'])).status).toBe(200);
  });

  soakIt('do not take a number from another user, but from a sign-up that was never finished', async () => {
    const taken = freshNumber();
    await textIn(taken);
    const { session_token: session } = await provider.signIn('taker@example.com');
    const refused = await send('sms', 'send/secondary', { phone_number: taken }, session);
    expect(refused.body).toMatchObject({ status_code: 400, error_type: 'duplicate_phone_number' });

    const raced = freshNumber();
    const { data } = await send('sms', 'send/secondary', { phone_number: raced }, session);
    const { code } = await newest();
    await textIn(raced);
    expect((await enter(code!, data['method_id'], session)).body['error_type']).toBe('duplicate_phone_number');

    const begun = freshNumber();
    await send('sms', 'login_or_create', { phone_number: begun });
    const added = await send('sms', 'send/secondary', { phone_number: begun }, session);
    const done = await enter((await newest()).code!, added.data['method_id'], session);
    expect(done.data['user']['phone_numbers']).toMatchObject([{ phone_number: begun, verified: true }]);
  });

  soakIt('expire, die after five tries and are used once', async () => {
    const phone_number = freshNumber();
    const first = await send('sms', 'login_or_create', { phone_number });
    const late = (await newest()).code!;
    provider.clock.time += 5 * MINUTE;
    expect((await enter(late, first.data['method_id'])).body['error_type']).toBe('otp_code_not_found');
    const second = await send('sms', 'login_or_create', { phone_number });
    const dead = (await newest()).code!;
    for (let i = 0; i < 5; i += 1) await enter(otherThan(dead), second.data['method_id']);
    expect((await enter(dead, second.data['method_id'])).body['error_type']).toBe('otp_code_not_found');
    const third = await send('whatsapp', 'login_or_create', { phone_number });
    const { code } = await newest();
    const replies = await Promise.all(Array.from({ length: 50 }, () => enter(code!, third.data['method_id'])));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  soakIt('make one user of fifty sign-ups with one number', async () => {
    const phone_number = freshNumber();
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => send('sms', 'login_or_create', { phone_number })),
    );
    const sent = replies.filter(({ status }) => status === 200);
    expect(sent).toHaveLength(DEFAULT_LIMITS.textsPerNumber.max);
    const users = await provider.services.db
      .selectFrom('phone_numbers')
      .select('user_id')
      .where('phone_number', '=', phone_number)
      .execute();
    expect(users).toHaveLength(1);
  });

  it.each([
    '4155550100',
    '+1 415 555 0100',
    '+1(415)5550100',
    '+0123',
    '+1415',
    '',
    '+14155550100;ext=1',
    '+１４１５',
    '+1\u202e4155550100',
  ])('refuse %j as a number', async (phone_number) => {
    for (const channel of CHANNELS) {
      for (const kind of ['login_or_create', 'send/primary']) {
        const { body } = await send(channel, kind, { phone_number });
        expect(body).toMatchObject({ status_code: 400, error_type: 'invalid_phone_number' });
      }
    }
  });

  soakIt('are not texted more than ten times an hour, over both channels', async () => {
    const phone_number = freshNumber();
    const { max } = DEFAULT_LIMITS.textsPerNumber;
    for (let i = 0; i < max; i += 1) {
      expect((await send(CHANNELS[i % 2]!, 'login_or_create', { phone_number })).status).toBe(200);
    }
    const refused = await send('sms', 'send/primary', { phone_number });
    expect(refused.body).toMatchObject({ status_code: 429, error_type: 'too_many_requests' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
