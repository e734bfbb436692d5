import { isRecord } from '#domain/shape.ts';
import { parseJson } from '#domain/json.ts';
import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import { openIdClaims } from '#provider/accounts/social/providers/openid-table.ts';
import type { Values } from '../rows/row.ts';
import type { Loss } from '../vendor.ts';

export interface SocialAccount {
  readonly provider: OAuthProvider;
  readonly subject: string;
  readonly email: string | null;
}

/** The names of other products for providers that have another one here. */
const ALIASES: Readonly<Record<string, OAuthProvider>> = {
  azure: 'microsoft',
  'azure-ad': 'microsoft',
  'google-oauth2': 'google',
  'linkedin-openid-connect': 'linkedin',
  linkedin_oidc: 'linkedin',
  loginwithamazon: 'amazon',
  'microsoft-entra-id': 'microsoft',
  signinwithapple: 'apple',
  slack_oidc: 'slack',
  tiktok_oauth: 'tiktok',
  windowslive: 'microsoft',
  x: 'twitter',
};

/**
 * Of `Google`, `oauth_google` and `google.com` it is `google`. Only exact names: `github-enterprise` has its own ids, which may be those of
 * other people at GitHub.
 */
function providerOf(name: string): OAuthProvider | undefined {
  const plain = name.trim().toLowerCase().replace(/^oauth_/u, '').replace(/\.com$/u, ''); // prettier-ignore
  if (Object.hasOwn(OAUTH_PROVIDERS, plain)) return plain as OAuthProvider;
  return Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined;
}

/** The claims of an ID token that the old system stored, and checked when it received it; null for none. */
export function claimsOf(idToken: string | null): Values | null {
  const [, payload = '', signature] = idToken?.split('.') ?? [];
  const claims = signature === undefined ? undefined : parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
  return isRecord(claims) ? claims : null;
}

/** The address for which a provider vouched in an ID token, by the same rules as for a login here; null for none. */
export function provenEmail(name: string, claims: Values | null): string | null {
  const provider = providerOf(name);
  if (provider === undefined || claims === null) return null;
  const { email, email_verified } = openIdClaims(provider, claims);
  return email_verified && typeof email === 'string' ? email : null;
}

interface OldAccount {
  /** The name of the provider in the old system. */
  readonly provider: string;
  /** Null if the export lacks it. */
  readonly subject: string | null;
  readonly email?: string | null;
  readonly claims?: Values | null;
}

const loss = (reason: string): Loss => ({ what: 'social account', reason });

/** A login of a company, by SAML or by its own OpenID provider. */
export const COMPANY_LOGIN: Loss = loss('it is a login of a company (SAML)');

/** The id of a person in a directory, or of a Microsoft account at an older API. A login sends another one, which each app has its own of. */
const DIRECTORY_ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16})$/iu;

/** The subject of Microsoft's ID token, also if the old system recorded another id beside it. */
function microsoftSubject(subject: string, claims: Values | null | undefined): string | null {
  const all = [subject.trim(), claims?.['sub']];
  return all.find((each): each is string => typeof each === 'string' && !DIRECTORY_ID.test(each)) ?? null;
}

/** The account with the subject that a login here would see, or why it is lost. */
export function socialAccount({ provider: name, subject, email, claims }: OldAccount): SocialAccount | Loss {
  const provider = providerOf(name);
  if (provider === undefined) return loss(`there is no social login with ${name} here`);
  const address = email ?? (typeof claims?.['email'] === 'string' ? claims['email'] : null);
  if (subject === null) return loss('the export has no id of the person at the provider');
  if (provider === 'microsoft') {
    const own = microsoftSubject(subject, claims);
    if (own !== null) return { provider, subject: own, email: address };
    return loss('the export has the id of Microsoft’s directory, and a login sends another one');
  }
  if (provider !== 'slack') return { provider, subject: subject.trim(), email: address };
  const slackId = /^T[A-Z0-9]+-[A-Z0-9]+$/u.test(subject) ? subject : openIdClaims('slack', claims ?? {}).sub;
  if (typeof slackId !== 'string') return loss('the export lacks the id of its Slack workspace');
  return { provider, subject: slackId, email: address };
}
