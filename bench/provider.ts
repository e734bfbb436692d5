/** Passwordless logins per second of the provider in this process: a passcode requested and used, by one user at a time and by many. */
import { makeProvider } from '../provider/tests/kit/harness.ts';
import { DEFAULT_LIMITS } from '../provider/src/project/settings/limits.ts';
import { InboxHub } from '../provider/src/messages/inbox-hub.ts';

const FOR_MS = 4_000;
const USERS = 50;

const limits = Object.fromEntries(
  Object.entries(DEFAULT_LIMITS).map(([name, limit]) => [name, { ...limit, max: 1e9 }]),
) as unknown as typeof DEFAULT_LIMITS;

async function logins(url: string | undefined) {
  const inbox = new InboxHub();
  const codes = new Map<string, string>();
  inbox.subscribe(
    ({ to, code = '' }) => void codes.set(to, code),
    () => undefined,
  );
  const provider = await makeProvider(url, { limits, inbox, clock: Date });
  const logIn = async (email: string): Promise<void> => {
    const { data } = await provider.post('/otps/email/login_or_create', { email });
    const body = { token: codes.get(email), method_id: data['method_id'], session_duration_minutes: 60 };
    const { status } = await provider.post('/otps/authenticate', body);
    if (status !== 200) throw new Error(`A login was answered with ${status}`);
  };
  const run = async (atOnce: number): Promise<number> => {
    const until = performance.now() + FOR_MS;
    let done = 0;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: atOnce }, async (_, lane) => {
        for (let turn = 0; performance.now() < until; turn += 1, done += 1) {
          await logIn(`user-${lane}-${turn % USERS}@example.com`);
        }
      }),
    );
    return (done / (performance.now() - began)) * 1_000;
  };
  await logIn('first@example.com');
  const rates = { oneAtATime: await run(1), tenAtOnce: await run(10) };
  await provider.close();
  return rates;
}

const url = process.env['TEST_DATABASE_URL'];
const results = { pglite: await logins(undefined), postgres: url === undefined ? null : await logins(url) };
process.stdout.write(`${JSON.stringify(results)}\n`);
process.exit(0);
