import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const GOOD = 'violet tractor moon 88';
const OTHER = 'quiet lantern orbit 41';
const minutes = { session_duration_minutes: 60 };
const here = { ip_address: '203.0.113.7', user_agent: 'A browser' };

describe.each(EITHER_DATABASE)('passwords of the backend API, on %s', (_, database) => {
  let backend: Backend;
  let passwords: Backend['client']['passwords'];
  beforeAll(async () => {
    backend = await startBackend(database);
    passwords = backend.client.passwords;
  });
  afterAll(() => backend.close());

  const create = (email: string, fields: Fields = {}) => passwords.create({ email, password: GOOD, ...fields });
  const enter = (email: string, password = GOOD, fields: Fields = {}) =>
    passwords.authenticate({ email, password, ...fields });
  const live = (session_token: string) =>
    backend.provider.call('GET', '/users/me', undefined, { session: session_token });
  const resetToken = async (email: string) => {
    const mail = await backend.provider.newest(email);
    return new URL(mail?.link ?? '').searchParams.get('token') ?? '';
  };

  it('sign up a user, with what the app says of them', async () => {
    const about = {
      name: { first_name: 'Ada' },
      trusted_metadata: { plan: 'gold' },
      untrusted_metadata: { theme: 'dark' },
    };
    const done = await create('new@example.com', { ...about, ...minutes, session_custom_claims: { tier: 1 } });
    expect(done).toMatchObject({
      status_code: 200,
      user: { ...about, status: 'active', emails: [{ email_id: done.email_id, verified: false }] },
      session: { custom_claims: { tier: 1 }, authentication_factors: [{ type: 'password' }] },
    });
    expect((await live(done.session_token)).status).toBe(200);
    expect(await refusalOf(create('NEW@example.com'))).toMatchObject({
      status_code: 400,
      error_type: 'duplicate_email',
    });
    const without = await create('without@example.com');
    expect(without).toMatchObject({ session: null, session_token: '', session_jwt: '' });
  });

  soakIt('are refused when weak, breached, or for a user who signs in without one', async () => {
    const weak = passwords.create({ email: 'weak@example.com', password: 'abc' });
    expect(await refusalOf(weak)).toMatchObject({ status_code: 400, error_type: 'weak_password' });
    const breached = passwords.create({ email: 'weak@example.com', password: 'password123' });
    expect(await refusalOf(breached)).toMatchObject({ error_type: 'breached_password' });
    expect(await refusalOf(create('no address'))).toMatchObject({ error_type: 'invalid_email' });
    await backend.provider.signIn('codes@example.com');
    expect(await refusalOf(create('codes@example.com'))).toMatchObject({ error_type: 'reset_password' });
    const odd = create('odd@example.com', { untrusted_metadata: { a: 'x'.repeat(5000) } });
    expect(await refusalOf(odd)).toMatchObject({ error_type: 'invalid_metadata' });
    // Nothing is left of the refused ones.
    expect(await refusalOf(enter('odd@example.com'))).toMatchObject({ error_type: 'unauthorized_credentials' });
  });

  it('log in, by both APIs', async () => {
    const email = 'login@example.com';
    const { user_id } = await create(email);
    const done = await enter(email, GOOD, { ...minutes, attributes: here });
    expect(done).toMatchObject({ user_id, session: { attributes: here } });
    expect(await enter(email)).toMatchObject({ user_id, session: null });
    const joined = await enter(email, GOOD, { session_token: done.session_token });
    expect(joined.session?.session_id).toBe(done.session?.session_id);
    const client = await backend.provider.post('/passwords/authenticate', { email, password: GOOD, ...minutes });
    expect(client.data['user_id']).toBe(user_id);
  });

  it('are wrong in the same words for every address', async () => {
    const wrong = await refusalOf(enter('login@example.com', OTHER));
    expect(wrong).toMatchObject({ status_code: 401, error_type: 'unauthorized_credentials' });
    const nobody = await refusalOf(enter('nobody@example.com', OTHER));
    expect(nobody['error_message']).toBe(wrong['error_message']);
    const dead = enter('login@example.com', GOOD, { session_token: 'none' });
    expect(await refusalOf(dead)).toMatchObject({ status_code: 404, error_type: 'session_not_found' });
  });

  soakIt('are guessed ten times from one place, and the owner logs in from another', async () => {
    const email = 'guessed@example.com';
    await create(email);
    for (let at = 0; at < 10; at += 1) await refusalOf(enter(email, OTHER, { attributes: here }));
    expect(await refusalOf(enter(email, GOOD, { attributes: here }))).toMatchObject({
      status_code: 429,
      error_type: 'user_lock_limit_reached',
    });
    expect(await enter(email, GOOD, { attributes: { ip_address: '198.51.100.9' } })).toMatchObject({
      status_code: 200,
    });
  });

  it('have a strength', async () => {
    const strong = await passwords.strengthCheck({ password: GOOD, email: 'a@example.com' });
    expect(strong).toMatchObject({
      valid_password: true,
      score: 4,
      breached_password: false,
      strength_policy: 'zxcvbn',
    });
    const weak = await passwords.strengthCheck({ password: 'password123' });
    expect(weak).toMatchObject({ valid_password: false, breached_password: true });
    const long = passwords.strengthCheck({ password: 'x'.repeat(4097) });
    expect(await refusalOf(long)).toMatchObject({ error_type: 'password_too_long' });
  });

  soakIt('are reset by email, which ends all sessions', async () => {
    const email = 'reset@example.com';
    const { user_id, email_id, session_token } = await create(email, minutes);
    const started = await passwords.email.resetStart({ email, attributes: here });
    expect(started).toMatchObject({ status_code: 200, user_id, email_id });
    const token = await resetToken(email);
    const reset = (fields: Fields) => passwords.email.reset({ token, password: OTHER, ...fields });
    const options = { ip_match_required: true };
    const elsewhere = { options, attributes: { ip_address: '198.51.100.9' } };
    expect(await refusalOf(reset(elsewhere))).toMatchObject({ error_type: 'attributes_mismatch' });
    expect(await refusalOf(reset({ password: 'abc' }))).toMatchObject({ error_type: 'weak_password' });
    const done = await reset({ options, attributes: here, ...minutes });
    expect(done).toMatchObject({ user_id, user: { emails: [{ verified: true }] }, session: { attributes: here } });
    expect((await live(session_token)).status).toBe(401);
    expect(await enter(email, OTHER)).toMatchObject({ user_id });
    expect(await refusalOf(reset({}))).toMatchObject({ error_type: 'unable_to_auth_magic_link' });
  });

  it('are not reset for an unknown address, nor to a page that is not registered', async () => {
    const nobody = passwords.email.resetStart({ email: 'nobody@example.com' });
    expect(await refusalOf(nobody)).toMatchObject({ status_code: 404, error_type: 'email_not_found' });
    const evil = { email: 'login@example.com', reset_password_redirect_url: 'https://evil.example/' };
    expect(await refusalOf(passwords.email.resetStart(evil))).toMatchObject({
      error_type: 'no_match_for_provided_magic_link_url',
    });
  });

  soakIt('are reset by the old one', async () => {
    const email = 'existing@example.com';
    const { user_id, session_token } = await create(email, minutes);
    const reset = (existing_password: string, new_password: string, fields: Fields = {}) =>
      passwords.existingPassword.reset({ email, existing_password, new_password, ...fields });
    expect(await refusalOf(reset(OTHER, OTHER))).toMatchObject({ error_type: 'unauthorized_credentials' });
    expect(await refusalOf(reset(GOOD, 'abc'))).toMatchObject({ error_type: 'weak_password' });
    expect(await reset(GOOD, OTHER)).toMatchObject({ user_id, session: null });
    expect((await live(session_token)).status).toBe(401);
    expect(await refusalOf(enter(email))).toMatchObject({ error_type: 'unauthorized_credentials' });
    expect(await enter(email, OTHER)).toMatchObject({ user_id });
  });

  soakIt('are reset in a session, which stays while the others end', async () => {
    const email = 'inside@example.com';
    const { user_id, session_token } = await create(email, minutes);
    const other = await enter(email, GOOD, minutes);
    const reset = (fields: Fields) => passwords.sessions.reset({ password: OTHER, ...fields });
    expect(await refusalOf(reset({}))).toMatchObject({ status_code: 404, error_type: 'session_not_found' });
    expect(await refusalOf(reset({ session_jwt: 'a.b.c' }))).toMatchObject({ error_type: 'session_not_found' });
    const done = await reset({ session_token });
    expect(done).toMatchObject({ user_id, session: { user_id } });
    expect((await live(done.session_token)).status).toBe(200);
    expect((await live(other.session_token)).status).toBe(401);
    expect(await enter(email, OTHER)).toMatchObject({ user_id });
  });

  soakIt('are not reset in a session without the second factor that its user has', async () => {
    const email = 'second@example.com';
    const { user_id, session_token } = await create(email, minutes);
    const { secret } = await backend.client.totps.create({ user_id });
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const totp_code = totp.generate({ timestamp: backend.provider.clock.time });
    await backend.client.totps.authenticate({ user_id, totp_code });
    const bySession = passwords.sessions.reset({ password: OTHER, session_token });
    expect(await refusalOf(bySession)).toMatchObject({ status_code: 403, error_type: 'mfa_required' });
    const byOld = passwords.existingPassword.reset({ email, existing_password: GOOD, new_password: OTHER });
    expect(await refusalOf(byOld)).toMatchObject({ status_code: 403, error_type: 'mfa_required' });
  });
});
