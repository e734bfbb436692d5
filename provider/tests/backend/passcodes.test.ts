import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { EITHER_DATABASE, MINUTE, otherThan, type Fields } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const minutes = { session_duration_minutes: 60 };
const here = { ip_address: '203.0.113.7', user_agent: 'A browser' };
const elsewhere = { ip_address: '198.51.100.9' };

describe.each(EITHER_DATABASE)('passcodes of the backend API, on %s', (_, database) => {
  let backend: Backend;
  let otps: Backend['client']['otps'];
  beforeAll(async () => {
    backend = await startBackend(database, {
      limits: { ...DEFAULT_LIMITS, textsPerNetwork: { max: 2, windowMs: MINUTE } },
    });
    otps = backend.client.otps;
  });
  afterAll(() => backend.close());

  const codeTo = async (to: string) => (await backend.provider.newest(to))?.code ?? 'none';

  it('by email sign up a user, and log them in again', async () => {
    const email = 'new@example.com';
    const sent = await otps.email.loginOrCreate({ email, create_user_as_pending: true, expiration_minutes: 1 });
    expect(sent).toMatchObject({ status_code: 200, user_created: true });
    expect(await backend.client.users.get({ user_id: sent.user_id })).toMatchObject({
      status: 'pending',
      emails: [{ email_id: sent.email_id }],
    });
    const code = await codeTo(email);
    const done = await otps.authenticate({ method_id: sent.email_id, code, attributes: here, ...minutes });
    expect(done).toMatchObject({
      user_id: sent.user_id,
      method_id: sent.email_id,
      reset_sessions: true,
      user: { status: 'active', emails: [{ verified: true }] },
      session: { attributes: here, authentication_factors: [{ type: 'otp', delivery_method: 'email' }] },
    });
    const again = await otps.email.send({ email });
    expect(again).toMatchObject({ user_id: sent.user_id, email_id: sent.email_id });
    const second = { method_id: again.email_id, code: await codeTo(email), session_token: done.session_token };
    expect(await otps.authenticate(second)).toMatchObject({
      reset_sessions: false,
      session: { session_id: done.session?.session_id },
    });
    expect(await otps.email.loginOrCreate({ email })).toMatchObject({ user_created: false });
  });

  it.each(['sms', 'whatsapp'] as const)('by %s sign up a user, and log them in again', async (channel) => {
    const phone_number = channel === 'sms' ? '+14155552671' : '+442071838750';
    const sent = await otps[channel].loginOrCreate({ phone_number });
    expect(sent.user_created).toBe(true);
    const done = await otps.authenticate({ method_id: sent.phone_id, code: await codeTo(phone_number), ...minutes });
    expect(done).toMatchObject({
      method_id: sent.phone_id,
      user: { phone_numbers: [{ phone_id: sent.phone_id, phone_number, verified: true }] },
      session: { authentication_factors: [{ type: 'otp', delivery_method: channel }] },
    });
    const again = await otps[channel].send({ phone_number });
    expect(again).toMatchObject({ user_id: sent.user_id, phone_id: sent.phone_id });
    const without = await otps.authenticate({ method_id: again.phone_id, code: await codeTo(phone_number) });
    expect(without).toMatchObject({ user_id: sent.user_id, session: null, session_token: '' });
    const nobody = otps[channel].send({ phone_number: '+14155552699' });
    expect(await refusalOf(nobody)).toMatchObject({ status_code: 404, error_type: 'phone_number_not_found' });
    const odd = otps[channel].loginOrCreate({ phone_number: '+1415' });
    expect(await refusalOf(odd)).toMatchObject({ error_type: 'invalid_phone_number' });
  });

  it.each(['email', 'sms'] as const)(
    'by %s end the presented session with a first proof, and start a new one',
    async (channel) => {
      const contact = channel === 'email' ? { email: 'first@example.com' } : { phone_number: '+14155552673' };
      const { user_id, email_id, phone_id } = await backend.client.users.create(contact);
      // A link that the app's own server sends proves no contact.
      const { token } = await backend.client.magicLinks.create({ user_id });
      const { session_token, session: before } = await backend.client.magicLinks.authenticate({ token, ...minutes });
      await (contact.email === undefined ? otps.sms.send(contact) : otps.email.send(contact));
      const code = await codeTo(contact.email ?? contact.phone_number);
      const done = await otps.authenticate({ method_id: email_id || phone_id, code, session_token, ...minutes });
      expect(done).toMatchObject({ user_id, reset_sessions: true });
      expect(done.session?.session_id).not.toBe(before?.session_id);
      expect(done.session?.authentication_factors).toMatchObject([{ type: 'otp', delivery_method: channel }]);
    },
  );

  soakIt('are refused when wrong, used, old or unknown', async () => {
    const email = 'refused@example.com';
    const { email_id: method_id } = await otps.email.loginOrCreate({ email });
    const code = await codeTo(email);
    const refused = (fields: Fields) => refusalOf(otps.authenticate({ method_id, code, ...fields }));
    expect(await refused({ code: otherThan(code) })).toMatchObject({
      status_code: 404,
      error_type: 'otp_code_not_found',
    });
    expect(await refused({ code: '12345' })).toMatchObject({ error_type: 'invalid_code' });
    expect(await refused({ method_id: 'email-test-none' })).toMatchObject({ error_type: 'otp_code_not_found' });
    expect(await refused({ session_duration_minutes: 1 })).toMatchObject({ error_type: 'invalid_session_duration' });
    expect(await refused({ session_jwt: 'a.b.c' })).toMatchObject({ error_type: 'session_not_found' });
    expect(await otps.authenticate({ method_id, code })).toMatchObject({ status_code: 200 });
    expect(await refused({})).toMatchObject({ error_type: 'otp_code_not_found' });
    const late = await otps.email.send({ email, expiration_minutes: 1 });
    const lateCode = await codeTo(email);
    backend.provider.clock.time += 2 * MINUTE;
    expect(await refused({ method_id: late.email_id, code: lateCode })).toMatchObject({ status_code: 404 });
    const long = otps.email.send({ email, expiration_minutes: 11 });
    expect(await refusalOf(long)).toMatchObject({ error_type: 'invalid_expiration_minutes' });
    expect(await refusalOf(otps.email.send({ email: 'nobody@example.com' }))).toMatchObject({
      error_type: 'email_not_found',
    });
  });

  soakIt('take five tries of each send by the id of the address, and of this send by its own id', async () => {
    const email = 'tries@example.com';
    const { email_id } = await otps.email.loginOrCreate({ email, attributes: elsewhere });
    backend.provider.clock.time += 1000;
    await otps.email.send({ email, attributes: here });
    const code = await codeTo(email);
    const wrong = { code: otherThan(code), method_id: email_id, attributes: elsewhere };
    // Of those who know the id of the address, strangers elsewhere use up the tries of their own send first.
    for (let at = 0; at < 5; at += 1) await refusalOf(otps.authenticate(wrong));
    expect(await otps.authenticate({ code, method_id: email_id, attributes: here })).toMatchObject({
      status_code: 200,
    });
    // The reply has more than the type of the SDK: the id of the send.
    const sent: Fields = await otps.email.send({ email, attributes: here });
    const sentCode = await codeTo(email);
    backend.provider.clock.time += 1000;
    await otps.email.send({ email, attributes: here });
    for (let at = 0; at < 5; at += 1) await refusalOf(otps.authenticate({ ...wrong, attributes: here }));
    const own = { code: sentCode, method_id: String(sent['method_id']) };
    expect(await otps.authenticate(own)).toMatchObject({ method_id: email_id });
  });

  it('are entered only in the requesting browser, if the app’s server requires it', async () => {
    const email = 'match@example.com';
    const { email_id: method_id } = await otps.email.loginOrCreate({ email, attributes: here });
    const fields = { method_id, code: await codeTo(email), options: { ip_match_required: true } as never };
    const other = otps.authenticate({ ...fields, attributes: elsewhere });
    expect(await refusalOf(other)).toMatchObject({ status_code: 401, error_type: 'attributes_mismatch' });
    expect(await otps.authenticate({ ...fields, attributes: here })).toMatchObject({ status_code: 200 });
  });

  it('add addresses and numbers, in a session or to a user whom the app’s server names', async () => {
    const { email_id: method_id } = await otps.email.loginOrCreate({ email: 'owner@example.com' });
    const owner = await otps.authenticate({ method_id, code: await codeTo('owner@example.com'), ...minutes });
    const { user_id, session_token } = owner;
    const email = 'second@example.com';
    const mailed = await otps.email.send({ email, session_token });
    const code = await codeTo(email);
    const outside = otps.authenticate({ method_id: mailed.email_id, code });
    expect(await refusalOf(outside)).toMatchObject({ error_type: 'session_not_found' });
    const inside = await otps.authenticate({ method_id: mailed.email_id, code, session_token });
    expect(inside.user.emails).toContainEqual({ email_id: mailed.email_id, email, verified: true });
    const phone_number = '+33142685300';
    const texted = await otps.sms.send({ phone_number, user_id });
    const done = await otps.authenticate({ method_id: texted.phone_id, code: await codeTo(phone_number) });
    expect(done).toMatchObject({ user_id, user: { phone_numbers: [{ phone_id: texted.phone_id, verified: true }] } });
    const { user_id: other } = await otps.email.loginOrCreate({ email: 'other@example.com' });
    const taken = otps.whatsapp.send({ phone_number, user_id: other });
    expect(await refusalOf(taken)).toMatchObject({ error_type: 'duplicate_phone_number' });
  });

  it('are limited by the user’s network where the app’s server tells it, else by the secret alone', async () => {
    const strangers = { ip_address: '192.0.2.1' };
    const text = (last: number, attributes?: Fields) =>
      otps.sms.loginOrCreate({
        phone_number: `+4930901820${last}`,
        ...(attributes === undefined ? {} : { attributes }),
      });
    for (const last of [11, 12]) await text(last, strangers);
    expect(await refusalOf(text(13, strangers))).toMatchObject({ status_code: 429, error_type: 'rate_limit_exceeded' });
    for (const last of [14, 15, 16]) await text(last);
  });

  soakIt('log in one of many callers at once', async () => {
    const email = 'race@example.com';
    const { email_id: method_id } = await otps.email.loginOrCreate({ email });
    const code = await codeTo(email);
    const calls = Array.from({ length: 8 }, () => otps.authenticate({ method_id, code, ...minutes }));
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
