import { OAUTH_PROVIDERS } from '#domain/social/oauth-providers.ts';
import type { Loss } from './vendor.ts';
import type { Fields } from './values.ts';

/** The names of other products for the providers, where they differ from ours in more than a prefix, a domain or capitals. */
const ALIASES: Readonly<Record<string, string>> = {
  'google-oauth2': 'google',
  windowslive: 'microsoft',
  x: 'twitter',
  loginwithamazon: 'amazon',
  signinwithapple: 'apple',
  linkedin_oidc: 'linkedin',
  tiktok_oauth: 'tiktok',
  azure: 'microsoft',
  'microsoft-entra-id': 'microsoft',
};

/** The name of a social provider here: of `Google`, `oauth_google` and `google.com` it is `google`. Null for one that is not built in. */
export function providerFrom(name: string): string | null {
  const plain = name
    .toLowerCase()
    .replace(/^oauth_/u, '')
    .replace(/\.com$/u, '');
  const provider = ALIASES[plain] ?? plain;
  return Object.hasOwn(OAUTH_PROVIDERS, provider) ? provider : null;
}

interface SocialSource {
  readonly provider: string | null;
  readonly subject: string | null;
  readonly email: string | null;
}

export interface SocialAccounts {
  readonly accounts: readonly Fields[];
  readonly losses: readonly Loss[];
}

/** The social accounts of a user, and those that are lost. */
export function socialFrom(sources: readonly SocialSource[]): SocialAccounts {
  const accounts = new Map<string, Fields>();
  const losses: Loss[] = [];
  for (const { provider: name, subject, email } of sources) {
    const provider = name === null ? null : providerFrom(name);
    if (provider === null) {
      losses.push({
        what: 'social account',
        reason: 'its provider is an enterprise connection or not one of this server',
      });
    } else if (subject === null) {
      losses.push({ what: 'social account', reason: 'the export has no id of the person at the provider' });
    } else accounts.set(`${provider} ${subject}`, { provider, subject, email });
  }
  return { accounts: [...accounts.values()], losses };
}
