import { createDecipheriv, hkdfSync } from 'node:crypto';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import { UsageError } from '#provider/base/usage-error.ts';

const TAG_BYTES = 16;
const KEY_BYTES = 32;

interface EncryptedValue {
  readonly keyId: string;
  readonly data: Buffer;
  readonly nonce: Buffer;
}

/** The parts of an encrypted value; null for a text that is stored as it is. */
function sealedIn(text: string): EncryptedValue | null {
  const value = text.startsWith('{') ? parseJson(text) : undefined;
  if (!isRecord(value) || value['alg'] !== 'aes-gcm-hkdf') return null;
  const { key_id: keyId, data, nonce } = value;
  if (typeof keyId !== 'string' || typeof data !== 'string' || typeof nonce !== 'string') return null;
  return { keyId, data: Buffer.from(data, 'base64'), nonce: Buffer.from(nonce, 'base64') };
}

export const isEncrypted = (text: string | null): boolean => text !== null && sealedIn(text) !== null;

/** One key of 32 bytes in base64url, or `ID:KEY,ID:KEY` as `GOTRUE_SECURITY_DB_ENCRYPTION_DECRYPTION_KEYS` has them. */
function keysOf(secret: string): ReadonlyMap<string, Buffer> {
  const keys = secret.split(',').map((item) => {
    const [key = '', id = ''] = item.trim().split(':').reverse();
    return [id, Buffer.from(key, 'base64url')] as const;
  });
  if (keys.some(([, key]) => key.length !== KEY_BYTES)) {
    throw new UsageError(
      'The secret is no key of Supabase: it must be 32 bytes in base64url, or ID:KEY with commas between several.',
    );
  }
  return new Map(keys);
}

/** The key with which a Supabase project encrypts password hashes and secrets of apps, if it does so. */
export class ProjectKey {
  private readonly keys: ReadonlyMap<string, Buffer>;

  constructor(secret: string | null) {
    this.keys = secret === null ? new Map() : keysOf(secret);
  }

  /**
   * The text as it was before it was encrypted; as it is if it never was, and undefined if it is damaged or of another key.
   *
   * @param id the id of the row, from which its own key is derived
   */
  open(text: string, id: string): string | undefined {
    const sealed = sealedIn(text);
    if (sealed === null) return text;
    if (this.keys.size === 0) {
      throw new UsageError(
        'The project encrypted its hashes or secrets: name the variable that has its key with --secret-env.',
      );
    }
    const key = this.keys.get(sealed.keyId) ?? this.keys.get('');
    if (key === undefined || sealed.data.length < TAG_BYTES || sealed.nonce.length !== 12) return undefined;
    const derived = Buffer.from(hkdfSync('sha256', key, '', id, KEY_BYTES));
    const decipher = createDecipheriv('aes-256-gcm', derived, sealed.nonce);
    decipher.setAuthTag(sealed.data.subarray(-TAG_BYTES));
    try {
      return decipher.update(sealed.data.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}
