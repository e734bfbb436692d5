import { verify } from '@node-rs/argon2';
import { createCipheriv, createHash, createHmac, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { HMAC_BYTES } from './exported/checks.ts';
import type { MigratedHash } from './exported/migrated-hash.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { WorkerPool } from '../password-strength/worker-pool.ts';

type Slow = Extract<MigratedHash, { readonly type: 'bcrypt' | 'phpass' | 'crypt' | 'symfony' }>;

interface ThreadTask {
  readonly migrated: Slow;
  readonly password: string;
}

/** A comparison at the highest cost that is accepted takes a second or two; the machine may be busy. */
const TIMEOUT_MS = 60_000;

let threads: WorkerPool<ThreadTask, boolean> | null = null;

/** These are JavaScript and take up to seconds, so they run in separate threads. */
async function onThread(task: ThreadTask): Promise<boolean> {
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

async function scryptKey(password: string, salt: Buffer, bytes: number, [n, r, p]: readonly [number, number, number]) {
  // Node's own limit of memory is 32 MiB; the cost was checked when the hash was accepted.
  return derive.scrypt(password, salt, bytes, { N: n, r, p, maxmem: 256 * n * r + 256 * r * p });
}

/** Whether the hash is of this password. The work is done outside the event loop, except a single digest. */
export async function isMigrated(migrated: MigratedHash, password: string): Promise<boolean> {
  switch (migrated.type) {
    case 'bcrypt':
    case 'phpass':
    case 'crypt':
    case 'symfony':
      return onThread({ migrated, password });
    case 'argon2':
      return verify(migrated.encoded, password);
    case 'scrypt': {
      const { n, r, p } = migrated;
      const [salt, hash] = [bytesOf(migrated.salt), bytesOf(migrated.hash)];
      return timingSafeEqual(await scryptKey(password, salt, hash.length, [n, r, p]), hash);
    }
    case 'firebase':
      return timingSafeEqual(await firebaseHash(migrated, password), bytesOf(migrated.hash));
    case 'pbkdf2': {
      const { algorithm, iterations } = migrated;
      // Every further block would cost as much again, and the first one alone tells two passwords apart.
      const hash = bytesOf(migrated.hash).subarray(0, HMAC_BYTES[algorithm]);
      return timingSafeEqual(
        await derive.pbkdf2(password, bytesOf(migrated.salt), iterations, hash.length, algorithm),
        hash,
      );
    }
    case 'digest': {
      const { algorithm, before, after } = migrated;
      const digest = createHash(algorithm).update(before).update(password).update(after).digest();
      return timingSafeEqual(digest, bytesOf(migrated.hash));
    }
    case 'templated':
      return migrated.templates.some((template) => isOfTemplate(migrated, template, password));
    case 'hmac': {
      const { algorithm, encoding, hash } = migrated;
      const isOfKey = (key: string): boolean => {
        const digest = createHmac(algorithm, bytesOf(key)).update(Buffer.from(password, encoding)).digest();
        return timingSafeEqual(digest, bytesOf(hash));
      };
      return migrated.keys.some(isOfKey);
    }
  }
}

const AES_KEY_BYTES = 32;

/** The key of the project, encrypted with the key that scrypt makes of the password. */
async function firebaseHash(
  { salt, separator, rounds, memory, key }: Extract<MigratedHash, { readonly type: 'firebase' }>,
  password: string,
): Promise<Buffer> {
  const salts = Buffer.concat([bytesOf(salt), bytesOf(separator)]);
  const derived = await scryptKey(password, salts, AES_KEY_BYTES, [2 ** memory, rounds, 1]);
  const cipher = createCipheriv('aes-256-ctr', derived, Buffer.alloc(16));
  return Buffer.concat([cipher.update(bytesOf(key)), cipher.final()]);
}

function isOfTemplate(
  { algorithm, salt, hash }: Extract<MigratedHash, { readonly type: 'templated' }>,
  template: string,
  password: string,
): boolean {
  const digest = createHash(algorithm);
  for (const part of template.split(/(\{PASSWORD\}|\{SALT\})/u)) {
    if (part === '{SALT}') digest.update(bytesOf(salt));
    else digest.update(part === '{PASSWORD}' ? password : part);
  }
  return timingSafeEqual(digest.digest(), bytesOf(hash));
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
