import { isRecord } from '#domain/shape.ts';
import { CLIENT_ID as ID } from '../app-fields.ts';
import { emailDomains } from '../../readers/email-domains.ts';
import { checkOutside } from '../../readers/outside-address.ts';
import { isPublicPem, jwks, KEYS_URL, type PublicKeys } from '../../readers/public-keys.ts';
import { secretThat } from '../../readers/secret-text.ts';
import {
  distinct,
  FieldError,
  flag,
  listOf,
  Mistakes,
  object,
  text,
  texts,
  textThat,
  within,
  type Reader,
} from '../../readers/readers.ts';

/** A trusted issuer, whose tokens `sessions.attest` accepts. */
export interface TrustedAuthTokenProfile {
  readonly profile_id: string;
  readonly issuer: string;
  /** A token is for one of these. Empty if `claims` limits the tokens instead. */
  readonly audience: readonly string[];
  /** The issuer's keys (RFC 7517). A profile without any key accepts the tokens of `admin trusted-token`. */
  readonly jwks: PublicKeys | null;
  /** The URL of these keys, instead of `jwks`. */
  readonly jwks_uri: string | null;
  /** The issuer's key as PEM, instead of `jwks`. */
  readonly public_key: string | null;
  /** The key of an issuer that signs with HS256, instead of `jwks`. */
  readonly shared_secret: string | null;
  readonly email_claim: string;
  /** The claim with a user id of this project, if the issuer knows those. */
  readonly user_id_claim: string | null;
  /** The claim with the external id of the user, for an issuer that has its own ids. */
  readonly external_id_claim: string | null;
  /** The values that each of these claims, by name or JSON pointer, may have; null stands for an absent claim. */
  readonly claims: Readonly<Record<string, readonly ClaimValue[]>>;
  /** Whether an unknown email address creates a new user. */
  readonly creates_users: boolean;
  /** The domains whose addresses the issuer verifies; `*` for all. Empty for a profile without any key, whose issuer is the operator. */
  readonly email_domains: readonly string[];
  /** Until when the tokens, which are sessions of an old system, become sessions here. Null for an issuer that stays. */
  readonly migration_ends_at: string | null;
}

export type ClaimValue = string | number | boolean | null;

/** HMAC with SHA-256 needs a key of at least its size (RFC 7518, section 3.2). */
const SHORTEST_SECRET = 32;

const sharedSecret = secretThat(
  `a secret of at least ${SHORTEST_SECRET} bytes`,
  (secret) => Buffer.byteLength(secret) >= SHORTEST_SECRET,
);

/** One audience, or a list. */
const audiences: Reader<readonly string[]> = (value, path) =>
  Array.isArray(value) ? texts()(value, path) : [text(value, path)];

const claimValue: Reader<ClaimValue> = (value, path) => {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as ClaimValue;
  throw new FieldError(path, 'a text, a number, a boolean, or null for an absent claim');
};

const claimValues: Reader<TrustedAuthTokenProfile['claims']> = (value, path) => {
  if (!isRecord(value)) throw new FieldError(path, 'an object');
  const mistakes = new Mistakes();
  const read = listOf(claimValue, 'an array of the values that the claim may have');
  const claims = Object.entries(value).map(([name, values]) => {
    return [name, mistakes.attempt(() => read(values, within(path, name))) ?? []] as const;
  });
  mistakes.check();
  return Object.fromEntries(claims);
};

const TIME = textThat(
  'a time such as 2027-03-31T00:00:00Z',
  (value) => /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/u.test(value) && Date.parse(value) > 0,
);

const profiles = distinct<TrustedAuthTokenProfile>(
  'profile_id',
  (profile) => profile.profile_id,
  listOf(
    object<TrustedAuthTokenProfile>(
      {
        profile_id: ID,
        issuer: text,
        audience: audiences,
        jwks,
        jwks_uri: KEYS_URL,
        public_key: textThat('a public key as PEM, without its private key', isPublicPem),
        shared_secret: sharedSecret,
        email_claim: text,
        user_id_claim: text,
        external_id_claim: text,
        claims: claimValues,
        creates_users: flag,
        email_domains: emailDomains,
        migration_ends_at: TIME,
      },
      {
        audience: [],
        jwks: null,
        jwks_uri: null,
        public_key: null,
        shared_secret: null,
        email_claim: 'email',
        user_id_claim: null,
        external_id_claim: null,
        claims: {},
        creates_users: true,
        email_domains: [],
        migration_ends_at: null,
      },
    ),
  ),
);

const KEY_FIELDS = ['jwks', 'jwks_uri', 'public_key', 'shared_secret'] as const;

const keyFieldsOf = (profile: TrustedAuthTokenProfile) => KEY_FIELDS.filter((field) => profile[field] !== null);

/** True for a profile without an issuer's key: it accepts tokens that this server's operator signs. */
export const isLocal = (profile: TrustedAuthTokenProfile): boolean => keyFieldsOf(profile).length === 0;

function checkProfile(profile: TrustedAuthTokenProfile, path: string, mistakes: Mistakes): void {
  const { user_id_claim, external_id_claim, email_domains, audience, claims, migration_ends_at } = profile;
  const hasMany = keyFieldsOf(profile).length > 1;
  mistakes.refuseIf(hasMany, path, `given one of ${KEY_FIELDS.join(', ')}, not two`);
  // Otherwise the tokens of every app of the issuer would be good here.
  const isForAll = audience.length === 0 && (isLocal(profile) || Object.keys(claims).length === 0);
  mistakes.refuseIf(isForAll, `${path}.audience`, 'given, or claims that only the tokens for this project have');
  const hasBothIds = user_id_claim !== null && external_id_claim !== null;
  mistakes.refuseIf(hasBothIds, `${path}.external_id_claim`, 'left out beside user_id_claim');
  const hasId = user_id_claim !== null || external_id_claim !== null;
  if (migration_ends_at === null) {
    // Such a profile would accept no token.
    const isUseless = !isLocal(profile) && !hasId && email_domains.length === 0;
    const must = 'given: the domains whose addresses the issuer verifies, or * for all';
    mistakes.refuseIf(isUseless, `${path}.email_domains`, must);
    return;
  }
  mistakes.refuseIf(isLocal(profile), `${path}.migration_ends_at`, `left out without one of ${KEY_FIELDS.join(', ')}`);
  // People change their address in both systems.
  mistakes.refuseIf(!hasId, `${path}.external_id_claim`, 'given with migration_ends_at, or user_id_claim');
  mistakes.refuseIf(email_domains.length > 0, `${path}.email_domains`, 'left out with migration_ends_at');
}

export const trustedAuthTokenProfiles: Reader<readonly TrustedAuthTokenProfile[]> = (value, path) => {
  const read = profiles(value, path);
  const mistakes = new Mistakes();
  read.forEach((profile, index) => checkProfile(profile, `${path}[${index}]`, mistakes));
  mistakes.check();
  return read;
};

/** Refuses the address of a key set that would never be read. */
export function checkTrustedIssuers(project: {
  readonly trusted_auth_token_profiles: readonly TrustedAuthTokenProfile[];
  readonly allow_loopback: boolean;
}): void {
  const mistakes = new Mistakes();
  project.trusted_auth_token_profiles.forEach(({ jwks_uri }, index) => {
    if (jwks_uri === null) return;
    const path = `trusted_auth_token_profiles[${index}].jwks_uri`;
    mistakes.attempt(() => checkOutside(jwks_uri, path, project.allow_loopback));
  });
  mistakes.check();
}
