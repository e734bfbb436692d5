import type { AuthError } from '../errors.ts';
import type { OAuthAuthorizeParams } from './oauth-params.ts';
import { addressOf, destinationOf, type Destination } from './destination.ts';
import { isBlank, tidied } from './outside-text.ts';
import { agentLogo, agentOf, resourceNames, type ConsentAgent } from './agent.ts';
import { isAccess, STANDARD_ACCESS, type ScopeAccess } from './scope-access.ts';
import { isRecord } from '../shape.ts';

/** The consent and logout pages of an identity provider (specification, sections 2, 3 and 4). */

/** The scopes for which the widget has built-in texts (section 5). */
export const STANDARD_SCOPES = ['openid', 'profile', 'email', 'phone', 'full_access', 'offline_access'] as const;
export type StandardScope = (typeof STANDARD_SCOPES)[number];

/** One permission that an app requests: a line of text, with optional lines of detail. */
export interface ConsentItem {
  readonly text: string;
  readonly details?: readonly string[] | undefined;
}

/** A group of items with a header. */
export interface ConsentSection {
  readonly header: string;
  readonly items: readonly ConsentItem[];
}

/**
 * An entry of the list. A standard scope is kept by name, because its text depends on the language of the page. `access` is the
 * extent of the permission; an item of a host's manifest has none.
 */
export type ConsentEntry =
  | (ConsentItem & { readonly access?: ScopeAccess | 'unknown' })
  | { readonly scope: StandardScope };

/** One list on the page. A null header means '{clientName} is requesting to:'. */
export interface ConsentList {
  readonly header: string | null;
  readonly entries: readonly ConsentEntry[];
}

/** A scope with the project's description of it. */
export interface DescribedScope {
  readonly scope: string;
  readonly description: string;
  /** The extent of the permission, as the server describes it. */
  readonly access?: ScopeAccess | 'unknown' | undefined;
}

/** The location of a device that requests access by a code (RFC 8628, section 5.4). Texts from the device are on one line. */
export interface DeviceView {
  /** The code on the device's screen, in the same form. */
  readonly userCode: string;
  /** The program's description of itself; null if it sent none. */
  readonly program: string | null;
  /** The device's network address; null if the server has none. */
  readonly network: string | null;
  readonly isSameNetwork: boolean;
}

/** The state of an authorize or logout flow, as the page shows it. */
export type Consent =
  | { readonly status: 'loading' }
  /** The page is in a frame of another site, where the user cannot see the site that requests consent (RFC 9700, section 4.16). */
  | { readonly status: 'framed' }
  /** `error` is shown to the person; null shows the generic text. */
  | { readonly status: 'error'; readonly error: AuthError | null; readonly canRetry: boolean }
  | { readonly status: 'noSession' }
  /** The form for the code that a device shows. `userCode` is the part that is already known, or empty; `error` is about the code. */
  | { readonly status: 'deviceCode'; readonly userCode: string; readonly error: AuthError | null }
  | { readonly status: 'deviceDone' }
  | { readonly status: 'deviceDenied' }
  | { readonly status: 'denied' }
  | { readonly status: 'success' }
  | (Destination & {
      readonly status: 'consentRequired';
      /** Null if neither the app nor its URL has a name; the page then shows 'The App'. */
      readonly clientName: string | null;
      readonly logoUrl: string | null;
      /** The label of the signed-in account (see `accountOf`); null for a user without an address, number, name or wallet. */
      readonly account: string | null;
      /**
       * Whether the project's operator vouches for the app; null when the server does not report it, or any app could receive the
       * response.
       */
      readonly isVerified: boolean | null;
      /** Absent for an app that the project's operator registered. */
      readonly agent?: ConsentAgent;
      /** The names of the other APIs that the access includes; absent if it is for the project's own only. */
      readonly resources?: readonly string[];
      /** The requesting device, if the user entered its code. */
      readonly device?: DeviceView | undefined;
      /** The page on which the user can revoke the access; null if the host names none. */
      readonly accountUrl: string | null;
      /** All requested scopes are standard ones: the title is 'Sign in to …'. */
      readonly standardOnly: boolean;
      readonly lists: readonly ConsentList[];
      /** The descriptions of the requested scopes that this user cannot grant. */
      readonly ungrantable: readonly string[];
      /** False when this user can grant none of the requested scopes. */
      readonly canAllow: boolean;
      /** True if the access outlives the session; otherwise an access token is valid for at most an hour. */
      readonly isLasting: boolean;
    })
  | {
      readonly status: 'confirmLogout';
      /** The label of the signed-in account; null for a user without one, or without a session. */
      readonly account: string | null;
      /** Absent if the browser stays on this page. */
      readonly destination?: Destination;
    }
  | { readonly status: 'loggedOut' }
  | { readonly status: 'notLoggedOut' };

/** The name shown for an app that has none (section 2). */
export const THE_APP = 'The App';
export const NO_SESSION_TEXT = 'No active session detected. Please log in to continue.';

export function isStandard(scope: string): scope is StandardScope {
  return (STANDARD_SCOPES as readonly string[]).includes(scope);
}

/** The field of the first verified entry of a list, else of its first entry; an empty text for an empty list. */
function oneOf(list: unknown, field: string): string {
  if (!Array.isArray(list)) return '';
  const all = list.filter(isRecord);
  const text = (all.find(({ verified }) => verified === true) ?? all[0])?.[field];
  return typeof text === 'string' ? tidied(text) : '';
}

