import { utf8Base64 } from './checks.ts';
import type { DescribedHash, MigratedHash } from './migrated-hash.ts';

const textOf = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');
const padded = (base64: string): string => Buffer.from(base64, 'base64').toString('base64');

/** A hash as an import reads it: the inverse of `migratedHash`. */
export function describedHash(migrated: MigratedHash): DescribedHash {
  switch (migrated.type) {
    case 'bcrypt':
      return bcryptHash(migrated);
    case 'phpass':
      return { hash_type: 'phpass', hash: migrated.encoded };
    case 'crypt':
      return { hash_type: 'unix_crypt', hash: migrated.encoded };
    case 'argon2': {
      const [, kind = ''] = /^\$argon2(id|i|d)\$/u.exec(migrated.encoded) ?? [];
      return { hash_type: `argon_2${kind}`, hash: migrated.encoded };
    }
    case 'scrypt': {
      const { n, r, p, salt, hash } = migrated;
      return { hash_type: 'scrypt', hash: `$scrypt$ln=${Math.log2(n)},r=${r},p=${p}$${salt}$${hash}` };
    }
    case 'firebase': {
      const { rounds, memory, salt, separator, key, hash } = migrated;
      const texts = [salt, hash, separator, key].map(padded).join('$');
      return { hash_type: 'scrypt_firebase', hash: `$firescrypt$ln=${memory},r=${rounds},p=1$${texts}` };
    }
    case 'pbkdf2': {
      const { algorithm, iterations, salt, hash } = migrated;
      const key_length = Buffer.from(hash, 'base64').length;
      return {
        hash_type: 'pbkdf_2',
        hash,
        pbkdf_2_config: { algorithm, iteration_amount: iterations, key_length, salt },
      };
    }
    case 'digest': {
      const { algorithm, before, after, hash } = migrated;
      const config = { prepend_salt: before, append_salt: after };
      if (algorithm === 'md5') return { hash_type: 'md_5', hash, md_5_config: config };
      if (algorithm === 'sha1') return { hash_type: 'sha_1', hash, sha_1_config: config };
      if (algorithm === 'sha256') return { hash_type: 'sha_256', hash, sha_256_config: config };
      return { hash_type: 'sha_512', hash, sha_512_config: config };
    }
    case 'templated': {
      const { algorithm, templates, salt, hash } = migrated;
      const [template = '', ...others] = templates;
      if (others.length > 0) return { hash_type: `${algorithm}_salted`, hash: `${textOf(salt)}$${hexOf(hash)}` };
      return { hash_type: 'salted_digest', hash: `$${algorithm}$pf=${utf8Base64(template)}$${salt}$${hash}` };
    }
    case 'hmac': {
      const { algorithm, keys, encoding, hash } = migrated;
      const [key = ''] = keys;
      if (encoding === 'utf16le') {
        return { hash_type: 'hmac_sha256_utf16_b64', hash: `hmac_sha256_utf16_b64$${hash}$${textOf(key)}` };
      }
      return { hash_type: 'hmac', hash: `$hmac-${algorithm}$${utf8Base64(hexOf(hash))}$${key}` };
    }
    case 'symfony': {
      const { iterations, salt, hash } = migrated;
      return { hash_type: 'sha512_symfony', hash: `sha512_symfony$${iterations}$${textOf(salt)}$${hash}` };
    }
  }
}

function bcryptHash({ encoded, over, pepper }: Extract<MigratedHash, { readonly type: 'bcrypt' }>): DescribedHash {
  if (over === 'sha256') return { hash_type: 'bcrypt_sha256_django', hash: `bcrypt_sha256$${encoded}` };
  if (over === 'wordpress') return { hash_type: 'wordpress', hash: `$wp${encoded}` };
  if (pepper !== undefined) return { hash_type: 'bcrypt_peppered', hash: `${encoded}$${pepper}` };
  return { hash_type: 'bcrypt', hash: encoded };
}
