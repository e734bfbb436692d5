import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { basic, DATABASES, type Fields, isSecond, makeProvider, otherThan, type Provider } from '../kit/harness.ts';
import { SOAK } from '#tests/soak.ts';
import { listedIf, soakIt } from '#tests/soak-tests.ts';

/** As many as fill the pool of connections; in soaks fifty. */
const MANY = Array.from({ length: SOAK ? 50 : 15 });
const ROUNDS = SOAK ? 3 : 1;

describe.each(DATABASES)('races on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    const sendsPerAddress = { max: 1000, windowMs: 1000 };
    provider = await makeProvider(url, { limits: { ...DEFAULT_LIMITS, sendsPerAddress } });
  });
  afterAll(() => provider.close());

  const successes = (replies: readonly { readonly status: number }[]) =>
    replies.filter(({ status }) => status === 200).length;

  it('redeems a code once for many concurrent callers', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { code, method_id } = await provider.sendCode(`code${round}@example.com`);
      const fields = { token: code, method_id, session_duration_minutes: 30 };
      const replies = await Promise.all(MANY.map(() => provider.post('/otps/authenticate', fields)));
      expect(successes(replies)).toBe(1);
      expect(replies.every(({ status }) => status < 500)).toBe(true);
    }
  });

  listedIf(!isSecond(url), it)('opens a link once for many concurrent callers', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const token = await provider.sendLink(`link${round}@example.com`);
      const fields = { token, session_duration_minutes: 30 };
      const replies = await Promise.all(MANY.map(() => provider.post('/magic_links/authenticate', fields)));
      expect(successes(replies)).toBe(1);
      expect(replies.every(({ status }) => status < 500)).toBe(true);
    }
  });

  soakIt('makes one user of many sign-ups with one address', async () => {
    const replies = await Promise.all(
      MANY.map((__, index) =>
        provider.post('/magic_links/email/login_or_create', {
          email: index % 2 ? 'new@example.com' : 'NEW@example.com',
        }),
      ),
    );
    expect(successes(replies)).toBe(MANY.length);
    expect(new Set(replies.map(({ data }) => data['user_id'])).size).toBe(1);
    const users = await provider.services.db.selectFrom('users').select('user_id').execute();
    const emails = await provider.services.db.selectFrom('emails').select('user_id').execute();
    expect(users).toHaveLength(emails.length);
  });

  listedIf(!isSecond(url), it)(
    'makes one user of twenty that the app’s server makes with one address or number',
    async () => {
      const headers = {
        authorization: basic(provider.services.project.project_id, DEV_SECRET),
        'content-type': 'application/json',
      };
      const make = async (place: number): Promise<Fields> => {
        const contacts = { email: `many${place % 2}@example.com`, phone_number: '+12025550123' };
        const body = JSON.stringify(contacts);
        return (await provider.app.request('/v1/users', { method: 'POST', headers, body })).json() as Promise<Fields>;
      };
      const { db } = provider.services;
      const before = await db.selectFrom('users').select('user_id').execute();
      const replies = await Promise.all(Array.from({ length: 20 }, (__, place) => make(place)));
      const [made, ...others] = replies.filter(({ status_code }) => status_code === 200);
      expect([made?.['user']['emails'].length, made?.['user']['phone_numbers'].length, others]).toEqual([1, 1, []]);
      const refusals = new Set(replies.map(({ error_type }) => error_type as string | undefined));
      expect([...refusals].filter((type) => !/^duplicate_(?:email|phone_number)$/u.test(type ?? ''))).toEqual([
        undefined,
      ]);
      expect(await db.selectFrom('users').select('user_id').execute()).toHaveLength(before.length + 1);
    },
  );

  listedIf(!isSecond(url), it)('evaluates five of many parallel guesses', async () => {
    const { code, method_id } = await provider.sendCode('guess@example.com');
    const fields = { token: otherThan(code), method_id, session_duration_minutes: 30 };
    await Promise.all(MANY.map(() => provider.post('/otps/authenticate', fields)));
    const [row] = await provider.services.db
      .selectFrom('passcodes')
      .select('tries')
      .where('passcode_id', '=', method_id)
      .execute();
    expect(row?.tries).toBe(5);
  });
});