/** The label of an account: the email address, else the phone number, else the name, else the wallet's address, else null. */
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

/** The app's own name, else the host name of its redirect URL, else null (section 2). */
export function clientNameOf(client: unknown, redirectUri: string): string | null {
  const own = isRecord(client) && typeof client['client_name'] === 'string' ? tidied(client['client_name']) : '';
  return (isBlank(own) ? '' : own) || addressOf(redirectUri)?.hostname || null;
}

/** The server's verdict on the requested scopes. */
export interface ScopeVerdict {
  readonly grantable: readonly DescribedScope[];
  readonly ungrantable: readonly DescribedScope[];
}

/** Reads the server's list of scopes; null when it is not a list of objects. Only `is_grantable === true` is grantable. */
export function scopeVerdict(results: unknown, scopes: readonly string[]): ScopeVerdict | null {
  if (!Array.isArray(results)) return null;
  const grantable: DescribedScope[] = [];
  const ungrantable: DescribedScope[] = [];
  for (const result of results as readonly unknown[]) {
    if (!isRecord(result)) return null;
    const { scope, description, is_grantable, access } = result;
    if (typeof scope !== 'string' || !scopes.includes(scope)) continue;
    const scopeEntry = { scope, description: (typeof description === 'string' && description.trim()) || scope };
    const graded = isAccess(access) ? { ...scopeEntry, access } : scopeEntry;
    (is_grantable === true ? grantable : ungrantable).push(graded);
  }
  return { grantable, ungrantable };
}

/**
 * Reads the preflight reply. `granted`: the scopes granted without asking the user, which requires `consent_required === false`; else
 * null. `verdict`: the verdict on each scope, or null when the reply has none.
 */
export function readPreflight(
  { consent_required, scope_results }: Readonly<Record<'consent_required' | 'scope_results', unknown>>,
  scopes: readonly string[],
): { readonly granted: readonly string[] | null; readonly verdict: ScopeVerdict | null } {
  const verdict = scopeVerdict(scope_results, scopes);
  const ungrantable = new Set(verdict?.ungrantable.map(({ scope }) => scope));
  const rest = [...new Set(scopes)].filter((scope) => !ungrantable.has(scope));
  return { granted: consent_required === false && rest.length > 0 ? rest : null, verdict };
}

/** The extent of an entry's permission; undefined for an item of a host's manifest. */
export const accessOfEntry = (entry: ConsentEntry): ScopeAccess | 'unknown' | undefined =>
  'scope' in entry ? STANDARD_ACCESS[entry.scope] : entry.access;

/** The default manifest: standard scopes with the widget's texts, other scopes with their descriptions. Full access comes first. */
export function defaultLists(scopes: readonly DescribedScope[]): readonly ConsentList[] {
  const entries = scopes.map(entryOf);
  const isFull = (entry: ConsentEntry): boolean => accessOfEntry(entry) === 'full';
  return [{ header: null, entries: [...entries.filter(isFull), ...entries.filter((entry) => !isFull(entry))] }];
}

function isDescribed(
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & DescribedScope {
  return (
    typeof value['scope'] === 'string' && typeof value['description'] === 'string' && value['description'].trim() !== ''
  );
}

/** A standard scope gets the widget's text, any other scope its description. */
const entryOf = ({ scope, description, access }: DescribedScope): ConsentEntry =>
  isStandard(scope) ? { scope } : { text: description, access: isAccess(access) ? access : 'unknown' };

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
 * Reads a host's own consent manifest: a list of items, or a list of sections. Null for anything else, and for an empty list or
 * section, because a user cannot consent to an empty page.
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

/** Creates the page's lists from the grantable scopes. */
export type MakeLists = (scopes: readonly DescribedScope[], clientName: string) => readonly ConsentList[];

/** True for the scope with which an app gets new tokens after the session (OpenID Connect Core 1.0, section 11). */
export const isLastingScope = ({ scope }: Pick<DescribedScope, 'scope'>): boolean => scope === 'offline_access';

/** The consent page for an app's request (section 2). */
export function consentPage(
  { scopes, redirect_uri }: Pick<OAuthAuthorizeParams, 'scopes' | 'redirect_uri'>,
  client: unknown,
  user: unknown,
  { grantable, ungrantable }: ScopeVerdict,
  makeLists: MakeLists,
  { accountUrl = null, resources }: { readonly accountUrl?: string | null; readonly resources?: unknown } = {},
): Consent {
  const clientName = clientNameOf(client, redirect_uri);
  const { client_logo_url: logo = null, client_verified: verified = null } = isRecord(client) ? client : {};
  const destination = destinationOf(redirect_uri);
  const agent = agentOf(client);
  const apis = resourceNames(resources).map(tidied);
  return {
    status: 'consentRequired',
    clientName,
    logoUrl: agent !== null ? agentLogo(logo, agent) : typeof logo === 'string' ? logo : null,
    account: accountOf(user),
    ...destination,
    isVerified: destination.host === null || typeof verified !== 'boolean' ? null : verified,
    ...(agent === null ? {} : { agent }),
    ...(apis.length === 0 ? {} : { resources: apis }),
    accountUrl,
    standardOnly: scopes.every(isStandard),
    lists: grantable.length === 0 ? [] : makeLists(grantable, clientName ?? THE_APP),
    ungrantable: ungrantable.map(({ description }) => description),
    canAllow: grantable.length > 0,
    isLasting: grantable.some(isLastingScope),
  };
}
