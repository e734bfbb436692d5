import { TWO_FACTORS } from '#domain/rules/authentication-methods.ts';
import { FACTORS, type NewFactor } from '#domain/rules/factors.ts';
import { isSecureUrl } from '#domain/safe-url.ts';
import { allowsOrigin, pageOrigins, parsedUrl, type RegisteredPages } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { providerOf } from '#domain/rules/passkey-provider.ts';
import { isActive, type MfaRules } from './mfa-policy.ts';

/** The parts of a project that the passkey rules read. */
export type PasskeyRules = Pick<RegisteredPages, 'origins' | 'allow_loopback'> & {
  /** The domain of all passkeys, including pages on other domains (WebAuthn Level 3, section 5.11); null for the domain of each page. */
  readonly passkey_domain: string | null;
};

const LOCALHOST = /^(?:[a-z0-9-]+\.)*localhost$/u;
const IP = /^(?:\[.*\]|[\d.]+)$/u;

function hostOf(origin: string): string {
  return new URL(origin).hostname;
}

/** True if passkeys may be scoped to the domain: the host of a registered origin, never an IP address. */
export function isRelyingParty(project: Pick<PasskeyRules, 'origins' | 'allow_loopback'>, domain: string): boolean {
  if (IP.test(domain)) return false;
  return (
    pageOrigins(project.origins).some((origin) => hostOf(origin) === domain) ||
    (project.allow_loopback && LOCALHOST.test(domain))
  );
}

/**
 * True for a registered origin whose host is the domain or a subdomain of it (WebAuthn Level 3, section 5.1.3, step 8), and for every
 * registered origin if the domain is the one of all passkeys.
 */
export function mayUse(project: PasskeyRules, domain: string, origin: string): boolean {
  if (!allowsOrigin(project, origin)) return false;
  const host = hostOf(origin);
  const url = parsedUrl(origin);
  if (url === null || !isSecureUrl(url)) return false;
  return host === domain || host.endsWith(`.${domain}`) || domain === project.passkey_domain;
}

/** The origins that may use the passkeys of the project's domain, as its `/.well-known/webauthn` lists them. */
export function relatedOrigins({ origins }: Pick<RegisteredPages, 'origins'>): readonly string[] {
  return origins.filter((origin) => origin.startsWith('https:'));
}

export function checkDomain(project: PasskeyRules, domain: string): void {
  if (!isRelyingParty(project, domain)) throw new Refusal('invalid_domain');
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//u, 'Edge'],
  [/OPR\//u, 'Opera'],
  [/Firefox\/|FxiOS\//u, 'Firefox'],
  [/Chrome\/|CriOS\//u, 'Chrome'],
  [/Safari\//u, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/u, 'iPhone'],
  [/iPad/u, 'iPad'],
  [/Android/u, 'Android'],
  [/Windows/u, 'Windows'],
  [/CrOS/u, 'ChromeOS'],
  [/Mac OS X|Macintosh/u, 'Mac'],
  [/Linux/u, 'Linux'],
];

function match(rows: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return rows.find(([pattern]) => pattern.test(text))?.[1];
}

/** The default name of a new passkey: its authenticator, else the browser and system that created it. */
export function defaultName(aaguid: string | null, userAgent: string): string {
  const provider = providerOf(aaguid);
  if (provider !== null) return provider;
  const where = [match(BROWSERS, userAgent), match(SYSTEMS, userAgent)].filter((part) => part !== undefined);
  return where.length > 0 ? where.join(' on ') : 'Passkey';
}

const MAX_NAME = 120;
/** Control and formatting characters, which can make a name look like another one. Joiners are part of some scripts and emoji. */
const INVISIBLE = /[^\P{C}\u200c\u200d]/u;

/** The name without surrounding spaces; null for a name that cannot be shown. */
export function nameFrom(text: string): string | null {
  const name = text.trim();
  return name !== '' && name.length <= MAX_NAME && !INVISIBLE.test(name) ? name : null;
}

/** EdDSA, ES256, ES384, ES512 and RS256 (RFC 9053), the best first. */
export const ALGORITHMS: readonly number[] = [-8, -7, -35, -36, -257];

/** Bytes (WebAuthn Level 3, section 5.4.3). */
const MAX_HANDLE = 64;

export function damagedCredential(what: string): Refusal {
  return new Refusal('invalid_public_key_credential', `public_key_credential: ${what}.`);
}

export function checkAttachment(
  attachment: string | undefined,
): asserts attachment is 'platform' | 'cross-platform' | undefined {
  if (attachment !== undefined && attachment !== 'platform' && attachment !== 'cross-platform') {
    throw new Refusal('invalid_authenticator_type');
  }
}

/** The user handle for the authenticator: the host's id of the user, else the user id. */
export function handleOf(userId: string, override: string | undefined): Uint8Array {
  const bytes = new TextEncoder().encode(override ?? userId);
  if (bytes.length === 0 || bytes.length > MAX_HANDLE) throw new Refusal('invalid_override_id');
  return bytes;
}

/**
 * The passkey as a factor. If it verified its user it counts as two factors (RFC 8176), which sessions mention if the project has a policy.
 */
export function passkeyFactor(
  mfa: MfaRules | null,
  registration: Parameters<typeof FACTORS.webauthn>[0],
  isUserVerified: boolean,
): NewFactor {
  const factor = FACTORS.webauthn(registration);
  return isUserVerified && isActive(mfa) ? { ...factor, amr: ['pop', TWO_FACTORS] } : factor;
}
