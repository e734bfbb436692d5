import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { oneOf, SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';
import { OLD, NEW, minutes, resetSteps } from './reset-steps.ts';

const AT_ONCE = SOAK ? 50 : 10;
const RIGHT = 'r'.repeat(64);
const WRONG = 'w'.repeat(64);
const CHALLENGE = createHash('sha256').update(RIGHT).digest('base64url');

describe.each(EITHER_DATABASE)('password resets by email on %s', (_, url) => {
  const world = resetSteps(url);
  const { signUp, known, start, links, tokenOf, request, redeem, open, enter, me } = world;

  it('give the holder of a token its address, without using it up, and whether it is spent', async () => {
    const check = (token: string) => world.provider.post('/passwords/email/reset/check', { token });
    await signUp('look@example.com');
    const { reset, login } = await request('look@example.com');
    for (let look = 0; look < 2; look += 1)
      expect((await check(reset)).data).toMatchObject({ email: 'look@example.com' });
    expect((await redeem(reset)).status).toBe(200);
    for (const spent of [reset, login, 'x'.repeat(43)]) {
      expect((await check(spent)).body).toMatchObject({ status_code: 401, error_type: 'unable_to_auth_magic_link' });
    }
  });

  it('email one link to set a password and one to log in without, each to its place', async () => {
    await signUp('two@example.com');
    const asked = await start('TWO@example.com', {
      reset_password_redirect_url: 'http://localhost:3000/reset?a=b',
      login_redirect_url: 'http://localhost:3000/in',
    });
    expect(Object.keys(asked.data).sort()).toEqual(['request_id', 'status_code']);
    const { reset, login, message } = await links();
    expect(message).toMatchObject({ channel: 'email', to: 'two@example.com', link: reset.href });
    expect(reset.href).toMatch(
      /^http:\/\/localhost:3000\/reset\?a=b&stytch_token_type=reset_password&token=[\w-]{43}$/u,
    );
    expect(login.href).toMatch(/^http:\/\/localhost:3000\/in\?stytch_token_type=login&token=[\w-]{43}$/u);
    expect((await open(tokenOf(login))).data['session']['authentication_factors']).toMatchObject([
      { type: 'magic_link', delivery_method: 'email' },
    ]);
  });

  soakIt('set the password once, log in, and end access gained with the old one', async () => {
    const before = await signUp('once@example.com');
    const elder = await request('once@example.com');
    const { reset, login } = await request('once@example.com');
    const { data, status } = await redeem(reset);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      user: { emails: [{ verified: true }], password: { requires_reset: false } },
      session: { authentication_factors: [{ type: 'password' }] },
    });
    expect(await me(before['session_token'])).toBe(401);
    expect(await me(data['session_token'])).toBe(200);
    expect((await enter('once@example.com', OLD)).status).toBe(401);
    expect((await enter('once@example.com', NEW)).status).toBe(200);
    for (const token of [reset, elder.reset]) {
      expect((await redeem(token)).body).toMatchObject({ status_code: 401, error_type: 'unable_to_auth_magic_link' });
    }
    for (const token of [login, elder.login]) expect((await open(token)).status).toBe(401);
  });

  soakIt('keep the session of the same user in which they end, and no other', async () => {
    const other = await world.provider.signIn('keep@example.com');
    const here = await world.provider.signIn('keep@example.com');
    const { reset } = await request('keep@example.com');
    const { data } = await redeem(reset, {}, world.provider, here['session_token']);
    expect(data['session']['session_id']).toBe(here['session']['session_id']);
    expect(await me(other['session_token'])).toBe(401);
    const stranger = await world.provider.signIn('stranger@example.com');
    const again = await request('keep@example.com');
    const done = await redeem(again.reset, {}, world.provider, stranger['session_token']);
    expect(done.data['session']['session_id']).not.toBe(stranger['session']['session_id']);
    expect(await me(stranger['session_token'])).toBe(200);
  });

  soakIt('give a first password to a user without one', async () => {
    await world.provider.signIn('first@example.com');
    const { reset } = await request('first@example.com');
    expect((await redeem(reset)).status).toBe(200);
    expect((await enter('first@example.com', NEW)).status).toBe(200);
  });

  soakIt('are bound to their purpose: a login link resets no password', async () => {
    await known('bound@example.com');
    const { reset, login } = await request('bound@example.com');
    const link = await world.provider.sendLink('bound@example.com');
    for (const token of [login, link]) {
      expect((await redeem(token)).body['error_type']).toBe('unable_to_auth_magic_link');
    }
    expect((await open(link)).status).toBe(200);
    expect((await redeem(reset)).status).toBe(200);
  });

  soakIt('log in without a password by the link of the reset as well, once, and leave the password', async () => {
    await known('without@example.com');
    const first = await request('without@example.com');
    expect((await redeem(first.reset)).status).toBe(200);
    const { reset } = await request('without@example.com');
    const opened = await open(reset);
    expect(opened.data['session']['authentication_factors']).toMatchObject([
      { type: 'magic_link', delivery_method: 'email' },
    ]);
    for (const again of [await open(reset), await redeem(reset, { password: OLD })]) {
      expect(again.body).toMatchObject({ status_code: 401, error_type: 'unable_to_auth_magic_link' });
    }
    expect((await enter('without@example.com', NEW)).status).toBe(200);
  });

  it('expire after thirty minutes at most', async () => {
    await known('late@example.com');
    const soon = await request('late@example.com', {
      reset_password_expiration_minutes: 29,
      login_expiration_minutes: 29,
    });
    const later = await request('late@example.com', {
      reset_password_expiration_minutes: 31,
      login_expiration_minutes: 31,
    });
    const late = await request('late@example.com');
    world.provider.clock.time += 29 * MINUTE;
    expect((await redeem(soon.reset)).body['error_type']).toBe('unable_to_auth_magic_link');
    expect((await open(soon.login)).body['error_type']).toBe('unable_to_auth_magic_link');
    expect((await open(later.login)).status).toBe(200);
    expect((await redeem(later.reset)).status).toBe(200);
    const again = await request('late@example.com', {
      reset_password_expiration_minutes: 31,
      login_expiration_minutes: 31,
    });
    world.provider.clock.time += 30 * MINUTE;
    for (const { reset, login } of [again, late]) {
      expect((await redeem(reset)).body['error_type']).toBe('unable_to_auth_magic_link');
      expect((await open(login)).body['error_type']).toBe('unable_to_auth_magic_link');
    }
  });

  it('are not spent by a weak, breached or over-long password, nor by a wrong duration', async () => {
    await signUp('weak@example.com');
    const { reset } = await request('weak@example.com');
    expect((await redeem(reset, { password: 'weak@example.com' })).body['error_type']).toBe('weak_password');
    expect((await redeem(reset, { password: 'password1' })).body['error_type']).toBe('breached_password');
    expect((await redeem(reset, { password: 'x'.repeat(5000) })).body['error_type']).toBe('password_too_long');
    const long = await redeem(reset, { session_duration_minutes: 1 });
    expect(long.body['error_type']).toBe('invalid_session_duration');
    expect((await redeem(reset)).status).toBe(200);
  });

  soakIt('answer the same for every address without an active user', async () => {
    await world.provider.sendCode('pending@example.com');
    const sent = (await world.provider.inbox()).length;
    const plain = async (email: string) => ({ data: { ...(await start(email)).data, request_id: '' } });
    expect(await plain('nobody@example.com')).toMatchObject({ data: { status_code: 200 } });
    expect(await plain('pending@example.com')).toEqual(await plain('nobody@example.com'));
    expect((await world.provider.inbox()).length).toBe(sent);
  });

  soakIt('are limited per address, known or not', async () => {
    await signUp('flood@example.com');
    for (const email of ['flood@example.com', 'nobodyflood@example.com']) {
      for (let i = 0; i < 10; i += 1) await start(email);
      expect((await start(email)).body).toMatchObject({ status_code: 429, error_type: 'too_many_requests' });
    }
  });

  it.each(['reset_password_redirect_url', 'login_redirect_url'])('lead to no foreign address by %s', async (field) => {
    for (const address of ['https://evil.example/', 'javascript:alert(1)', 'http://localhost@evil.example/', '']) {
      const { body } = await start('two@example.com', { [field]: address });
      expect(body).toMatchObject({ status_code: 400, error_type: 'no_match_for_provided_magic_link_url' });
      expect(body['error_message']).toContain(field);
    }
  });

  it.each(['reset_password_expiration_minutes', 'login_expiration_minutes'])(
    'refuse %s that is out of range',
    async (field) => {
      for (const value of [4, 10_081, 7.5]) {
        const { body } = await start('two@example.com', { [field]: value });
        expect(body['error_type']).toBe('invalid_expiration_minutes');
        expect(body['error_message']).toContain(field);
      }
    },
  );

  describe('PKCE', () => {
    const verifiers = { none: {}, right: { code_verifier: RIGHT }, wrong: { code_verifier: WRONG } };
    const refusals = {
      none: 'pkce_expected_code_verifier',
      wrong: 'pkce_mismatch',
    };
    it.each(oneOf(2, ['required', 'optional'] as const))('is %s: the challenge needs its verifier', async (rule) => {
      const at = rule === 'required' ? world.strict : world.provider;
      await known('pkce@example.com', at);
      const { reset, login } = await request('pkce@example.com', { code_challenge: CHALLENGE }, at);
      for (const verifier of ['none', 'wrong'] as const) {
        const reply = await redeem(reset, verifiers[verifier], at);
        expect(reply.body).toMatchObject({ status_code: 400, error_type: refusals[verifier] });
        const opened = await at.post('/magic_links/authenticate', { token: login, ...minutes, ...verifiers[verifier] });
        expect(opened.body).toMatchObject({ status_code: 400, error_type: refusals[verifier] });
        expect(opened.body['error_message']).toContain('pkce');
      }
      const right = await at.post('/magic_links/authenticate', { token: login, ...minutes, ...verifiers.right });
      expect(right.status).toBe(200);
      expect((await redeem(reset, verifiers.right, at)).status).toBe(200);
    });

    it('is required: without a challenge no email is sent', async () => {
      await signUp('plain@example.com', world.strict);
      const sent = (await world.strict.inbox()).length;
      expect((await start('plain@example.com', {}, world.strict)).body['error_type']).toBe(
        'pkce_code_challenge_required',
      );
      expect((await world.strict.inbox()).length).toBe(sent);
    });

    soakIt('is optional: without a challenge no verifier is needed', async () => {
      await signUp('plain@example.com');
      const { reset } = await request('plain@example.com');
      for (const verifier of ['right', 'wrong'] as const) {
        expect((await redeem(reset, verifiers[verifier])).body['error_type']).toBe('pkce_expected_code_challenge');
      }
      expect((await redeem(reset, verifiers.none)).status).toBe(200);
    });
  });

  it(`let one of ${AT_ONCE} set the password`, async () => {
    await signUp('race@example.com');
    const { reset } = await request('race@example.com');
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => redeem(reset)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.every(({ status }) => status < 500)).toBe(true);
  });

  describe('a sign-up with the address of a stranger', () => {
    soakIt('keeps nothing when the owner of the address comes by link', async () => {
      const squatter = await signUp('victim@example.com');
      const session = squatter['session_token'];
      await world.provider.post('/totps', { expiration_minutes: 60 }, { session });
      const number = { phone_number: '+14155557001' };
      const { method_id } = (await world.provider.post('/otps/sms/send/secondary', number, { session })).data;
      const token = (await world.provider.newest())?.code;
      const added = await world.provider.post('/otps/authenticate', { token, method_id, ...minutes }, { session });
      expect(added.data['user']['phone_numbers']).toHaveLength(1);
      const { data } = await open(await world.provider.sendLink('victim@example.com'));
      expect(data['user']).toMatchObject({ phone_numbers: [], totps: [], password: { requires_reset: true } });
      expect(await me(added.data['session_token'])).toBe(401);
      expect((await enter('victim@example.com', OLD)).body['error_type']).toBe('reset_password');
      const { reset } = await request('victim@example.com');
      expect((await redeem(reset)).status).toBe(200);
      expect((await enter('victim@example.com', NEW)).status).toBe(200);
    });

    it('keeps everything when the same person owns the address', async () => {
      const { session_token: session } = await signUp('owner@example.com');
      const email = 'owner@example.com';
      expect((await world.provider.post('/magic_links/email/send/secondary', { email }, { session })).status).toBe(200);
      const link = (await world.provider.newest(email))?.link ?? 'http://none';
      const token = new URL(link).searchParams.get('token');
      const { data } = await world.provider.post('/magic_links/authenticate', { token, ...minutes }, { session });
      expect(data['user']).toMatchObject({ emails: [{ verified: true }], password: { requires_reset: false } });
      expect((await enter('owner@example.com', OLD)).status).toBe(200);
      expect((await open(await world.provider.sendLink('owner@example.com'))).status).toBe(200);
      expect((await enter('owner@example.com', OLD)).status).toBe(200);
    });
  });
});
