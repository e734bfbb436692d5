import { hash, parseOptions, verify } from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { Semaphore } from '#provider/base/security/semaphore.ts';
import { PARAMETERS } from './hash-parameters.ts';

/** libuv's threads (`UV_THREADPOOL_SIZE`), on which hashes are made and tokens are signed. */
const THREADS = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
const MOST_AT_ONCE = 6;

/**
 * How many hashes are made at once. A core stays free for the event loop, and two threads for signing tokens: a signature
 * that waits in libuv's queue behind hashes delays a refresh.
 */
export const HASHES_AT_ONCE = Math.max(1, Math.min(availableParallelism() - 1, THREADS - 2, MOST_AT_ONCE) || 1);

/** Every hash uses 19 MiB while it is made. The number of waiting requests is limited before (`line.ts`). */
export const hashSlots = new Semaphore(HASHES_AT_ONCE, 256);

/** The PHC string of a normalized password. */
export async function hashPassword(password: string): Promise<string> {
  return hashSlots.run(() => hash(password, PARAMETERS));
}

/**
 * A well-formed hash that matches no password. Comparing with it takes as long as with a real one. It is a constant, so that no failure to
 * compute it can be cached.
 */
const DUMMY = [
  '',
  'argon2id',
  'v=19',
  `m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}`,
  unpadded(Buffer.alloc(16, 'portico')),
  unpadded(Buffer.alloc(32)),
].join('$');

/** False for null, after a full comparison, so that the time does not reveal whether a password exists. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const same = await hashSlots.run(() => verify(stored ?? DUMMY, password));
  return stored !== null && same;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

/** True for a hash that was made with weaker parameters than the current ones. */
export function needsRehash(stored: string): boolean {
  const { memoryCost, timeCost } = parseOptions(stored);
  return memoryCost < PARAMETERS.memoryCost || timeCost < PARAMETERS.timeCost;
}
