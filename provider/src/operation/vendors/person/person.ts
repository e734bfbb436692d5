import { mergeName } from '#server-rules/accounts.ts';
import { nameFrom } from '#server-rules/passkeys.ts';
import { normalRecoveryCode } from '#server-rules/totps.ts';
import { mergeMetadata } from '#server-rules/metadata.ts';
import { Refusal, SchemaRefusal } from '#domain/rules/refusal.ts';
import { ethereumAddress } from '#provider/accounts/wallets/ethereum.ts';
import { solanaAddress } from '#provider/accounts/wallets/solana.ts';
import { UsageError } from '#provider/base/usage-error.ts';
import type { UserOfRecord } from '../rows/files.ts';
import type { Values } from '../rows/row.ts';
import type { Loss } from '../vendor.ts';
import { contactsIn, distinct, secondFactorsIn, type OldEmail, type OldPhone } from './contacts.ts';
import type { SocialAccount } from './social.ts';
import type { App } from './totp.ts';

export interface Passkey {
  /** Base64url. */
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly transports: readonly string[];
  /** The relying party of this passkey, if the export names it. */
  readonly rp_id?: string;
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
  /** The id in the old system; null if `user_id` is enough. */
  readonly id: string | null;
  /** An id in the form of this server's. */
  readonly user_id?: string | null;
  readonly status?: 'pending' | null;
  readonly created_at?: number | null;
  readonly emails?: readonly OldEmail[];
  readonly phone_numbers?: readonly OldPhone[];
  readonly name?: Values;
  readonly trusted_metadata?: Values;
  readonly untrusted_metadata?: Values;
  readonly roles?: readonly string[];
  readonly locked?: boolean | null;
  /** When the user accepted the terms of the old system. */
  readonly terms_accepted_at?: number | null;
  /** As a line has it. */
  readonly password?: Values | Loss | null;
  readonly apps?: readonly (App | Loss)[];
  readonly recovery_codes?: readonly (RecoveryCode | Loss)[];
  readonly passkeys?: readonly (Passkey | Loss)[];
  /** The relying party of passkeys that do not name their own. */
  readonly rp_id?: string | null;
  readonly social_accounts?: readonly (SocialAccount | Loss)[];
  readonly wallets?: readonly Wallet[];
  readonly losses?: readonly Loss[];
}

export const isLoss = (value: unknown): value is Loss => typeof value === 'object' && value !== null && 'what' in value;

/** The items that are no losses. */
function itemsOf<T>(items: readonly (T | Loss)[], losses: Loss[]): readonly T[] {
  losses.push(...items.filter(isLoss));
  return items.filter((item): item is T => !isLoss(item));
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
  const present = withoutEmpty(values);
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

function nameIn(name: Values, losses: Loss[]): Values {
  if (isAccepted(() => mergeName({}, name))) return name;
  losses.push({
    what: 'metadata',
    reason: 'a part of the name has more than 128 characters, or one that cannot be stored',
  });
  return Object.fromEntries(
    Object.entries(name).filter(([part, text]) => isAccepted(() => mergeName({}, { [part]: text }))),
  );
}

/** The first app, because a user has one here. */
function appOf([app, ...others]: readonly App[], losses: Loss[]): App | null {
  for (const _ of others) losses.push({ what: 'app', reason: 'a user has one app here, and the first one is kept' });
  return app ?? null;
}

/** The readers of an address, by the kind of the wallet. */
const WALLETS: ReadonlyMap<string, (text: string) => string | null> = new Map([
  ['ethereum', ethereumAddress],
  ['solana', solanaAddress],
]);

function walletsOf(wallets: readonly Wallet[], losses: Loss[]): readonly Wallet[] {
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
function isoTime(milliseconds: number | null | undefined): string | null {
  if (typeof milliseconds !== 'number' || milliseconds <= 0 || milliseconds >= Date.UTC(2100, 0)) return null;
  return new Date(milliseconds).toISOString();
}

/** The beginning of a name that is too long to be shown here; null for one that cannot be shown. */
const passkeyName = (name: string | null): string | null =>
  nameFrom(
    Array.from(name ?? '')
      .slice(0, 60)
      .join(''),
  );

/** The signatures of a passkey are for one domain, so a passkey cannot be imported without it. */
function passkeysOf(passkeys: readonly Passkey[], rpId: string | null, losses: Loss[]): readonly object[] {
  return distinct(passkeys, 'passkey', ({ credential_id }) => credential_id, losses).map(
    ({ name, created_at, backed_up, backup_eligible, ...key }) => {
      const rp_id = key.rp_id ?? rpId;
      if (rp_id === null) {
        throw new UsageError(
          'The export has passkeys and does not say of which domain: add it, such as --rp-id example.com.',
        );
      }
      // Only a synced key has a copy.
      const synced = backed_up === true ? true : backup_eligible;
      const optional = { name: passkeyName(name), created_at: isoTime(created_at), backed_up, backup_eligible: synced };
      const transports = key.transports
        .map((each) => each.toLowerCase())
        .filter((each) => /^[a-z-]{1,32}$/u.test(each));
      return { ...key, rp_id, transports, ...withoutEmpty(optional) };
    },
  );
}

type RecoveryCode = string | RecoveryCodeHash;

const keyOfCode = (code: RecoveryCode): string => (typeof code === 'string' ? normalRecoveryCode(code) : code.hash);

function codesOf(codes: readonly RecoveryCode[], app: App | null, losses: Loss[]): readonly RecoveryCode[] {
  if (app !== null || codes.length === 0) return distinct(codes, 'recovery codes', keyOfCode, losses);
  losses.push({ what: 'recovery codes', reason: 'they belong to an authenticator app here, and the user keeps none' });
  return [];
}

function passwordOf(password: Values | undefined, hasEmail: boolean, losses: Loss[]): Values | null {
  if (password === undefined || hasEmail) return password ?? null;
  losses.push({ what: 'password', reason: 'a password belongs to an email address here, and the user has none' });
  return null;
}

const isSomething = (value: unknown): boolean => value !== null && value !== undefined;
const isFull = (value: unknown): boolean => isSomething(value) && (typeof value !== 'object' || Object.keys(value as object).length > 0); // prettier-ignore

/** The fields that say something: an absent field has its default. */
export const withoutEmpty = (fields: Values): Values =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isSomething(value)));

