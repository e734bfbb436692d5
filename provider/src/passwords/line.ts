import type { Answer, Routes } from '../http/endpoints.ts';
import { networkOf } from '../http/peer.ts';
import { HASHES_AT_ONCE } from './hash.ts';
import { Semaphore } from '../security/semaphore.ts';

/** How many more requests query the database meanwhile, so that a hash can always start at once. */
const AHEAD = 2;
/** How many requests wait per concurrent hash: a second or two. */
const LINE = 64;

/**
 * The queue of requests that make a hash. They wait before their first query and before they count as a try: a storm of
 * them leaves the database, the threads and a core to other requests, and is refused at once with `Retry-After`.
 */
export const passwordLine = new Semaphore(HASHES_AT_ONCE + AHEAD, HASHES_AT_ONCE * LINE);

/** Requests that only judge a password wait in a separate queue. */
const strengthLine = new Semaphore(16, 128);

/** The same routes, queued fairly by network. */
export function inLine(passwords: Routes['passwords']): Routes['passwords'] {
  return {
    ...passwords,
    create: waiting(passwordLine, passwords.create),
    authenticate: waiting(passwordLine, passwords.authenticate),
    resetByEmail: waiting(passwordLine, passwords.resetByEmail),
    resetByExistingPassword: waiting(passwordLine, passwords.resetByExistingPassword),
    resetBySession: waiting(passwordLine, passwords.resetBySession),
    strengthCheck: waiting(strengthLine, passwords.strengthCheck),
  };
}

function waiting<E>(line: Semaphore, answer: Answer<E>): Answer<E> {
  return async (services, call) => line.run(() => answer(services, call), networkOf(call.caller.address));
}
