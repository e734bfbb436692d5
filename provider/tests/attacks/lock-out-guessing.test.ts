import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { EITHER_DATABASE, type Fields, MINUTE, otherThan } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { at, codeFor, networks, type Place } from './places.ts';
import { soakIt } from '#tests/soak-tests.ts';

const minutes = { session_duration_minutes: 600 };
const HOME = '203.0.113.1';
const ELSEWHERE = '203.0.113.200';
const GOOD = 'correct horse battery staple 9';
const DAY = 24 * 60 * MINUTE;
const STEP = 30_000;
const FIFTY = Array.from({ length: 50 });

/** Small, because every password costs a hash. */
const limits = {
  ...DEFAULT_LIMITS,
  failuresPerUser: { max: 3, windowMs: 60 * MINUTE },
  strangerFailuresPerUser: { max: 2, windowMs: DAY },
  dailyTriesPerTotp: { max: 12, windowMs: DAY },
};

let made = 0;
const newAddress = (): string => `owner${(made += 1)}@example.com`;

describe.each(EITHER_DATABASE)('guesses of a stranger, on %s', (_, url) => {
  const provider = suiteProvider(url, { limits });
  beforeEach(() => {
    provider.clock.time += 60 * MINUTE;
  });

  const place = (address: string): Place => at(provider.app, address);
  const enter = (from: Place, email: string, password: string, session?: string) =>
    from.post('/passwords/authenticate', { email, password, ...minutes }, session);
  const statuses = async (tries: readonly Promise<{ readonly status: number }>[]) =>
    (await Promise.all(tries)).map(({ status }) => status);

  /** An owner who signed up and logged in at home, with their session. */
  async function owner(): Promise<{ readonly email: string; readonly session: string }> {
    const email = newAddress();
    await place(HOME).post('/passwords', { email, password: GOOD, ...minutes });
    const { data } = await enter(place(HOME), email, GOOD);
    return { email, session: data['session_token'] };
  }

  async function mailed(from: Place, email: string): Promise<Fields> {
    const { method_id } = (await from.post('/otps/email/login_or_create', { email })).data;
    const body = { token: await codeFor(provider, email), method_id, ...minutes };
    return (await from.post('/otps/authenticate', body)).data;
  }

  it('wrong passwords from one network do not lock the owner out', async () => {
    const { email } = await owner();
    for (let i = 0; i < 6; i += 1) await enter(place('198.51.100.1'), email, 'wrong');
    expect((await enter(place('198.51.100.1'), email, GOOD)).body['error_type']).toBe('user_lock_limit_reached');
    expect((await enter(place(HOME), email, GOOD)).status).toBe(200);
    expect((await enter(place(ELSEWHERE), email, GOOD)).status).toBe(200);
  });

  soakIt('wrong passwords from many networks do not lock the owner out', async () => {
    const { email, session } = await owner();
    for (const network of networks(4)) {
      for (let i = 0; i < 3; i += 1) await enter(place(network), email, 'wrong');
    }
    expect((await enter(place(HOME), email, GOOD)).status).toBe(200);
    // From a new network, only the first try is checked.
    expect((await enter(place('203.0.113.50'), email, GOOD)).status).toBe(200);
    expect((await enter(place('203.0.113.51'), email, 'wrong')).status).toBe(401);
    expect((await enter(place('203.0.113.51'), email, GOOD)).status).toBe(429);
    // The owner's own session also works.
    expect((await enter(place('203.0.113.51'), email, GOOD, session)).status).toBe(200);
  });

  soakIt('guesses from very many networks end: only the owner’s own network is let in then', async () => {
    const { email } = await owner();
    const tried: number[] = [];
    for (const network of networks(25)) tried.push((await enter(place(network), email, 'wrong')).status);
    expect(tried.filter((status) => status === 401)).toHaveLength(10 * limits.strangerFailuresPerUser.max);
    expect((await enter(place(ELSEWHERE), email, GOOD)).status).toBe(429);
    expect((await enter(place(HOME), email, GOOD)).status).toBe(200);
  });

  soakIt('a session of one’s own gives no guesses, and neither do simultaneous ones', async () => {
    const { email } = await owner();
    const stranger = await owner();
    const guesses = FIFTY.map(() => enter(place('198.51.100.7'), email, 'wrong', stranger.session));
    const compared = (await statuses(guesses)).filter((status) => status === 401);
    expect(compared.length).toBeGreaterThan(0);
    expect(compared.length).toBeLessThanOrEqual(limits.failuresPerUser.max);
  });

  soakIt('a network whose last login was long ago does not count as the owner’s', async () => {
    const { email } = await owner();
    provider.clock.time += 31 * DAY;
    for (const network of networks(22)) await enter(place(network), email, 'wrong');
    expect((await enter(place(HOME), email, GOOD)).status).toBe(429);
  });

  soakIt('the first factor cannot lock the owner out of the second', async () => {
    const email = newAddress();
    const { session_token } = await mailed(place(HOME), email);
    const totp = (await place(HOME).post('/totps', { expiration_minutes: 60 }, session_token)).data;
    const codeOf = (): string =>
      new TOTP({ secret: Secret.fromBase32(totp['secret']) }).generate({ timestamp: provider.clock.time });
    const prove = (from: Place, totp_code: string, session: string) =>
      from.post('/totps/authenticate', { totp_code, ...minutes }, session);
    const owned = (await prove(place(HOME), codeOf(), session_token)).data['session_token'];
    provider.clock.time += STEP;

    // An attacker who reads the mail or knows the password starts one session after the other.
    const seen: number[] = [];
    for (const network of networks(4)) {
      const { session_token: theirs } = await mailed(place(network), email);
      const tries = FIFTY.slice(0, 6).map(() => prove(place(network), otherThan(codeOf()), theirs));
      seen.push(...(await statuses(tries)));
    }
    // The owner's first code was counted with them: no second factor had been entered at home before.
    expect(seen.filter((status) => status === 404)).toHaveLength(limits.dailyTriesPerTotp.max - 1);

    // The owner's home network has its own count, in this session and the next. From a new network, a recovery code is counted.
    expect((await prove(place(HOME), codeOf(), owned)).status).toBe(200);
    provider.clock.time += STEP;
    const next = await mailed(place(HOME), email);
    expect((await prove(place(HOME), codeOf(), next['session_token'])).status).toBe(200);
    provider.clock.time += STEP;
    const away = (await mailed(place(ELSEWHERE), email))['session_token'];
    expect((await prove(place(ELSEWHERE), codeOf(), away)).status).toBe(429);
    const recovery = { recovery_code: totp['recovery_codes'][0], ...minutes };
    expect((await place(ELSEWHERE).post('/totps/recover', recovery, away)).status).toBe(200);
  });

  soakIt('a right code from a new network gives strangers no further guesses', async () => {
    const email = newAddress();
    const { session_token } = await mailed(place(HOME), email);
    const totp = (await place(HOME).post('/totps', { expiration_minutes: 60 }, session_token)).data;
    const codeOf = (): string =>
      new TOTP({ secret: Secret.fromBase32(totp['secret']) }).generate({ timestamp: provider.clock.time });
    const prove = (from: Place, totp_code: string, session: string) =>
      from.post('/totps/authenticate', { totp_code, ...minutes }, session);
    expect((await prove(place(HOME), codeOf(), session_token)).status).toBe(200);
    const guess = async (network: string): Promise<number> => {
      const { session_token: theirs } = await mailed(place(network), email);
      const tried = await statuses(FIFTY.slice(0, 4).map(() => prove(place(network), otherThan(codeOf()), theirs)));
      return tried.filter((status) => status === 404).length;
    };
    let guessed = 0;
    for (const [count, network] of networks(6).entries()) {
      guessed += await guess(network);
      // The owner travels, and enters a right code at each place.
      if (count > 1) continue;
      provider.clock.time += STEP;
      const away = place(`203.0.113.${100 + count}`);
      const { session_token: own } = await mailed(away, email);
      expect((await prove(away, codeOf(), own)).status).toBe(200);
    }
    // The first code of the owner came from a network that was new, too.
    expect(guessed).toBe(limits.dailyTriesPerTotp.max - 3);
  });

  soakIt('new challenges do not displace the message that the owner is about to sign', async () => {
    const key = ed25519.utils.randomSecretKey();
    const wallet = {
      crypto_wallet_type: 'solana',
      crypto_wallet_address: base58.encode(ed25519.getPublicKey(key)),
    };
    const start = (from: Place) => from.post('/crypto_wallets/authenticate/start/primary', wallet);
    const { challenge } = (await start(place(HOME))).data;
    provider.clock.time += 1;
    for (const network of networks(6)) await Promise.all(FIFTY.slice(0, 22).map(() => start(place(network))));
    const signature = base58.encode(ed25519.sign(new TextEncoder().encode(String(challenge)), key));
    const finish = { ...wallet, signature, ...minutes };
    expect((await place(HOME).post('/crypto_wallets/authenticate', finish)).status).toBe(200);
  });
});