/** The line of the person, without empty fields, and what is lost. */
export function vendorUser(person: Person): UserOfRecord {
  const losses: Loss[] = [];
  const [password] = itemsOf<Values>(person.password ? [person.password] : [], losses);
  const apps = itemsOf<App>(person.apps ?? [], losses);
  const codes = itemsOf<RecoveryCode>(person.recovery_codes ?? [], losses);
  const keys = itemsOf<Passkey>(person.passkeys ?? [], losses);
  losses.push(...(person.losses ?? []));
  const ofKeys: Loss[] = [];
  const totp = appOf(apps, ofKeys);
  const passkeys = passkeysOf(keys, person.rp_id ?? null, ofKeys);
  const accounts = itemsOf<SocialAccount>(person.social_accounts ?? [], ofKeys);
  const social_accounts = distinct(accounts, 'social account', ({ provider, subject }) => `${provider} ${subject}`, ofKeys); // prettier-ignore
  const wallets = walletsOf(person.wallets ?? [], ofKeys);
  const hasKey = passkeys.length + social_accounts.length + wallets.length > 0;
  const { emails, phone_numbers } = contactsIn(person, hasKey, losses);
  losses.push(...ofKeys);
  const line = {
    user_id: person.user_id,
    external_id: person.id,
    created_at: isoTime(person.created_at),
    status: person.status,
    name: nameIn(person.name ?? {}, losses),
    emails,
    phone_numbers,
    trusted_metadata: metadataOf(person.trusted_metadata ?? {}, 'trusted_metadata', losses),
    untrusted_metadata: metadataOf(person.untrusted_metadata ?? {}, 'untrusted_metadata', losses),
    roles: person.roles,
    locked: person.locked === true ? true : null,
    password: passwordOf(password, emails.length > 0, losses),
    totp,
    recovery_codes: codesOf(codes, totp, losses),
    passkeys,
    social_accounts,
    wallets,
  };
  if (!hasKey && emails.length + phone_numbers.length === 0) {
    losses.push({ what: 'way in', reason: 'the user has no address, number, passkey, social account or wallet' });
  }
  const numbers = new Set(phone_numbers.map(({ phone_number }) => phone_number));
  const secondFactors = secondFactorsIn(person.phone_numbers ?? []).filter((number) => numbers.has(number));
  const terms_accepted_at = isoTime(person.terms_accepted_at);
  return {
    line: Object.fromEntries(Object.entries(line).filter(([, value]) => isFull(value))),
    losses,
    ...(secondFactors.length > 0 ? { second_factor_numbers: secondFactors } : {}),
    ...(terms_accepted_at === null ? {} : { terms_accepted_at }),
  };
}
