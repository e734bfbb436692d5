import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { normalRecoveryCode } from '#server-rules/totps.ts';
import { seal, unseal } from '#provider/base/security/seal.ts';
import { newRecoveryCodes, newTotpSecret, stepOf, totpUri } from '#provider/accounts/totps/code.ts';
import { systemRandom } from '#provider/base/platform.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { EITHER_DATABASE, type Fields, MINUTE, otherThan } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** How many requests arrive at once. */
const CROWD = SOAK ? 50 : 10;
const minutes = { session_duration_minutes: 60 };
const STEP = 30_000;

describe.each(EITHER_DATABASE)('authenticator apps on %s', (_, url) => {
  const provider = suiteProvider(url);

  const create = (session: string, expiration_minutes = 60) =>
    provider.post('/totps', { expiration_minutes }, { session });
  const enter = (totp_code: string, session: string) =>
    provider.post('/totps/authenticate', { totp_code, ...minutes }, { session });
  const recover = (recovery_code: string, session: string) =>
    provider.post('/totps/recover', { recovery_code, ...minutes }, { session });
  const codes = async (session: string) => (await provider.post('/totps/recovery_codes', {}, { session })).data;
  const codeOf = (secret: string, steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: provider.clock.time + steps * STEP });

  /** A signed-in user with a verified app; the clock is on a step that was not used yet. */
  async function enrolled(email: string): Promise<{ session: string; totp: Fields }> {
    const { session_token } = await provider.signIn(email);
    const totp = (await create(session_token)).data;
    const { data } = await enter(codeOf(totp['secret']), session_token);
    provider.clock.time += STEP;
    return { session: data['session_token'], totp };
  }

  it('begin with a secret, its picture and ten recovery codes', async () => {
    const { session_token, user_id } = await provider.signIn('new@example.com');
    const { data } = await create(session_token);
    expect(data['totp_id']).toMatch(/^totp-test-/u);
    expect(data['secret']).toMatch(/^[A-Z2-7]{32}$/u);
    expect(data['qr_code']).toMatch(/^data:image\/png;base64,iVBORw0KGgo/u);
    expect(new Set(data['recovery_codes']).size).toBe(10);
    expect(data['user_id']).toBe(user_id);
    expect(data['user']['totps']).toEqual([{ totp_id: data['totp_id'], verified: false }]);
    expect(data['__user']).toEqual(data['user']);
  });

  it('are verified by their first code, which adds a factor to the session', async () => {
    const { session_token, session } = await provider.signIn('first@example.com');
    const totp = (await create(session_token)).data;
    const { data, status } = await enter(codeOf(totp['secret']), session_token);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      totp_id: totp['totp_id'],
      user: { totps: [{ totp_id: totp['totp_id'], verified: true }] },
      session: {
        session_id: session['session_id'],
        authentication_factors: [
          { type: 'otp' },
          {
            type: 'totp',
            delivery_method: 'authenticator_app',
            authenticator_app_factor: { totp_id: totp['totp_id'] },
          },
        ],
      },
    });
    expect(data['session_token']).not.toBe(session_token);
  });

  it('need a session', async () => {
    for (const [path, body] of [
      ['/totps', { expiration_minutes: 60 }],
      ['/totps/authenticate', { totp_code: '123456', ...minutes }],
      ['/totps/recover', { recovery_code: 'x', ...minutes }],
      ['/totps/recovery_codes', {}],
    ] as const) {
      expect((await provider.post(path, body)).body).toMatchObject({
        status_code: 401,
        error_type: 'user_unauthenticated',
      });
      const gone = await provider.post(path, body, { session: 'gone' });
      expect(gone.body).toMatchObject({ status_code: 401, error_type: 'unauthorized_credentials' });
    }
  });

  it('take a code one step early or late, no more', async () => {
    const { session, totp } = await enrolled('window@example.com');
    provider.clock.time += 10 * STEP;
    const refused = await enter(codeOf(totp['secret'], -2), session);
    expect(refused.body).toMatchObject({ status_code: 404, error_type: 'otp_code_not_found' });
    expect((await enter(codeOf(totp['secret'], 2), session)).status).toBe(404);
    const early = await enter(codeOf(totp['secret'], -1), session);
    expect(early.status).toBe(200);
    expect((await enter(codeOf(totp['secret'], 1), early.data['session_token'])).status).toBe(200);
  });

  it('accept a code once, and no code older than an accepted one', async () => {
    const { session, totp } = await enrolled('replay@example.com');
    const code = codeOf(totp['secret'], 1);
    const { data } = await enter(code, session);
    for (const again of [code, codeOf(totp['secret']), codeOf(totp['secret'], -1)]) {
      expect((await enter(again, data['session_token'])).body['error_type']).toBe('otp_code_not_found');
    }
    provider.clock.time += 2 * STEP;
    expect((await enter(codeOf(totp['secret']), data['session_token'])).status).toBe(200);
  });

  it(`let one of ${CROWD} enter the same code`, async () => {
    const { session, totp } = await enrolled('race@example.com');
    const code = codeOf(totp['secret']);
    const replies = await Promise.all(Array.from({ length: CROWD }, () => enter(code, session)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.every(({ status }) => status < 500)).toBe(true);
  });

  it.each(['12345', '1234567', 'abcdef', '', '１２３４５６'])('refuse %j, which no code can be', async (code) => {
    const { session_token } = await provider.signIn('new@example.com');
    expect((await enter(code, session_token)).body).toMatchObject({ status_code: 400, error_type: 'invalid_code' });
    provider.clock.time += 10 * MINUTE;
  });

  soakIt('lock a session after five wrong tries, right ones and recovery codes too; a right one forgives', async () => {
    const { session, totp } = await enrolled('lock@example.com');
    const wrong = otherThan(codeOf(totp['secret']));
    for (let i = 0; i < 4; i += 1) await enter(wrong, session);
    const { data } = await enter(codeOf(totp['secret']), session);
    provider.clock.time += STEP;
    const again = data['session_token'];
    await Promise.all(Array.from({ length: CROWD }, () => enter(otherThan(codeOf(totp['secret'])), again)));
    const locked = await enter(codeOf(totp['secret']), again);
    expect(locked.body).toMatchObject({ status_code: 429, error_type: 'user_lock_limit_reached' });
    expect(locked.headers.get('retry-after')).toMatch(/^\d+$/u);
    expect((await recover(totp['recovery_codes'][0], again)).status).toBe(429);
    const elsewhere = (await provider.signIn('lock@example.com'))['session_token'];
    expect((await enter(codeOf(totp['secret']), elsewhere)).status).toBe(200);
    provider.clock.time += 59 * MINUTE;
    expect((await enter(codeOf(totp['secret']), again)).status).toBe(200);
  });

  soakIt('must be verified in time', async () => {
    const { session_token } = await provider.signIn('slow@example.com');
    for (const expiration of [4, 1441, 5.5]) {
      const { body } = await create(session_token, expiration);
      expect(body).toMatchObject({ status_code: 400, error_type: 'invalid_expiration_minutes' });
    }
    const totp = (await create(session_token, 5)).data;
    provider.clock.time += 5 * MINUTE;
    const late = await enter(codeOf(totp['secret']), session_token);
    expect(late.body).toMatchObject({ status_code: 404, error_type: 'totp_not_found' });
    const { user_id } = await provider.signIn('slow@example.com');
    expect(await codes(session_token)).toMatchObject({ user_id, totps: [] });
    const { db } = provider.services;
    const count = async () => (await db.selectFrom('totps').select('verified').execute()).length;
    const before = await count();
    provider.clock.time += 24 * 60 * MINUTE;
    await sweep(provider.services);
    expect(await count()).toBeLessThan(before);
    expect(
      (await db.selectFrom('totps').select('totp_id').where('verified', '=', true).execute()).length,
    ).toBeGreaterThan(0);
  });

  it('are replaced while unverified, and kept once verified', async () => {
    const { session_token } = await provider.signIn('again@example.com');
    const lost = (await create(session_token)).data;
    const kept = (await create(session_token)).data;
    expect(kept['user']['totps']).toHaveLength(1);
    expect((await enter(codeOf(lost['secret']), session_token)).status).toBe(404);
    const { data } = await enter(codeOf(kept['secret']), session_token);
    const third = await create(data['session_token']);
    expect(third.body).toMatchObject({ status_code: 400, error_type: 'active_totp_exists' });
    const many = (await provider.signIn('many@example.com'))['session_token'];
    const made = await Promise.all(Array.from({ length: SOAK ? 10 : 3 }, () => create(many)));
    expect(made.every(({ status }) => status < 500)).toBe(true);
    expect((await codes(many))['totps']).toHaveLength(1);
  });

  it('show their recovery codes to their user again, those that are left', async () => {
    const { session, totp } = await enrolled('codes@example.com');
    const { totp_id, recovery_codes } = totp;
    const stranger = (await provider.signIn('other@example.com'))['session_token'];
    expect((await codes(session))['totps']).toEqual([{ totp_id, verified: true, recovery_codes }]);
    expect((await codes(stranger))['totps']).toEqual([]);
    const { data, status } = await recover(recovery_codes[3], session);
    expect(status).toBe(200);
    expect(data['totp_id']).toBe(totp_id);
    expect(data['session']['authentication_factors']).toMatchObject([
      { type: 'otp' },
      { type: 'totp' },
      { type: 'recovery_codes', delivery_method: 'recovery_code' },
    ]);
    const again = data['session_token'];
    expect((await codes(again))['totps'][0]['recovery_codes']).toEqual(
      recovery_codes.filter((code: string) => code !== recovery_codes[3]),
    );
    const used = await recover(recovery_codes[3], again);
    expect(used.body).toMatchObject({ status_code: 404, error_type: 'recovery_code_not_found' });
    expect((await recover(recovery_codes[4].toUpperCase().replaceAll('-', ' '), again)).status).toBe(200);
  });

  it('do not take the recovery codes of another user, nor of an app that was never verified', async () => {
    const mine = await enrolled('mine@example.com');
    const yours = await enrolled('yours@example.com');
    expect((await recover(yours.totp['recovery_codes'][0], mine.session)).status).toBe(404);
    const { session_token } = await provider.signIn('unverified@example.com');
    const { recovery_codes } = (await create(session_token)).data;
    expect((await recover(recovery_codes[0], session_token)).body['error_type']).toBe('recovery_code_not_found');
  });

  soakIt(`let one of ${CROWD} spend a recovery code`, async () => {
    const { session, totp } = await enrolled('spend@example.com');
    const replies = await Promise.all(Array.from({ length: CROWD }, () => recover(totp['recovery_codes'][0], session)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.every(({ status }) => status < 500)).toBe(true);
    const [row] = await provider.services.db
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<number>().as('left'))
      .where('totp_id', '=', totp['totp_id'])
      .execute();
    expect(Number(row?.left)).toBe(9);
  });
});

