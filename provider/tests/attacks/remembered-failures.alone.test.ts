import { afterAll, describe, expect, it, vi } from 'vitest';
import { systemRandom } from '#provider/base/platform.ts';
import { onceMade } from '#provider/base/remember.ts';
import { needsRehash, verifyPassword } from '#provider/accounts/passwords/hash.ts';
import { PasswordJudge } from '#provider/accounts/password-strength/judge.ts';
import type { Semaphore } from '#provider/base/security/semaphore.ts';
import { AccountTokens } from '#provider/accounts/social/built-in/account-tokens.ts';
import { EITHER_DATABASE, makeProvider } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const minutes = { session_duration_minutes: 60 };
const ODD_WORKER = new URL('./odd-worker.mjs', import.meta.url);

/** Unhandled rejections, which would end the process. There must be none. */
const unseen: unknown[] = [];
const see = (reason: unknown): void => void unseen.push(reason);
process.on('unhandledRejection', see);
afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off('unhandledRejection', see);
  // Test files share modules, so those that were loaded with a mock are removed.
  vi.resetModules();
  expect(unseen).toEqual([]);
});

/** Fills the slots and the queue of the hashes, so that the next hash fails. The returned function empties them. */
function fillLine(slots: Semaphore): () => Promise<void> {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const held = Array.from({ length: slots.slots + slots.longestLine }, () => slots.run(() => gate));
  return async () => {
    open();
    await Promise.all(held);
  };
}

describe.each(EITHER_DATABASE)('a first hash that fails, on %s', (_, url) => {
  it('the failure neither refuses unknown addresses for ever nor ends the server', async () => {
    // Simulates a new start, before the first hash.
    vi.resetModules();
    const [{ createApp }, fresh] = await Promise.all([
      import('#provider/operation/app.ts'),
      import('#provider/accounts/passwords/hash.ts'),
    ]);
    const provider = await makeProvider(url);
    const app = createApp(provider.services);
    const enter = async (email: string) => {
      const headers = {
        authorization: `Basic ${Buffer.from(`${provider.services.project.public_token}:`).toString('base64')}`,
        'content-type': 'application/json',
      };
      const body = JSON.stringify({ email, password: 'violet tractor moon 88', ...minutes });
      return (await app.request('/sdk/v1/passwords/authenticate', { method: 'POST', headers, body })).status;
    };
    await provider.post('/passwords', { email: 'known@example.com', password: 'violet tractor moon 88', ...minutes });
    const empty = fillLine(fresh.hashSlots);
    expect(await Promise.all(['known@example.com', 'nobody@example.com'].map(enter))).toEqual([503, 503]);
    await empty();
    expect(await Promise.all(['known@example.com', 'nobody@example.com'].map(enter))).toEqual([200, 401]);
    await provider.close();
  });
});

describe('a failure that happens once', () => {
  it('unknown addresses are compared with a hash of today’s cost, which no password has', async () => {
    for (const password of ['', 'portico', '\0'.repeat(32)]) expect(await verifyPassword(null, password)).toBe(false);
    const compared = vi.fn<(stored: string) => void>();
    vi.resetModules();
    vi.doMock('@node-rs/argon2', async (original) => ({
      ...(await original<object>()),
      verify: (stored: string) => Promise.resolve(compared(stored)).then(() => false),
    }));
    const { verifyPassword: verify } = await import('#provider/accounts/passwords/hash.ts');
    vi.doUnmock('@node-rs/argon2');
    await verify(null, 'x');
    const dummy = compared.mock.calls[0]?.[0] ?? '';
    expect(dummy).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$[\w+/]{22}\$[\w+/]{43}$/u);
    expect(needsRehash(dummy)).toBe(false);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('once');
      },
    ],
    ['rejects', () => Promise.reject(new Error('once'))],
  ] as const)('what %s once is made again', async (__, fail: () => Promise<string>) => {
    let made = 0;
    const ask = onceMade(async () => ((made += 1) === 1 ? fail() : 'made'));
    const sync = onceMade(() => ((made += 1) === 1 ? fail() : Promise.resolve('made')));
    for (const one of [ask, sync]) {
      made = 0;
      const together = await Promise.allSettled([one(), one()]);
      expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(await Promise.all([one(), one(), one()])).toEqual(['made', 'made', 'made']);
      expect(made).toBe(2);
    }
  });

  soakIt('the keys of the account page are made again after a failure', async () => {
    let failures = 1;
    const random = {
      bytes: (count: number) => {
        if ((failures -= 1) >= 0) throw new Error('once');
        return systemRandom.bytes(count);
      },
    };
    const provider = await makeProvider(EITHER_DATABASE[0]?.[1]);
    const tokens = new AccountTokens({ ...provider.services, random });
    await expect(tokens.jwks()).rejects.toThrow('once');
    const [first, second] = await Promise.all([tokens.jwks(), tokens.jwks()]);
    expect(first).toEqual(second);
    expect(first.keys).toHaveLength(1);
    await provider.close();
  });

  soakIt('a new thread judges passwords after a failure, and a thread that cannot start is reported', async () => {
    const judge = new PasswordJudge({ worker: ODD_WORKER, threads: 1 });
    await expect(judge.judge('fail', [])).rejects.toMatchObject({
      type: 'service_unavailable',
      retryAfterSeconds: 1,
    });
    expect(await judge.judge('calm', [])).toMatchObject({ score: 4, warning: '4' });
    await judge.close();
    const missing = new PasswordJudge({ worker: new URL('./no-such-worker.mjs', import.meta.url), threads: 1 });
    for (let asked = 0; asked < 2; asked += 1) {
      await expect(missing.judge('calm', [])).rejects.toMatchObject({ type: 'service_unavailable' });
    }
  });
});
