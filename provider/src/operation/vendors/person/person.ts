import { emailKey, isEmailAddress, mergeName, MOST_OF_A_KIND } from '#server-rules/accounts.ts';
import { mergeMetadata } from '#server-rules/metadata.ts';
import { Refusal, SchemaRefusal } from '#domain/rules/refusal.ts';
import { ethereumAddress } from '#provider/accounts/wallets/ethereum.ts';
import { solanaAddress } from '#provider/accounts/wallets/solana.ts';
import { UsageError } from '#provider/base/usage-error.ts';
import type { Values } from '../rows/row.ts';
import type { Loss, VendorUser } from '../vendor.ts';
import type { SocialAccount } from './social.ts';
import type { App } from './totp.ts';

export interface Passkey {
  /** Base64url. */
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly user_handle: string | null;
  readonly name: string | null;
  /** In milliseconds since 1970. */
  readonly created_at: number | null;
  /** Null if the old system did not record it. */
  readonly backed_up: boolean | null;
  readonly backup_eligible: boolean | null;
}

export interface Wallet {
  readonly type: string;
  readonly address: string;
}

export interface RecoveryCodeHash {
  readonly hash: string;
  readonly hash_type: string;
}

/** A person of an export, in the terms of this server, but with everything that they had. */
export interface Person {
  readonly number: number;
  readonly id: string;
  readonly created_at: number | null;
  readonly emails: readonly { readonly email: string; readonly verified: boolean }[];
  readonly phone_numbers: readonly { readonly phone_number: string; readonly verified: boolean }[];
  readonly name: Values;
  readonly trusted_metadata: Values;
  readonly untrusted_metadata: Values;
  readonly locked: boolean;
  /** As a line has it. */
  readonly password: Values | null;
  readonly apps: readonly (App | Loss)[];
  readonly recovery_codes: readonly (string | RecoveryCodeHash)[];
  readonly passkeys: readonly Passkey[];
  /** The relying party of the passkeys. */
  readonly rp_id: string | null;
  readonly social_accounts: readonly (SocialAccount | Loss)[];
  readonly wallets: readonly Wallet[];
  readonly losses: readonly Loss[];
}

const isLoss = (value: object): value is Loss => 'what' in value;

/** The items without a repetition, the first of each key; what is beyond the maximum is lost. */
function distinct<T extends object>(
  items: readonly T[],
  what: Loss['what'],
  keyOf: (item: T) => string,
  losses: Loss[],
): T[] {
  const byKey = new Map<string, T>();
  for (const item of items) if (!byKey.has(keyOf(item))) byKey.set(keyOf(item), item);
  const all = [...byKey.values()];
  for (const _ of all.slice(MOST_OF_A_KIND)) losses.push({ what, reason: `a user has at most ${MOST_OF_A_KIND} here` });
  return all.slice(0, MOST_OF_A_KIND);
}

function emailsOf({ emails }: Person, losses: Loss[]): readonly object[] {
  const verifiedKeys = new Set(emails.filter(({ verified }) => verified).map(({ email }) => emailKey(email)));
  const addresses = emails.filter(({ email }) => {
    if (isEmailAddress(email)) return true;
    losses.push({ what: 'address', reason: 'it is not an address that mail servers accept' });
    return false;
  });
  return distinct(addresses, 'address', ({ email }) => emailKey(email), losses).map(({ email }) => {
    return { email, verified: verifiedKeys.has(emailKey(email)) };
  });
}

function phonesOf({ phone_numbers }: Person, losses: Loss[]): readonly object[] {
  const numbers = phone_numbers.flatMap(({ phone_number: text, verified }) => {
    const phone_number = text.replaceAll(/[\s().\u00A0-]/gu, '').replace(/^00/u, '+');
    if (/^\+[1-9][0-9]{1,14}$/u.test(phone_number)) return [{ phone_number, verified }];
    losses.push({ what: 'phone number', reason: 'it has no country code' });
    return [];
  });
  const verifiedNumbers = new Set(numbers.filter(({ verified }) => verified).map(({ phone_number }) => phone_number));
  return distinct(numbers, 'phone number', ({ phone_number }) => phone_number, losses).map(({ phone_number }) => {
    return { phone_number, verified: verifiedNumbers.has(phone_number) };
  });
}

function isAccepted(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof Refusal || error instanceof SchemaRefusal) return false;
    throw error;
  }
}

/** The top-level keys that can be stored, as many as there is room for. */
function metadataOf(values: Values, field: 'trusted_metadata' | 'untrusted_metadata', losses: Loss[]): Values {
  const present = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  );
  if (isAccepted(() => mergeMetadata({}, present, field))) return present;
  const stored: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(present)) {
    const one = Object.fromEntries([[key, value]]);
    if (isAccepted(() => mergeMetadata(stored, one, field))) stored[key] = value;
    else
      losses.push({
        what: 'metadata',
        reason: 'a part of it is too long to be stored here, or has a key or text that cannot be',
      });
  }
  return stored;
}

