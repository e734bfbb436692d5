import { OAUTH_PROVIDERS } from '#domain/social/oauth-providers.ts';
import { outsideFetch, type OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import type { Services } from '../../services.ts';
import type { AccountTokens } from '../built-in/account-tokens.ts';
import { DevProvider, type Handle } from './dev-provider.ts';
import { OAUTH2 } from './oauth2-table.ts';
import { OAuth2Provider } from './oauth2-provider.ts';
import { devOneTap, googleOneTap, type OneTap } from './one-tap.ts';
import { OpenIdProvider } from './openid-provider.ts';
import { openIdSettings } from './openid-table.ts';
import { providerFetch } from './provider-fetch.ts';
import { isOAuthProvider, isOffered } from './providers.ts';
import type { SocialProvider } from './social-provider.ts';

/** The maximum size of a provider's reply, which is one page of JSON. */
const TIMEOUT_MS = 8_000;

/** The social logins of this server. */
export interface SocialProviders {
  /** Undefined for a provider that the project does not offer. */
  readonly find: (name: string) => SocialProvider | undefined;
  /** Null if One Tap is not set up. */
  readonly oneTap: OneTap | null;
}

interface SocialProviderOptions {
  /** The built-in accounts of a developer's server, or null. */
  readonly accounts: AccountTokens | null;
  /** This server, for the built-in accounts. */
  readonly handle: Handle;
  /** Calls the providers; by default over the network. */
  readonly fetch?: OutsideFetch | undefined;
}

/**
 * The providers for which the project has clients. On a developer's server the built-in accounts replace the others. A provider's documents
 * are not read before the first login there.
 */
export function socialProviders(
  services: Pick<Services, 'clock' | 'dev' | 'project'>,
  { accounts, handle, fetch }: SocialProviderOptions,
): SocialProviders {
  const { project, clock } = services;
  const clients = project.oauth_clients;
  const outside = fetch ?? outsideFetch({ timeoutMs: TIMEOUT_MS, allowPrivate: project.allow_loopback });
  const calling = providerFetch(outside, clock);
  const providers = new Map<string, SocialProvider>();
  let oneTap: OneTap | null = null;
  for (const name of new Set([...Object.keys(OAUTH_PROVIDERS), ...Object.keys(clients)])) {
    if (!isOffered(services, name)) continue;
    const client = clients[name];
    const settings = openIdSettings(clients, name, clock);
    if (settings !== null) {
      const provider = new OpenIdProvider(settings, calling, clock);
      providers.set(name, provider);
      if (name === 'google') oneTap = googleOneTap(provider, settings.client_id);
    } else if (isOAuthProvider(name)) {
      const definition = OAUTH2[name];
      if (client !== undefined && 'client_secret' in client && definition !== undefined) {
        const { client_id, client_secret } = client;
        const own = { client_id, client_secret, label: OAUTH_PROVIDERS[name] };
        providers.set(name, new OAuth2Provider(definition, own, calling, clock));
      } else if (accounts !== null) {
        providers.set(name, new DevProvider(name, { tokens: accounts, handle, clock }));
        if (name === 'google') oneTap = devOneTap(accounts);
      }
    }
  }
  return { find: (name) => providers.get(name), oneTap: project.google_one_tap ? oneTap : null };
}
