import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { EITHER_DATABASE, MINUTE, type ProviderResponse } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { at, browserAt } from './places.ts';
import { soakIt } from '#tests/soak-tests.ts';

const SHARED = '198.51.100.20';
const GOOD = 'violet tractor moon 88';
const minutes = { session_duration_minutes: 60 };
const PASSKEY = { domain: 'localhost', return_passkey_credential_options: true };
const WALLET = { crypto_wallet_type: 'ethereum', crypto_wallet_address: `0x${'1'.repeat(40)}` };
const limits = { ...DEFAULT_LIMITS, searchesPerNetwork: { max: 30, windowMs: MINUTE } };

const STARTS: readonly (readonly [string, object])[] = [
  ['/webauthn/authenticate/start/primary', PASSKEY],
  ['/crypto_wallets/authenticate/start/primary', WALLET],
];

/** Ceremonies that begin before their user is known, from a network that strangers share with an owner. */
describe.each(EITHER_DATABASE)('a network whose limits strangers have used up, on %s', (_, url) => {
  const provider = suiteProvider(url, { limits });
  beforeEach(() => {
    provider.clock.time += 60 * MINUTE;
  });

  async function owner() {
    const browser = browserAt(provider.app, SHARED, new Map());
    const email = `owner-${provider.clock.time}-${Math.random()}@example.com`;
    const { status } = await browser.post('/passwords', { email, password: GOOD, ...minutes });
    expect(status).toBe(200);
    return browser;
  }
  /** Until the network is refused. */
  async function spend(path: string, body: object): Promise<void> {
    let last: ProviderResponse | undefined;
    for (let time = 0; time < 40 && last?.status !== 429; time += 1)
      last = await at(provider.app, SHARED).post(path, body);
    expect(last?.status).toBe(429);
  }

  it.each(STARTS)('%s begins in the owner’s browser, and in no other', async (path, body) => {
    const home = await owner();
    await spend(path, body);
    expect((await home.post(path, body)).status).toBe(200);
    const forged = new Map([...home.cookies].map(([name, value]) => [name, value.replace(/.(?=.$)/u, (each) => (each === 'A' ? 'B' : 'A'))])); // prettier-ignore
    expect((await browserAt(provider.app, SHARED, forged).post(path, body)).status).toBe(429);
    expect((await at(provider.app, SHARED).post(path, body)).status).toBe(429);
  });

  soakIt.each(STARTS)(
    '%s begins twenty times in five minutes by one cookie, wherever it was copied to',
    async (path, body) => {
      const home = await owner();
      await spend(path, body);
      const answers: number[] = [];
      for (let time = 0; time < 25; time += 1) {
        const copy = browserAt(provider.app, SHARED, new Map(home.cookies));
        answers.push((await (time % 2 === 0 ? home : copy).post(path, body)).status);
      }
      expect(answers.filter((status) => status === 200)).toHaveLength(20);
    },
  );
});
