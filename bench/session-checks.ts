/**
 * Session checks per second of the provider, compared with another sign-in server on the same PostgreSQL. All run in this process and
 * respond to a `Request` with a `Response`. They alternate in short rounds, so that other load of the machine affects all.
 */
import { basic, makeProvider, PUBLIC_TOKEN } from '../provider/tests/kit/harness.ts';
import { DEFAULT_LIMITS } from '../provider/src/project/settings/limits.ts';
import { InboxHub } from '../provider/src/messages/inbox-hub.ts';
import { betterAuth, type Contender } from './peers/better-auth.ts';
import type { CheckCost } from './report.ts';

const ROUNDS = 9;
const ROUND_MS = 500;
const AT_ONCE = 10;
const USERS = 400;
const MINUTE_MS = 60_000;

const unlimited = Object.fromEntries(
  Object.entries(DEFAULT_LIMITS).map(([name, limit]) => [name, { ...limit, max: 1e9 }]),
) as unknown as typeof DEFAULT_LIMITS;

interface SessionCheck {
  readonly secret: 'session_token' | 'session_jwt';
  /** Whether every check comes more than a minute after the last one of the session, and is recorded. */
  readonly recorded: boolean;
}

async function ours(name: string, url: string | undefined, { secret, recorded }: SessionCheck): Promise<Contender> {
  let code = '';
  const inbox = new InboxHub();
  inbox.subscribe(
    (message) => (code = message.code ?? ''),
    () => undefined,
  );
  let ahead = 0;
  const provider = await makeProvider(url, { limits: unlimited, inbox, clock: { now: () => Date.now() + ahead } });
  const secrets: string[] = [];
  for (let user = 0; user < USERS; user += 1) {
    const sent = await provider.post('/otps/email/login_or_create', { email: `user-${user}@example.com` });
    const body = { token: code, method_id: sent.data['method_id'], session_duration_minutes: 525_600 };
    secrets.push(String((await provider.post('/otps/authenticate', body)).data[secret]));
  }
  return {
    name,
    async check(turn) {
      if (recorded) ahead += MINUTE_MS / USERS + 1;
      const { status } = await provider.app.request('/sdk/v1/sessions/authenticate', {
        method: 'POST',
        headers: {
          authorization: basic(PUBLIC_TOKEN, secrets[turn % USERS] ?? ''),
          'content-type': 'application/json',
        },
        body: '{}',
      });
      if (status !== 200) throw new Error(`A check was answered with ${status}`);
    },
    close: () => provider.close(),
  };
}

/** Runs checks for a while, ten concurrently. */
async function round({ check }: Contender): Promise<CheckCost> {
  let turn = 0;
  const used = process.cpuUsage();
  const began = performance.now();
  const lane = async (): Promise<void> => {
    while (performance.now() - began < ROUND_MS) await check((turn += 1));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const { user, system } = process.cpuUsage(used);
  return { rate: (turn / (performance.now() - began)) * 1_000, cpu: (user + system) / turn };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Rates and ratios are medians over the rounds; a ratio compares neighbouring turns. */
async function compare(contenders: readonly Contender[]): Promise<Record<string, CheckCost & { ratio: number }>> {
  const costs = contenders.map((): CheckCost[] => []);
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    for (const [place, contender] of contenders.entries()) {
      const cost = await round(contender);
      // The first round warms up.
      if (turn > 0) costs[place]?.push(cost);
    }
  }
  const first = costs[0] ?? [];
  return Object.fromEntries(
    contenders.map(({ name }, place) => {
      const own = costs[place] ?? [];
      return [
        name,
        {
          rate: median(own.map(({ rate }) => rate)),
          cpu: median(own.map(({ cpu }) => cpu)),
          ratio: median(own.map(({ rate }, at) => rate / (first[at]?.rate ?? NaN))),
        },
      ];
    }),
  );
}

const url = process.env['TEST_DATABASE_URL'];
const contenders = [
  ...(url === undefined ? [] : [await betterAuth(url)]),
  ...(url === undefined
    ? []
    : [
        await ours('PostgreSQL, by token', url, { secret: 'session_token', recorded: false }),
        await ours('PostgreSQL, by token, use recorded', url, { secret: 'session_token', recorded: true }),
        await ours('PostgreSQL, by JWT', url, { secret: 'session_jwt', recorded: false }),
      ]),
  await ours('embedded, by token', undefined, { secret: 'session_token', recorded: false }),
];
process.stdout.write(`${JSON.stringify(await compare(contenders))}\n`);
for (const { close } of contenders) await close();
process.exit(0);
