import type { Answer, Routes } from '../http/endpoints.ts';
import { HASHES_AT_ONCE } from '../security/password-hash.ts';
import { Semaphore } from '../security/semaphore.ts';

/** While some are hashed, others ask the database: so many, that a hash is always ready to be made. */
const AHEAD = 2;
/** How many wait for each hash that is made at once: a second or two. */
const LINE = 64;

/**
 * The requests that make a hash. They wait before their first question to the database and before they count as a try:
 * a storm of them leaves the database, the threads and a core to everybody else, and is told at once when to come back.
 */
export const passwordLine = new Semaphore(HASHES_AT_ONCE + AHEAD, HASHES_AT_ONCE * LINE);

/** The same answers, each after its turn; what makes no hash does not wait. */
export function inLine(passwords: Routes['passwords']): Routes['passwords'] {
  return {
    ...passwords,
    create: waiting(passwords.create),
    authenticate: waiting(passwords.authenticate),
    resetByEmail: waiting(passwords.resetByEmail),
    resetByExistingPassword: waiting(passwords.resetByExistingPassword),
    resetBySession: waiting(passwords.resetBySession),
  };
}

function waiting<E>(answer: Answer<E>): Answer<E> {
  return async (services, call) => passwordLine.run(() => answer(services, call));
}
