import { peerOf } from '#provider/base/peer.ts';
import { HASHES_AT_ONCE } from './hash.ts';
import { WorkLine } from '#provider/base/security/work-line.ts';
import type { Services } from '../services.ts';
import type { Caller } from '../sessions/reading/current.ts';

/** Additional requests that query the database meanwhile, so that a hash can always start immediately. */
const AHEAD = 2;
/** The number of waiting requests per concurrent hash: a second or two. */
const LINE = 64;

/**
 * The queue of requests that need a hash. They wait before their first query and before they count as a try. A flood of them leaves the
 * database, the threads and a core free for other requests, and its excess is immediately rejected with `Retry-After`.
 */
const SLOTS = HASHES_AT_ONCE + AHEAD;
/** The slots that one IPv4 address or one IPv6 /48 may use, so that the next request of any other network starts immediately. */
const SLOTS_OF_PEER = Math.ceil(SLOTS / 2);
export const passwordLine = new WorkLine(SLOTS, HASHES_AT_ONCE * LINE, undefined, SLOTS_OF_PEER);

/** Requests that only judge a password wait in a separate queue. */
const strengthLine = new WorkLine(16, 128, undefined, 8);

const LINES = {
  create: passwordLine,
  authenticate: passwordLine,
  resetByEmail: passwordLine,
  resetByExistingPassword: passwordLine,
  resetBySession: passwordLine,
  strengthCheck: strengthLine,
} as const satisfies Readonly<Record<string, WorkLine>>;

type Answer = (services: Services, call: { readonly caller: Caller }) => Promise<unknown>;

/** Wraps the routes of either API. Those that make a hash or judge a password are queued, with fairness between networks. */
export function inLine<Routes extends Readonly<Record<keyof typeof LINES, unknown>>>(passwords: Routes): Routes {
  const queued = Object.entries(LINES).map(([name, line]) => {
    const answer = passwords[name as keyof typeof LINES] as Answer;
    const waiting: Answer = async (services, call) =>
      line.run(() => answer(services, call), peerOf(call.caller.address));
    return [name, waiting];
  });
  return { ...passwords, ...Object.fromEntries(queued) };
}
