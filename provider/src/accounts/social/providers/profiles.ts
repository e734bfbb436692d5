import type { ProviderAssurance } from '#server-rules/mfa-policy.ts';
import { isVouchable } from '#server-rules/accounts.ts';
import { isStorable, cutText } from '#server-rules/request-body.ts';
import { isRecord } from '#domain/shape.ts';
import { SocialFailure } from './social-provider.ts';
import type { AccountProfile } from '../../social-accounts/tables.ts';

/** A provider's unchecked claims about a person, in the names of OpenID Connect (Core, section 5.1). */
export interface Claims {
  readonly sub: unknown;
  readonly email?: unknown;
  /** True only if, according to its documentation, the provider verified this address. */
  readonly email_verified: boolean;
  readonly name?: unknown;
  readonly given_name?: unknown;
  readonly family_name?: unknown;
  readonly picture?: unknown;
  readonly locale?: unknown;
}

const MAX_NAME = 100;
const MAX_URL = 2048;

/** The claims, limited in size because anyone may have written them. Throws a SocialFailure without a subject. */
export function profileFrom(claims: Claims): AccountProfile {
  const subject = typeof claims.sub === 'number' && Number.isSafeInteger(claims.sub) ? String(claims.sub) : claims.sub;
  if (typeof subject !== 'string' || !/^[!-~]{1,255}$/u.test(subject)) {
    throw new SocialFailure('server_error', 'its profile does not say who the account belongs to');
  }
  const address = addressIn(claims.email);
  const email = isVouchable(address) ? address : '';
  const name = visible(claims.name);
  const family_name = visible(claims.family_name);
  return {
    sub: subject,
    email,
    email_verified: email !== '' && claims.email_verified,
    name,
    // A full name is not split, because it is unknown where.
    given_name: visible(claims.given_name) || (family_name === '' ? name : ''),
    family_name,
    picture: webAddress(claims.picture),
    locale: typeof claims.locale === 'string' && /^[\w-]{2,35}$/u.test(claims.locale) ? claims.locale : '',
  };
}

/** The address without surrounding blanks; empty if there is none. */
export const addressIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Drops empty fields, which some providers send for missing values. */
export const withoutEmpty = (json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(json).filter(([, value]) => value !== '' && value !== null));

function visible(value: unknown): string {
  return typeof value === 'string' ? cutText(value.replaceAll(/\p{C}/gu, '').trim(), MAX_NAME) : '';
}

function webAddress(value: unknown): string {
  const text = typeof value === 'string' && value.length <= MAX_URL && isStorable(value) ? value.trim() : '';
  return URL.canParse(text) && new URL(text).protocol === 'https:' ? text : '';
}

const MAX_METHODS = 20;

/** How the person logged in, from the claims of a verified ID token. Values of an unexpected form count as absent. */
export function assuranceFrom({ amr, acr }: Readonly<Record<string, unknown>>): ProviderAssurance {
  const methods: readonly unknown[] = Array.isArray(amr) ? amr.slice(0, MAX_METHODS) : [];
  const isValue = (value: unknown): value is string =>
    typeof value === 'string' && value.length <= MAX_NAME && isStorable(value);
  return { amr: methods.filter(isValue), acr: isValue(acr) ? acr : null };
}

/** A field inside of JSON, or undefined. */
export function at(json: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return typeof key === 'number' ? (value[key] as unknown) : undefined;
    return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, json);
}

/** The items of a list in JSON; none if there is no list. */
export function listAt(json: unknown, ...path: readonly string[]): readonly unknown[] {
  const value = at(json, ...path);
  return Array.isArray(value) ? value : [];
}
