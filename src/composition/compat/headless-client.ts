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
import type { ConsumerState, CompatClient, CompatConstructor } from './replies.ts';

/** The common base of the clients of `portico/compat`. */
export type AnyClient = CompatClient & {
  onStateChange(callback: (state: ConsumerState) => void): () => void;
};

/** Calls back with user and session, once for each change of one of them or of both. */
export function watchState({ user, session }: CompatClient, callback: (state: ConsumerState) => void): () => void {
  const state = () => [user.getSync(), session.getSync(), user.getInfo().fromCache] as const;
  let lastState = state();
  const tell = (): void => {
    const now = state();
    // A login changes both, and each of the two subscriptions receives one part.
    if (now.every((part, index) => part === lastState[index])) return;
    lastState = now;
    const [who, what] = now;
    callback({ ...(who === null ? {} : { user: who }), ...(what === null ? {} : { session: what }) });
  };
  const ends = [user.onChange(tell), session.onChange(tell)];
  return () => ends.forEach((end) => end());
}

const Base = PorticoClient as unknown as CompatConstructor<CompatClient>;

/** The client without widgets. */
export class StytchHeadlessClient<
  _Configuration extends StytchProjectConfigurationInput = StytchProjectConfiguration,
> extends Base {
  constructor(publicToken: string, options?: StytchClientOptions) {
    super(publicToken, clientOptions(publicToken, options));
  }

  onStateChange(callback: (state: ConsumerState) => void): () => void {
    return watchState(this, callback);
  }

  /** The login parameters of the page's address, or of another one. */
  readonly parseAuthenticateUrl = (href?: string): ParsedUrl => parseUrl(href);

  /** Logs in with the token in the page's address, or in another one. */
  readonly authenticateByUrl = (options: ByUrlOptions, href?: string): Promise<AuthenticatedByUrl> =>
    authenticateUrl(this, options, href);
}

/** Makes a client without a user interface. */
export function createStytchHeadlessClient<
  Configuration extends StytchProjectConfigurationInput = StytchProjectConfiguration,
>(publicToken: string, options?: StytchClientOptions): StytchHeadlessClient<Configuration> {
  return new StytchHeadlessClient(publicToken, options);
}
