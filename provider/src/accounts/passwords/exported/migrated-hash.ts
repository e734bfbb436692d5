/** The algorithms of an HMAC, which PBKDF2 repeats. */
export type Hmac = 'md5' | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512';
/** The algorithms of a digest of a password. */
export type Digest = 'md5' | 'sha1' | 'sha256' | 'sha512';

/**
 * A password hash that another system made, with everything that a comparison needs. Bytes are base64 without padding,
 * except where they are part of a text that names its own parameters (`encoded`).
 */
export type MigratedHash =
  | {
      readonly type: 'bcrypt';
      readonly encoded: string;
      /** What the old system made of the password before bcrypt: Django's SHA-256, or WordPress' HMAC. */
      readonly over?: 'sha256' | 'wordpress';
      /** A text after the password that all users of the old system share. */
      readonly pepper?: string;
    }
  | { readonly type: 'phpass'; readonly encoded: string }
  | { readonly type: 'argon2'; readonly encoded: string }
  /** crypt(3) with MD5 or SHA-2. */
  | { readonly type: 'crypt'; readonly encoded: string }
  | {
      readonly type: 'scrypt';
      readonly n: number;
      readonly r: number;
      readonly p: number;
      readonly salt: string;
      readonly hash: string;
    }
  /** scrypt's key encrypts the key of the project (AES-256-CTR): the hash is the result. */
  | {
      readonly type: 'firebase';
      readonly rounds: number;
      /** The binary logarithm of scrypt's N. */
      readonly memory: number;
      readonly salt: string;
      readonly separator: string;
      readonly key: string;
      readonly hash: string;
    }
  | {
      readonly type: 'pbkdf2';
      readonly algorithm: Exclude<Hmac, 'md5'>;
      readonly iterations: number;
      readonly salt: string;
      readonly hash: string;
    }
  | {
      readonly type: 'digest';
      readonly algorithm: Digest;
      readonly before: string;
      readonly after: string;
      readonly hash: string;
    }
  /** A digest of a text with the password and the salt at its `{PASSWORD}` and `{SALT}`; of one of several texts. */
  | {
      readonly type: 'templated';
      readonly algorithm: Digest;
      readonly templates: readonly string[];
      readonly salt: string;
      readonly hash: string;
    }
  /** An HMAC of the password, with one of these keys. */
  | {
      readonly type: 'hmac';
      readonly algorithm: Hmac;
      readonly keys: readonly string[];
      readonly encoding: 'utf8' | 'utf16le';
      readonly hash: string;
    }
  /** SHA-512 of `password{salt}`, then again and again of the digest and that text. */
  | { readonly type: 'symfony'; readonly iterations: number; readonly salt: string; readonly hash: string };

export type Config = Readonly<Record<string, unknown>>;

/** The fields of a request that describe the hash. */
export interface DescribedHash {
  readonly hash: string;
  /** Absent for a text that names its algorithm. */
  readonly hash_type?: string | undefined;
  /** The user's salt, where the old system exports it beside the hash. */
  readonly salt?: string | undefined;
  readonly md_5_config?: Config | undefined;
  readonly argon_2_config?: Config | undefined;
  readonly sha_1_config?: Config | undefined;
  readonly sha_256_config?: Config | undefined;
  readonly sha_512_config?: Config | undefined;
  readonly scrypt_config?: Config | undefined;
  readonly pbkdf_2_config?: Config | undefined;
  readonly firebase_config?: Config | undefined;
}