function nameIn({ name }: Person, losses: Loss[]): Values {
  if (isAccepted(() => mergeName({}, name))) return name;
  losses.push({ what: 'metadata', reason: 'a part of the name has more than 128 characters' });
  return Object.fromEntries(
    Object.entries(name).filter(([part, text]) => isAccepted(() => mergeName({}, { [part]: text }))),
  );
}

/** The first app, because a user has one here. */
function appOf({ apps }: Person, losses: Loss[]): App | null {
  const [app, ...others] = apps.filter((each): each is App => !isLoss(each));
  losses.push(...apps.filter(isLoss));
  for (const _ of others) losses.push({ what: 'app', reason: 'a user has one app here, and the first one is kept' });
  return app ?? null;
}

/** The readers of an address, by the kind of the wallet. */
const WALLETS: ReadonlyMap<string, (text: string) => string | null> = new Map([
  ['ethereum', ethereumAddress],
  ['solana', solanaAddress],
]);

function walletsOf({ wallets }: Person, losses: Loss[]): readonly object[] {
  const addresses = wallets.flatMap(({ type, address: text }) => {
    const read = WALLETS.get(type);
    const address = read?.(text) ?? null;
    if (address !== null) return [{ type, address }];
    const reason = read === undefined ? 'there are only Ethereum and Solana here' : 'its address is malformed';
    losses.push({ what: 'wallet', reason });
    return [];
  });
  return distinct(addresses, 'wallet', ({ type, address }) => `${type} ${address}`, losses);
}

/** A time that a line can have. */
function isoTime(milliseconds: number | null): string | undefined {
  if (milliseconds === null || milliseconds <= 0 || milliseconds >= Date.UTC(2100, 0)) return undefined;
  return new Date(milliseconds).toISOString();
}

/** The signatures of a passkey are for one domain, so a passkey cannot be imported without it. */
function passkeysOf(person: Person, losses: Loss[]): readonly object[] {
  if (person.passkeys.length > 0 && person.rp_id === null) {
    throw new UsageError(
      'The export has passkeys and does not say of which domain: add it, such as --rp-id example.com.',
    );
  }
  return distinct(person.passkeys, 'passkey', ({ credential_id }) => credential_id, losses).map((passkey) => {
    const { backed_up, backup_eligible, created_at, name, ...key } = passkey;
    return {
      ...key,
      rp_id: person.rp_id,
      ...(name === null || name === '' ? {} : { name }),
      ...(isoTime(created_at) === undefined ? {} : { created_at: isoTime(created_at) }),
      ...(backed_up === null ? {} : { backed_up }),
      ...(backup_eligible === null ? {} : { backup_eligible }),
    };
  });
}

function codesOf({ recovery_codes: codes }: Person, app: App | null, losses: Loss[]): Person['recovery_codes'] {
  if (app !== null || codes.length === 0) return codes;
  losses.push({ what: 'recovery codes', reason: 'they belong to an authenticator app here, and the user keeps none' });
  return [];
}

/** The line of the person, without empty fields, and what is lost. */
export function vendorUser(person: Person): VendorUser {
  const losses = [...person.losses];
  const emails = emailsOf(person, losses);
  const phone_numbers = phonesOf(person, losses);
  const totp = appOf(person, losses);
  const passkeys = passkeysOf(person, losses);
  losses.push(...person.social_accounts.filter(isLoss));
  const social_accounts = distinct(
    person.social_accounts.filter((each): each is SocialAccount => !isLoss(each)),
    'social account',
    ({ provider, subject }) => `${provider} ${subject}`,
    losses,
  );
  const wallets = walletsOf(person, losses);
  const hasPassword = person.password !== null && emails.length > 0;
  if (person.password !== null && !hasPassword) {
    losses.push({ what: 'password', reason: 'a password belongs to an email address here, and the user has none' });
  }
  const lists = {
    emails,
    phone_numbers,
    recovery_codes: codesOf(person, totp, losses),
    passkeys,
    social_accounts,
    wallets,
  };
  const objects = {
    name: nameIn(person, losses),
    trusted_metadata: metadataOf(person.trusted_metadata, 'trusted_metadata', losses),
    untrusted_metadata: metadataOf(person.untrusted_metadata, 'untrusted_metadata', losses),
  };
  const ways = [emails, phone_numbers, passkeys, social_accounts, wallets];
  if (ways.every((way) => way.length === 0)) {
    losses.push({ what: 'way in', reason: 'the user has no address, number, passkey, social account or wallet' });
  }
  const created_at = isoTime(person.created_at);
  const line = {
    external_id: person.id,
    ...(created_at === undefined ? {} : { created_at }),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    ...Object.fromEntries(Object.entries(objects).filter(([, object]) => Object.keys(object).length > 0)),
    ...(person.locked ? { locked: true } : {}),
    ...(hasPassword ? { password: person.password } : {}),
    ...(totp === null ? {} : { totp }),
  };
  return { number: person.number, line, losses };
}
