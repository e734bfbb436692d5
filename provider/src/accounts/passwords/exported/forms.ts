import { djangoBcrypt, djangoBcryptSha256, pepperedBcrypt, unixCrypt, wordpress } from './bcrypt-forms.ts';
import { Fields, refusalOf } from './checks.ts';
import {
  djangoDigest,
  isLdap,
  kratosDigest,
  kratosHmac,
  ldap,
  saltedDigest,
  symfony,
  utf16Hmac,
} from './digest-forms.ts';
import type { Config, DescribedHash, Digest, MigratedHash } from './migrated-hash.ts';
import { argon2, bcrypt, digest, pbkdf2, phpass, scrypt } from './native-types.ts';
import {
  clerkPbkdf2,
  djangoPbkdf2,
  hexPbkdf2,
  keycloak,
  mayBeOfClerk,
  phcPbkdf2,
  sha1Pbkdf2,
  sha512Pbkdf2,
  werkzeugPbkdf2,
} from './pbkdf2-forms.ts';
import { betterAuth, djangoScrypt, firebase, isFirebaseText, stytch, werkzeugScrypt } from './scrypt-forms.ts';

/** One form in which a product writes hashes. */
interface Form {
  /** The `hash_type` by which a request may name it. */
  readonly name: string;
  /** Further names: that of the product, or of the type of the wire to which the form belongs. */
  readonly aliases?: readonly string[];
  /** Whether the hash has this form, as its text shows without a type; a broken one has it too, so that the error can name what is wrong. */
  readonly fits: (description: DescribedHash) => boolean;
  /** True for a form that others look like: only a type selects it. */
  readonly needsType?: true;
  readonly read: (description: DescribedHash) => MigratedHash;
}

const matches =
  (pattern: RegExp): Form['fits'] =>
  ({ hash }) =>
    pattern.test(hash);
const ofHash =
  (read: (hash: string) => MigratedHash): Form['read'] =>
  ({ hash }) =>
    read(hash);

/** A type of the wire for a digest, whose text does not tell it from others of its length. */
function bareDigest(name: string, alias: string, algorithm: Digest, digits: number): Form {
  const field = `${name}_config` as 'md_5_config' | 'sha_1_config' | 'sha_256_config' | 'sha_512_config';
  return {
    name,
    aliases: [alias],
    fits: ({ hash }) => hash.length === digits && /^[0-9a-f]+$/iu.test(hash),
    needsType: true,
    read: (description) => digest(algorithm, description.hash, new Fields(field, description[field])),
  };
}

function argonForm(kind: 'i' | 'd' | 'id'): Form {
  return {
    name: `argon_2${kind}`,
    aliases: [`argon2${kind}`, 'argon2'],
    fits: ({ hash }) => hash.startsWith(`$argon2${kind}$`),
    read: ({ hash, argon_2_config }) => argon2(kind, hash, argon_2_config),
  };
}

/** `argon2$argon2id$…` of Django. */
function djangoArgon2(hash: string): MigratedHash {
  const encoded = hash.slice('argon2'.length);
  const kind = (['id', 'i', 'd'] as const).find((each) => encoded.startsWith(`$argon2${each}$`));
  if (kind === undefined) throw refusalOf('hash', 'must be argon2$argon2id$… with its parameters');
  return argon2(kind, encoded, undefined);
}

const has = (config: Config | undefined): boolean => config !== undefined;
const DJANGO_SHA256 = /^pbkdf2_sha256\$/u;

