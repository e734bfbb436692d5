import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { UsageError } from '#provider/base/usage-error.ts';

const NONCE_BYTES = 24;
const TAG_BYTES = 16;
/** `expand 32-byte k`, as ChaCha20 reads it. */
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const;
/** `$ba$VERSION$HEX` of a project that has rotated its secret. */
const ENVELOPE = /^(?:\$ba\$\d+\$)?((?:[0-9a-f]{2})+)$/u;

/**
 * The key of XChaCha20 for a nonce (draft-irtf-cfrg-xchacha, section 2.2). A block of ChaCha20 is the state after its rounds plus the state
 * before them; HChaCha20 is the former alone.
 */
function subkey(key: Buffer, nonce: Buffer): Buffer {
  const block = createCipheriv('chacha20', key, nonce).update(Buffer.alloc(64));
  const derived = Buffer.alloc(32);
  for (let at = 0; at < 4; at += 1) {
    derived.writeUInt32LE((block.readUInt32LE(4 * at) - (CONSTANTS[at] ?? 0)) >>> 0, 4 * at);
    derived.writeUInt32LE((block.readUInt32LE(48 + 4 * at) - nonce.readUInt32LE(4 * at)) >>> 0, 16 + 4 * at);
  }
  return derived;
}

function decrypt(secret: string, bytes: Buffer): string | undefined {
  const key = subkey(createHash('sha256').update(secret).digest(), bytes.subarray(0, 16));
  const nonce = Buffer.concat([Buffer.alloc(4), bytes.subarray(16, NONCE_BYTES)]);
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

/** The secrets in a text: it is one, or `2:SECRET,1:SECRET` as `BETTER_AUTH_SECRETS` has them. */
function secretsIn(text: string): readonly string[] {
  const versions = text.split(',').map((item) => /^\s*\d+:(.+)$/u.exec(item)?.[1]?.trim());
  return [text, ...versions.filter((secret) => secret !== undefined)];
}

/** Decrypts what Better Auth encrypted with its secret (XChaCha20-Poly1305). */
export class AppSecret {
  private readonly secrets: readonly string[];

  constructor(secret: string | null) {
    this.secrets = secret === null ? [] : secretsIn(secret);
  }

  /** Undefined for a text that is damaged, or encrypted with another secret. */
  open(text: string): string | undefined {
    if (this.secrets.length === 0) {
      throw new UsageError(
        'Better Auth encrypted the authenticator apps and backup codes: name the variable that has its secret with --secret-env BETTER_AUTH_SECRET.',
      );
    }
    const bytes = Buffer.from(ENVELOPE.exec(text)?.[1] ?? '', 'hex');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    for (const secret of this.secrets) {
      const opened = decrypt(secret, bytes);
      if (opened !== undefined) return opened;
    }
    return undefined;
  }
}
