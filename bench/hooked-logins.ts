/**
 * The time of a login with a hook that answers in five milliseconds, and of one without, at 10,000 logins an hour each. The two kinds
 * take turns, so that both have the same neighbours. The hook has its own thread.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { makeProvider } from '../provider/tests/kit/harness.ts';
import { withHooks } from '../provider/tests/kit/with-hooks.ts';
import { DEFAULT_LIMITS } from '../provider/src/project/settings/limits.ts';
import { InboxHub } from '../provider/src/messages/inbox-hub.ts';

const PER_HOUR = 10_000;
const LOGINS = 400;
const WARM_UP = 20;
const BETWEEN_MS = 3_600_000 / PER_HOUR;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const HOOK = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((request, response) => {
    request.resume();
    const id = request.headers['webhook-id'];
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id, action: 'allow' }));
    }, 5);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

const limits = Object.fromEntries(
  Object.entries(DEFAULT_LIMITS).map(([name, limit]) => [name, { ...limit, max: 1e9 }]),
) as unknown as typeof DEFAULT_LIMITS;

const worker = new Worker(HOOK, { eval: true });
const [port] = (await once(worker, 'message')) as [number];
const inbox = new InboxHub();
const codes = new Map<string, string>();
inbox.subscribe(
  ({ to, code = '' }) => void codes.set(to, code),
  () => undefined,
);
const plain = await makeProvider(process.env['TEST_DATABASE_URL'], { limits, inbox, clock: Date });
const login = { url: `http://127.0.0.1:${port}/`, secret: [SECRET], on_failure: 'refuse', deadline_ms: 2_000 } as const;
const hooked = withHooks(plain, { login });

async function logIn(door: typeof plain, email: string): Promise<number> {
  const began = performance.now();
  const { data } = await door.post('/otps/email/login_or_create', { email });
  const body = { token: codes.get(email), method_id: data['method_id'], session_duration_minutes: 60 };
  const { status } = await door.post('/otps/authenticate', body);
  if (status !== 200) throw new Error(`A login was answered with ${status}`);
  return performance.now() - began;
}

function summary(times: readonly number[]): { readonly median: number; readonly p99: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
  return { median: at(0.5), p99: at(0.99) };
}

const doors = [plain, hooked];
const pending: Promise<number>[][] = [[], []];
const first = performance.now();
for (let turn = 0; turn < (LOGINS + WARM_UP) * doors.length; turn += 1) {
  const wait = first + (turn * BETWEEN_MS) / doors.length - performance.now();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  const kind = turn % doors.length;
  pending[kind]?.push(logIn(doors[kind] ?? plain, `user-${kind}-${turn}@example.com`));
}
const [without, withHook] = (await Promise.all(pending.map((each) => Promise.all(each)))).map((times) =>
  summary(times.slice(WARM_UP)),
);
process.stdout.write(`${JSON.stringify({ without, withHook })}\n`);
await plain.close();
await worker.terminate();
process.exit(0);
