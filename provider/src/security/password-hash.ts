import { hash, parseOptions, verify } from '@node-rs/argon2';
import { Refusal } from '../http/refusal.ts';
import { Semaphore } from './semaphore.ts';

/** Argon2id, the library's default; OWASP's second setting: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const MAX_BYTES = 4096;

/** Every hash holds 19 MiB while it is made: so many at once, and no longer a queue than a burst of logins makes. */
const slots = new Semaphore(4, 256);

/** The password as it is compared: one spelling per text, nothing trimmed. Refuses more than 4 kB. */
export function normalPassword(password: string): string {
  if (password.length > MAX_BYTES) throw new Refusal('password_too_long');
  const normal = password.normalize('NFKC');
  if (Buffer.byteLength(normal) > MAX_BYTES) throw new Refusal('password_too_long');
  return normal;
}

/** A PHC string for a normal password. */
export async function hashPassword(password: string): Promise<string> {
  return slots.run(() => hash(password, PARAMETERS));
}

let dummy: Promise<string> | null = null;

/** False for null, after as long as it takes to compare: time does not tell who has a password. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hashPassword('');
  const compared = stored ?? (await dummy);
  const same = await slots.run(() => verify(compared, password));
  return stored !== null && same;
}

/** True for a hash that was made with less than is asked for today. */
export function needsRehash(stored: string): boolean {
  const { memoryCost, timeCost } = parseOptions(stored);
  return memoryCost < PARAMETERS.memoryCost || timeCost < PARAMETERS.timeCost;
}
