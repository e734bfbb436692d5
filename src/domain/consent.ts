import type { AuthError } from './errors.ts';
import type { OAuthAuthorizeParams } from './oauth-params.ts';
import { isLoopbackHost, isPrivateUseUri } from './safe-url.ts';
import { isRecord } from './shape.ts';

/** The consent and logout pages of an identity provider (specification, sections 2, 3 and 4). */

/** The scopes that say by themselves what they are for (section 5). */
export const STANDARD_SCOPES = ['openid', 'profile', 'email', 'phone', 'full_access', 'offline_access'] as const;
export type StandardScope = (typeof STANDARD_SCOPES)[number];

/** One thing an app asks for: a line, and what it means in detail. */
export interface ConsentItem {
  readonly text: string;
  readonly details?: readonly string[] | undefined;
}

/** Items under a header of their own. */
export interface ConsentSection {
  readonly header: string;
  readonly items: readonly ConsentItem[];
}

/** A standard scope is named, not worded: its texts belong to the language of whoever reads. */
export type ConsentEntry = ConsentItem | { readonly scope: StandardScope };

/** What the page lists; a header that is null stands for '{clientName} is requesting to:'. */
export interface ConsentList {
  readonly header: string | null;
  readonly entries: readonly ConsentEntry[];
}

/** A scope and what the project says that it is for. */
export interface DescribedScope {
  readonly scope: string;
  readonly description: string;
}

/** Where an authorize or logout flow stands. */
export type Consent =
  | { readonly status: 'loading' }
  /** Another page shows this one in a frame, where nobody can see who asks them (RFC 9700, section 4.16). */
  | { readonly status: 'framed' }
  /** The error is what the person reads; null stands for the generic text. */
  | { readonly status: 'error'; readonly error: AuthError | null; readonly canRetry: boolean }
  | { readonly status: 'noSession' }
  | { readonly status: 'denied' }
  | { readonly status: 'success' }
  | {
      readonly status: 'consentRequired';
      /** Null where neither the app nor its address has a name: 'The App'. */
      readonly clientName: string | null;
      readonly logoUrl: string | null;
      /** Who is signed in, and whose account is granted; null for who has neither an address nor a number nor a name. */
      readonly account: string | null;
      /** Where the answer goes: the host of the app's address; null where that is on this device. */
      readonly host: string | null;
      /** The answer goes to an app on this device: a port or a scheme that any program there may claim names no host. */
      readonly onDevice: boolean;
      /** All that is asked for is standard: the title says 'Sign in to …'. */
      readonly standardOnly: boolean;
      readonly lists: readonly ConsentList[];
      /** The descriptions of what this person cannot grant. */
      readonly ungrantable: readonly string[];
      /** False where nothing of what is asked for can be granted. */
      readonly canAllow: boolean;
    }
  /** `account` is who is signed in; null as above, or where nobody is. */
  | { readonly status: 'confirmLogout'; readonly account: string | null }
  | { readonly status: 'loggedOut' }
  | { readonly status: 'notLoggedOut' };

/** What stands where an app has no name (section 2). */
export const THE_APP = 'The App';
export const NO_SESSION_TEXT = 'No active session detected. Please log in to continue.';

const LONGEST_NAME = 120;

export function isStandard(scope: string): scope is StandardScope {
  return (STANDARD_SCOPES as readonly string[]).includes(scope);
}

