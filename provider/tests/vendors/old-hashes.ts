import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from 'bcryptjs';
import { createCipheriv, createHash, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto';

/** Hashes as old systems make them, by the libraries that they use: costs that a hash names are low, because thousands are made and compared. */

/** The numbers of the library. */
const KINDS = { d: 0, i: 1, id: 2 } as const;

/** `$argon2id$v=19$…` */
export const argon2Text = (password: string, kind: keyof typeof KINDS = 'id'): Promise<string> =>
  argon2(password, { algorithm: KINDS[kind], memoryCost: 64, timeCost: 1, parallelism: 1 });

/** Version `2a`, `2b` and `2y` are the same for texts of today's libraries. */
export const bcryptText = async (password: string, version = '2b'): Promise<string> =>
  (await bcrypt(password, 4)).replace(/^\$2[aby]/u, `$${version}`);

type Sha = 'sha1' | 'sha256' | 'sha512';
const BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;

/** The key of PBKDF2 in a thousand rounds. */
export const pbkdf2Key = (password: string, salt: string | Buffer, algorithm: Sha, bytes: number = BYTES[algorithm]): Buffer =>
  pbkdf2Sync(password, salt, 1000, bytes, algorithm); // prettier-ignore

export const digestOf = (text: string, algorithm: Sha | 'md5'): Buffer => createHash(algorithm).update(text).digest();

/** The cost of scrypt in this file: N, r and p. */
export const SCRYPT = { N: 1024, r: 8, p: 1 } as const;
export const scryptKey = (password: string, salt: string | Buffer, bytes: number): Buffer =>
  scryptSync(password, salt, bytes, SCRYPT);

/** `{SSHA}…` of a directory. */
export function sshaText(password: string): string {
  const salt = randomBytes(8);
  const digest = createHash('sha1').update(password).update(salt).digest();
  return `{SSHA}${Buffer.concat([digest, salt]).toString('base64')}`;
}

export interface FirebaseParameters {
  readonly base64_signer_key: string;
  readonly base64_salt_separator: string;
  readonly rounds: number;
  readonly mem_cost: number;
}

/** A project of Firebase: the key and separator of the vector of firebase/scrypt, at a lower cost of memory. */
export const FIREBASE: FirebaseParameters = {
  base64_signer_key: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  base64_salt_separator: 'Bw==',
  rounds: 8,
  mem_cost: 10,
};

/** The hash of a password as github.com/firebase/scrypt describes it: the signer key, encrypted with the key of scrypt. */
export function firebaseHash(password: string, salt: Buffer, { base64_signer_key, base64_salt_separator, rounds, mem_cost }: FirebaseParameters) {
  const salts = Buffer.concat([salt, Buffer.from(base64_salt_separator, 'base64')]);
  const key = scryptSync(password, salts, 32, { N: 2 ** mem_cost, r: rounds, p: 1, maxmem: 2 ** 26 });
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return Buffer.concat([cipher.update(Buffer.from(base64_signer_key, 'base64')), cipher.final()]).toString('base64');
} // prettier-ignore
