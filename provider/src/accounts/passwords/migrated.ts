import { verify } from '@node-rs/argon2';
import { createHash, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { MigratedHash } from './migrated-hashes.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { WorkerPool } from '../password-strength/worker-pool.ts';

interface EncodedTask {
  readonly type: 'bcrypt' | 'phpass';
  readonly encoded: string;
  readonly password: string;
}

/** A comparison at the highest accepted cost takes a second or two, and the machine may be busy. */
const TIMEOUT_MS = 60_000;

let threads: WorkerPool<EncodedTask, boolean> | null = null;

/** bcrypt and phpass are JavaScript and take up to seconds, so they run in separate threads. */
async function onThread(task: EncodedTask): Promise<boolean> {
  threads ??= new WorkerPool({
    worker: new URL('./migrated-worker.mjs', import.meta.url),
    maxQueue: 256,
    timeoutMs: TIMEOUT_MS,
  });
  try {
    return await threads.run(task);
  } catch {
    throw new Refusal('service_unavailable', 'Too many passwords are being checked. Please try again in a moment.', 1);
  }
}

const derive = { scrypt: promisify<string, Buffer, number, object, Buffer>(scrypt), pbkdf2: promisify(pbkdf2) };

/** Whether the hash matches this password. Except for single digests, the work runs outside the event loop. */
export async function isMigrated(migrated: MigratedHash, password: string): Promise<boolean> {
  switch (migrated.type) {
    case 'bcrypt':
    case 'phpass':
      return onThread({ type: migrated.type, encoded: migrated.encoded, password });
    case 'argon2':
      return verify(migrated.encoded, password);
    case 'scrypt': {
      const { n, r, p } = migrated;
      const [salt, hash] = [bytesOf(migrated.salt), bytesOf(migrated.hash)];
      // Node's default memory limit is 32 MiB. The cost was checked when the hash was accepted.
      const options = { N: n, r, p, maxmem: 256 * n * r + 256 * r * p };
      return timingSafeEqual(await derive.scrypt(password, salt, hash.length, options), hash);
    }
    case 'pbkdf2': {
      const { algorithm, iterations } = migrated;
      const [salt, hash] = [bytesOf(migrated.salt), bytesOf(migrated.hash)];
      return timingSafeEqual(await derive.pbkdf2(password, salt, iterations, hash.length, algorithm), hash);
    }
    case 'digest': {
      const { algorithm, before, after } = migrated;
      const digest = createHash(algorithm).update(before).update(password).update(after).digest();
      return timingSafeEqual(digest, bytesOf(migrated.hash));
    }
  }
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