/** On one line, without marks that turn the direction of what follows, and of a length that leaves room for the rest. */
function tidied(text: string): string {
  const line = text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\s\p{Cc}\u00AD\u200B\u2060\uFEFF]+/gu, ' ')
    .trim();
  const letters = Array.from(line);
  return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME).join('')}…` : line;
}

function addressOf(uri: string): URL | null {
  try {
    const url = new URL(uri);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
}

/** Where an answer to the address goes: to a host, with its port, or to an app on this device. */
export function destinationOf(redirectUri: string): { readonly host: string | null; readonly onDevice: boolean } {
  const { host = null, hostname = '' } = addressOf(redirectUri) ?? {};
  const onDevice = isLoopbackHost(hostname) || isPrivateUseUri(redirectUri);
  return { host: onDevice ? null : host, onDevice };
}

/** The proved one of what a user has several of, else the first; empty where there is none. */
function oneOf(list: unknown, field: string): string {
  if (!Array.isArray(list)) return '';
  const all = list.filter(isRecord);
  const text = (all.find(({ verified }) => verified === true) ?? all[0])?.[field];
  return typeof text === 'string' ? tidied(text) : '';
}

/** What a person knows their account by: the email address, else the telephone number, else the name, else the wallet. */
export function accountOf(user: unknown): string | null {
  if (!isRecord(user)) return null;
  const { emails, phone_numbers, crypto_wallets, name } = user;
  const names = isRecord(name) ? [name['first_name'], name['middle_name'], name['last_name']] : [];
  return (
    oneOf(emails, 'email') ||
    oneOf(phone_numbers, 'phone_number') ||
    tidied(names.filter((each) => typeof each === 'string').join(' ')) ||
    oneOf(crypto_wallets, 'crypto_wallet_address') ||
    null
  );
}

/** What the app is called: its own name, else the host name of its address, else null (section 2). */
export function clientNameOf(client: unknown, redirectUri: string): string | null {
  const own = isRecord(client) && typeof client['client_name'] === 'string' ? tidied(client['client_name']) : '';
  return own || addressOf(redirectUri)?.hostname || null;
}

/** What the server says of the scopes that were asked for. */
export interface ScopeVerdict {
  readonly grantable: readonly DescribedScope[];
  readonly ungrantable: readonly DescribedScope[];
}

/** Only `is_grantable === true` is grantable; null for what is no list of scopes. */
export function scopeVerdict(results: unknown, asked: readonly string[]): ScopeVerdict | null {
  if (!Array.isArray(results)) return null;
  const grantable: DescribedScope[] = [];
  const ungrantable: DescribedScope[] = [];
  for (const result of results as readonly unknown[]) {
    if (!isRecord(result)) return null;
    const { scope, description, is_grantable } = result;
    if (typeof scope !== 'string' || !asked.includes(scope)) continue;
    const described = { scope, description: (typeof description === 'string' && description.trim()) || scope };
    (is_grantable === true ? grantable : ungrantable).push(described);
  }
  return { grantable, ungrantable };
}

/**
 * What the preflight says: the scopes that are granted unasked, else null; and what it says of each, null where it does not. Only
 * `consent_required === false` grants unasked.
 */
export function readPreflight(
  { consent_required, scope_results }: Readonly<Record<'consent_required' | 'scope_results', unknown>>,
  asked: readonly string[],
): { readonly granted: readonly string[] | null; readonly verdict: ScopeVerdict | null } {
  const verdict = scopeVerdict(scope_results, asked);
  const refused = new Set(verdict?.ungrantable.map(({ scope }) => scope));
  const rest = [...new Set(asked)].filter((scope) => !refused.has(scope));
  return { granted: consent_required === false && rest.length > 0 ? rest : null, verdict };
}

/** The default manifest: standard scopes by their own texts, others by their descriptions. */
export function defaultLists(scopes: readonly DescribedScope[]): readonly ConsentList[] {
  return [{ header: null, entries: scopes.map(entryOf) }];
}

function isDescribed(
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & DescribedScope {
  return (
    typeof value['scope'] === 'string' && typeof value['description'] === 'string' && value['description'].trim() !== ''
  );
}

/** A standard scope is worded by us, another one by its description. */
const entryOf = ({ scope, description }: DescribedScope): ConsentEntry =>
  isStandard(scope) ? { scope } : { text: description };

function itemFrom(value: unknown): ConsentEntry | null {
  if (typeof value === 'string') return value.trim() === '' ? null : { text: value };
  if (isRecord(value) && value['text'] === undefined && isDescribed(value)) return entryOf(value);
  if (!isRecord(value) || typeof value['text'] !== 'string' || value['text'].trim() === '') return null;
  const { text, details = [] } = value;
  if (!Array.isArray(details) || !details.every((line: unknown) => typeof line === 'string')) return null;
  return { text, details };
}

function itemsFrom(value: unknown): readonly ConsentEntry[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const items = value.map(itemFrom);
  return items.every((item) => item !== null) ? items : null;
}

/**
 * What a host's own consent screen asks: items, or sections of them; null for what is neither. An empty one is neither:
 * nobody agrees to what is not said.
 */
export function listsFrom(manifest: unknown): readonly ConsentList[] | null {
  const items = itemsFrom(manifest);
  if (items !== null) return [{ header: null, entries: items }];
  if (!Array.isArray(manifest) || manifest.length === 0) return null;
  const lists = manifest.map((value: unknown): ConsentList | null => {
    if (!isRecord(value) || typeof value['header'] !== 'string') return null;
    const entries = itemsFrom(value['items']);
    return entries && { header: value['header'], entries };
  });
  return lists.every((list) => list !== null) ? lists : null;
}

/** Puts what can be granted into words. */
export type MakeLists = (scopes: readonly DescribedScope[], clientName: string) => readonly ConsentList[];

/** The consent page for what an app asks for (section 2). */
export function consentPage(
  { scopes, redirect_uri }: Pick<OAuthAuthorizeParams, 'scopes' | 'redirect_uri'>,
  client: unknown,
  user: unknown,
  { grantable, ungrantable }: ScopeVerdict,
  makeLists: MakeLists,
): Consent {
  const clientName = clientNameOf(client, redirect_uri);
  const logo = isRecord(client) ? client['client_logo_url'] : null;
  return {
    status: 'consentRequired',
    clientName,
    logoUrl: typeof logo === 'string' ? logo : null,
    account: accountOf(user),
    ...destinationOf(redirect_uri),
    standardOnly: scopes.every(isStandard),
    lists: grantable.length === 0 ? [] : makeLists(grantable, clientName ?? THE_APP),
    ungrantable: ungrantable.map(({ description }) => description),
    canAllow: grantable.length > 0,
  };
}
