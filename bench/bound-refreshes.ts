/**
 * Measures what the proof of a bound session adds to its refresh at the server. A session that is not bound and a bound one refresh in
 * turns, on one server, so that other load of the machine affects both. The signature of the browser is made before its request.
 */
import { BoundPage, signInBound } from '../provider/tests/kit/bound-page.ts';
import { proofOf, signUpBound } from '../provider/tests/kit/bound-browser.ts';
import { BOUND_PROJECT, pagesOf } from '../provider/tests/kit/cookie-pages.ts';
import { makeProvider, type Provider } from '../provider/tests/kit/harness.ts';
import { DEFAULT_LIMITS } from '../provider/src/project/settings/limits.ts';
import type { BoundRefresh } from './report.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 500);
const WARM_UP = 50;

const limits = Object.fromEntries(
  Object.entries(DEFAULT_LIMITS).map(([name, limit]) => [name, { ...limit, max: 1e9 }]),
) as unknown as typeof DEFAULT_LIMITS;
const clock = { now: () => Date.now() };

const at = (times: readonly number[], share: number): number =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length * share)] ?? Number.NaN;

async function timed(request: () => Promise<{ readonly status: number }>, status: number): Promise<number> {
  const began = performance.now();
  const reply = await request();
  const ms = performance.now() - began;
  if (reply.status !== status) throw new Error(`A refresh was answered with ${reply.status}`);
  return ms;
}

/** Milliseconds of one refresh of each. */
type Turn = () => Promise<{ readonly plain: number; readonly bound: number }>;

/** Sessions in cookies: the browser answers the challenge of the reply before, and then the page's own refresh goes on. */
async function cookies(provider: Provider): Promise<Turn> {
  const { openPage } = pagesOf(() => provider);
  const plain = openPage();
  await plain.signUp();
  const { browser, session_id, proved } = await signUpBound(provider, openPage());
  let { challenge } = proved;
  return async () => {
    const before = await timed(() => plain.authenticate(), 200);
    const proof = await proofOf(browser.key, challenge);
    const answered = await timed(async () => {
      const reply = await browser.answer(session_id, proof);
      ({ challenge } = reply);
      return reply;
    }, 200);
    return { plain: before, bound: answered + (await timed(() => browser.page.authenticate(), 200)) };
  };
}

/** Sessions whose token the page holds: the refresh has a proof with it. */
async function tokens(provider: Provider): Promise<Turn> {
  const path = '/sessions/authenticate';
  const { method_id, code } = await provider.sendCode('plain@example.com');
  const { data } = await provider.post('/otps/authenticate', { token: code, method_id, session_duration_minutes: 60 });
  const session = String(data['session_token']);
  const { page, token } = await signInBound(provider, 'bound@example.com', await BoundPage.open(provider));
  return async () => {
    const plain = await timed(() => provider.post(path, {}, { session }), 200);
    const proof = await page.proofOf('POST', path, token);
    return { plain, bound: await timed(() => page.sendWith(proof, 'POST', path, {}, token), 200) };
  };
}

async function measure(
  name: string,
  url: string | undefined,
  options: Parameters<typeof makeProvider>[1],
  open: (provider: Provider) => Promise<Turn>,
): Promise<BoundRefresh> {
  const provider = await makeProvider(url, { limits, clock, ...options });
  const turn = await open(provider);
  const plain: number[] = [];
  const bound: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const taken = await turn();
    if (round < 0) continue;
    plain.push(taken.plain);
    bound.push(taken.bound);
  }
  await provider.close();
  const shares = (times: readonly number[]) => ({ median: at(times, 0.5), p95: at(times, 0.95) });
  return { name, plain: shares(plain), bound: shares(bound) };
}

const results: BoundRefresh[] = [];
const url = process.env['TEST_DATABASE_URL'];
for (const [database, address] of [
  ['PGlite', undefined],
  ...(url === undefined ? [] : [['PostgreSQL', url]]),
] as const) {
  const project = { project: BOUND_PROJECT, loopback: false, dev: false };
  results.push(await measure(`${database}, cookies`, address, project, cookies));
  results.push(await measure(`${database}, tokens`, address, {}, tokens));
}
process.stdout.write(`${JSON.stringify(results)}\n`);
process.exit(0);
