/**
 * Measures whether response times reveal if an address has an account: the same call for addresses with and without an account in
 * turns, on one server, so that other load of the machine affects both. The medians are compared, in random order within each pair.
 */
import { makeProvider } from '../provider/tests/kit/harness.ts';
import { DEFAULT_LIMITS } from '../provider/src/project/settings/limits.ts';
import type { AnswerTimes } from './report.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 300);
/** Hashing dominates the time of these calls, so fewer rounds are enough. */
const HASHING_ROUNDS = Math.ceil(ROUNDS / 4);
const USERS = 60;
const GOOD = 'correct horse battery staple 7';
const minutes = { session_duration_minutes: 60 };

const unlimited = Object.fromEntries(
  Object.entries(DEFAULT_LIMITS).map(([name, limit]) => [name, { ...limit, max: 1e9 }]),
) as unknown as typeof DEFAULT_LIMITS;

interface Call {
  readonly name: string;
  readonly path: string;
  readonly rounds: number;
  readonly body: (email: string) => object;
}

const CALLS: readonly Call[] = [
  {
    name: 'a wrong password',
    path: '/passwords/authenticate',
    rounds: HASHING_ROUNDS,
    body: (email) => ({ email, password: 'wrong', ...minutes }),
  },
  {
    name: 'start of a reset',
    path: '/passwords/email/reset/start',
    rounds: ROUNDS,
    body: (email) => ({ email }),
  },
  { name: 'a search', path: '/users/search', rounds: ROUNDS, body: (email) => ({ email }) },
  {
    name: 'a passcode, which signs unknown addresses up',
    path: '/otps/email/login_or_create',
    rounds: ROUNDS,
    body: (email) => ({ email }),
  },
  {
    name: 'a login link, which signs unknown addresses up',
    path: '/magic_links/email/login_or_create',
    rounds: ROUNDS,
    body: (email) => ({ email }),
  },
];

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function measure(url: string | undefined): Promise<readonly AnswerTimes[]> {
  const provider = await makeProvider(url, { limits: unlimited, clock: { now: () => Date.now() } });
  const known = (turn: number): string => `known-${turn % USERS}@example.com`;
  for (let user = 0; user < USERS; user += 1) {
    await provider.post('/passwords', { email: known(user), password: GOOD, ...minutes });
  }
  let unknown = 0;
  const next = (): string => {
    unknown += 1;
    return `other-${unknown}@example.com`;
  };
  const times: AnswerTimes[] = [];
  for (const { name, path, rounds, body } of CALLS) {
    const taken = { known: [] as number[], unknown: [] as number[] };
    const timed = async (kind: keyof typeof taken, turn: number): Promise<void> => {
      const given = body(kind === 'known' ? known(turn) : next());
      const began = performance.now();
      await provider.post(path, given);
      taken[kind].push(performance.now() - began);
    };
    for (let turn = 0; turn < rounds; turn += 1) {
      const order = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
      for (const kind of order) await timed(kind, turn);
    }
    times.push({ name, known: median(taken.known), unknown: median(taken.unknown) });
  }
  await provider.close();
  return times;
}

const url = process.env['TEST_DATABASE_URL'];
const results = { pglite: await measure(undefined), postgres: url === undefined ? null : await measure(url) };
process.stdout.write(`${JSON.stringify(results)}\n`);
process.exit(0);