export const FORMS: readonly Form[] = [
  // The types of the wire.
  { name: 'bcrypt', fits: matches(/^\$2[a-z]?\$(?!.{56}\$)/u), read: ofHash(bcrypt) },
  { name: 'phpass', fits: matches(/^\$[PH]\$/u), read: ofHash(phpass) },
  argonForm('i'),
  argonForm('id'),
  argonForm('d'),
  {
    name: 'scrypt',
    fits: ({ hash, scrypt_config }) => hash.startsWith('$scrypt$') || has(scrypt_config),
    read: ({ hash, scrypt_config }) => scrypt(hash, scrypt_config),
  },
  {
    name: 'pbkdf_2',
    fits: ({ pbkdf_2_config }) => has(pbkdf_2_config),
    read: ({ hash, pbkdf_2_config }) => pbkdf2(hash, pbkdf_2_config),
  },
  bareDigest('md_5', 'md5', 'md5', 32),
  bareDigest('sha_1', 'sha1', 'sha1', 40),
  bareDigest('sha_256', 'sha256', 'sha256', 64),
  bareDigest('sha_512', 'sha512', 'sha512', 128),
  // Those of products. The name of a type of the wire selects its forms too.
  {
    name: 'bcrypt_peppered',
    aliases: ['bcrypt'],
    fits: matches(/^\$2[a-z]\$.{56}\$/u),
    read: ofHash(pepperedBcrypt),
  },
  {
    name: 'bcrypt_sha256_django',
    aliases: ['bcrypt'],
    fits: matches(/^bcrypt_sha256\$/u),
    read: ofHash(djangoBcryptSha256),
  },
  { name: 'bcrypt_django', aliases: ['bcrypt'], fits: matches(/^bcrypt\$/u), read: ofHash(djangoBcrypt) },
  { name: 'wordpress', aliases: ['bcrypt'], fits: matches(/^\$wp\$/u), read: ofHash(wordpress) },
  {
    name: 'unix_crypt',
    fits: matches(/^\$(?:md5-crypt|sha256-crypt|sha512-crypt|[156])\$/u),
    read: ofHash(unixCrypt),
  },
  { name: 'argon2_django', aliases: ['argon2'], fits: matches(/^argon2\$/u), read: ofHash(djangoArgon2) },
  { name: 'scrypt_django', aliases: ['scrypt'], fits: matches(/^scrypt\$/u), read: ofHash(djangoScrypt) },
  { name: 'scrypt_werkzeug', aliases: ['scrypt'], fits: matches(/^\$?scrypt:/u), read: ofHash(werkzeugScrypt) },
  {
    name: 'better_auth',
    aliases: ['scrypt'],
    fits: matches(/^[0-9a-f]{32}:[0-9a-f]{128}$/u),
    read: ofHash(betterAuth),
  },
  {
    name: 'scrypt_stytch',
    aliases: ['stytch'],
    needsType: true,
    fits: ({ hash, salt }) => salt !== undefined && /^[\w-]+=?$/u.test(hash),
    read: stytch,
  },
  {
    name: 'scrypt_firebase',
    aliases: ['firebase'],
    fits: ({ hash, salt, firebase_config }) => isFirebaseText(hash) || salt !== undefined || has(firebase_config),
    read: firebase,
  },
  {
    name: 'pbkdf2_sha256_django',
    fits: matches(DJANGO_SHA256),
    read: ofHash(djangoPbkdf2),
  },
  {
    name: 'pbkdf2_sha256',
    fits: ({ hash }) => DJANGO_SHA256.test(hash) && mayBeOfClerk(hash),
    read: ofHash(clerkPbkdf2),
  },
  { name: 'pbkdf2_sha1', aliases: ['pbkdf_2'], fits: matches(/^pbkdf2_sha1\$/u), read: ofHash(sha1Pbkdf2) },
  { name: 'pbkdf2_sha512', aliases: ['pbkdf_2'], fits: matches(/^pbkdf2_sha512\$/u), read: ofHash(sha512Pbkdf2) },
  { name: 'pbkdf2_sha512_hex', aliases: ['pbkdf_2'], fits: matches(/^pbkdf2_sha512_hex\$/u), read: ofHash(hexPbkdf2) },
  { name: 'pbkdf2', aliases: ['pbkdf_2'], fits: matches(/^\$pbkdf2/u), read: ofHash(phcPbkdf2) },
  { name: 'pbkdf2_werkzeug', aliases: ['pbkdf_2'], fits: matches(/^pbkdf2:/u), read: ofHash(werkzeugPbkdf2) },
  { name: 'keycloak', fits: matches(/^\s*\{\s*"/u), read: ofHash(keycloak) },
  { name: 'ldap', aliases: ['ldap_ssha'], fits: ({ hash }) => isLdap(hash), read: ofHash(ldap) },
  { name: 'salted_digest', fits: matches(/^\$(?:md5|sha(?:1|256|512))\$/u), read: ofHash(kratosDigest) },
  { name: 'hmac', fits: matches(/^\$hmac-/u), read: ofHash(kratosHmac) },
  { name: 'digest_django', fits: matches(/^(?:md5|sha1)\$[^$]*\$/u), read: ofHash(djangoDigest) },
  { name: 'sha512_symfony', fits: matches(/^sha512_symfony\$/u), read: ofHash(symfony) },
  { name: 'hmac_sha256_utf16_b64', fits: matches(/^hmac_sha256_utf16_b64\$/u), read: ofHash(utf16Hmac) },
  { name: 'md5_salted', needsType: true, fits: matches(/^[^$]+\$[0-9a-f]{32}$/iu), read: ofHash(saltedDigest('md5')) },
  {
    name: 'sha256_salted',
    needsType: true,
    fits: matches(/^[^$]+\$[0-9a-f]{64}$/iu),
    read: ofHash(saltedDigest('sha256')),
  },
];

/** What cannot be kept, by the type or the beginning of the text. */
const LOST: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^awscognito/u, 'is a reference to Cognito, which exports no hash: import the user without a password'],
  [/^md5_phpass$/u, 'is a type of Clerk whose form is not published: import the user without a password'],
  [/^!/u, 'marks a user without a password in Django: leave out the password'],
]; // prettier-ignore

/** Refuses a hash that nobody can compare, with what to do instead. */
export function refuseLost({ hash, hash_type = '' }: DescribedHash): void {
  if (hash === '') throw refusalOf('hash', 'is empty: leave out the password of a user who has none');
  for (const [pattern, why] of LOST) {
    if (pattern.test(hash_type)) throw refusalOf('hash_type', why);
    if (pattern.test(hash)) throw refusalOf('hash', why);
  }
}