describe('codes of authenticator apps', () => {
  // RFC 6238, appendix B, for SHA-1; the last six of its eight digits.
  const SECRET = Secret.fromUTF8('12345678901234567890').base32;
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 at %s s', (seconds, code) => {
    expect(stepOf(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
    expect(stepOf(SECRET, otherThan(code), seconds * 1000)).toBeNull();
  });

  it('have secrets of 160 bits and recovery codes of 120', () => {
    const secret = newTotpSecret(systemRandom);
    expect(Secret.fromBase32(secret).bytes).toHaveLength(20);
    expect(newTotpSecret(systemRandom)).not.toBe(secret);
    for (const code of newRecoveryCodes(systemRandom)) {
      expect(code).toMatch(/^(?:[a-kmnp-z2-9]{4}-){5}[a-kmnp-z2-9]{4}$/u);
      expect(normalRecoveryCode(` ${code.toUpperCase().replaceAll('-', '')}`)).toBe(code);
    }
  });

  it('are set up by a URI that names project and user, however they are spelt', () => {
    const uri = new URL(totpUri(SECRET, 'A & B: shop', 'ada+x@example.com'));
    expect(uri.protocol).toBe('otpauth:');
    expect(uri.searchParams.get('secret')).toBe(SECRET);
    expect(uri.searchParams.get('issuer')).toBe('A & B: shop');
    expect(decodeURIComponent(uri.pathname)).toContain('ada+x@example.com');
  });
});

describe('the sealed secret', () => {
  const key = systemRandom.bytes(32);

  it('is opened by its key and for its owner only, unchanged', () => {
    const sealed = seal(systemRandom, key, 'a', 'a secret');
    expect(sealed).not.toContain('secret');
    expect(unseal(key, 'a', sealed)).toBe('a secret');
    expect(seal(systemRandom, key, 'a', 'a secret')).not.toBe(sealed);
    expect(() => unseal(key, 'b', sealed)).toThrow();
    expect(() => unseal(systemRandom.bytes(32), 'a', sealed)).toThrow();
    const bytes = Buffer.from(sealed, 'base64url');
    for (const at of [0, 14, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(() => unseal(key, 'a', changed.toString('base64url'))).toThrow();
    }
  });
});
