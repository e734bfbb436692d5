import type { ClientOptions } from 'portico';
import { WindowBrowser } from 'portico/adapters';
import { clientOptions, type DemoConfig } from '../parts/config.ts';

interface ClientEnvironment {
  readonly server: DemoConfig;
  /** Receives the client's messages for developers. */
  readonly log: (message: string) => void;
}

/**
 * Options of a client that an example may have. A URL contains their names but not their values, because anyone can write a URL: an
 * attacker's choice of server or cookie would expose the visitor's session.
 */
export const CLIENTS = {
  plain: () => ({}),
  names: () => ({
    cookieOptions: {
      opaqueTokenCookieName: 'app_session',
      jwtCookieName: 'app_session_jwt',
      istCookieName: 'app_intermediate',
    },
  }),
  path: () => ({ cookieOptions: { path: '/embed' } }),
  subdomains: () => ({ cookieOptions: { domain: location.hostname, availableToSubdomains: true } }),
  endpoints: ({ server: { provider } }) => ({
    endpointOptions: { apiDomain: provider, testApiDomain: provider, dfppaDomain: provider, dfpCdnDomain: provider },
  }),
  quiet: () => ({ telemetry: false }),
  log: ({ log }) => ({ adapters: { log: { warn: log, error: log } } }),
} as const satisfies Readonly<Record<string, (at: ClientEnvironment) => ClientOptions>>;

export type ClientName = keyof typeof CLIENTS;

export const isClientName = (name: string): name is ClientName => Object.hasOwn(CLIENTS, name);

/** Providers of social logins do not show inside a frame, so this page opens them in a window. */
class FramedBrowser extends WindowBrowser {
  override navigate(url: string): void {
    if (this.isFramed && /^https?:/u.test(url)) window.open(url, '_blank', 'noopener');
    else super.navigate(url);
  }
}

/** The options of the named client, with this page's provider. */
export function optionsOf(name: ClientName, at: ClientEnvironment): ClientOptions {
  const own: ClientOptions = CLIENTS[name](at);
  return { ...clientOptions(at.server), ...own, adapters: { browser: new FramedBrowser(window), ...own.adapters } };
}
