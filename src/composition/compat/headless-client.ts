import { PorticoClient } from '../client.ts';
import {
  authenticateUrl,
  parseUrl,
  type AuthenticatedByUrl,
  type ByUrlOptions,
  type ParsedUrl,
} from './authenticate-url.ts';
import {
  clientOptions,
  type StytchClientOptions,
  type StytchProjectConfiguration,
  type StytchProjectConfigurationInput,
} from './client-options.ts';

/** The client without widgets. */
export class StytchHeadlessClient<
  _Configuration extends StytchProjectConfigurationInput = StytchProjectConfiguration,
> extends PorticoClient {
  constructor(publicToken: string, options?: StytchClientOptions) {
    super(publicToken, clientOptions(options));
  }

  /** What the page's address, or another one, says of a login. */
  readonly parseAuthenticateUrl = (href?: string): ParsedUrl => parseUrl(href);

  /** Logs in by the token in the page's address, or in another one. */
  readonly authenticateByUrl = (options: ByUrlOptions, href?: string): Promise<AuthenticatedByUrl> =>
    authenticateUrl(this, options, href);
}

export function createStytchHeadlessClient<
  Configuration extends StytchProjectConfigurationInput = StytchProjectConfiguration,
>(publicToken: string, options?: StytchClientOptions): StytchHeadlessClient<Configuration> {
  return new StytchHeadlessClient(publicToken, options);
}
