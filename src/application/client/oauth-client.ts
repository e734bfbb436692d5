import { OAUTH_PROVIDERS, type OAuthProvider, type OAuthStartOptions } from '../../domain/oauth-providers.ts';
import type { OAuthLogin } from '../use-cases/oauth-login.ts';
import type { OneTapLogin, OneTapStartOptions } from '../use-cases/one-tap-login.ts';
import { checkArguments, DURATION, type Duration } from './arguments.ts';

/** One social provider. */
export interface OAuthProviderClient {
  /** Leaves the page to log in there. */
  start(options?: OAuthStartOptions): Promise<void>;
}

const START = {
  login_redirect_url: 'string?',
  signup_redirect_url: 'string?',
  custom_scopes: 'string[]?',
  provider_params: 'object?',
} as const;

/** `client.oauth`: each provider by its name, One Tap, and what follows on the way back. */
export class OAuthClient {
  readonly googleOneTap = {
    /** Shows Google's prompt. Answers whether it is there, and why not. */
    start: async (options: OneTapStartOptions = {}) => {
      const shape = {
        login_redirect_url: 'string?',
        signup_redirect_url: 'string?',
        cancel_on_tap_outside: 'boolean?',
      } as const;
      checkArguments('oauth.googleOneTap.start', shape, options);
      return this.oneTap.start(options);
    },
  };

  constructor(
    private readonly oauth: OAuthLogin,
    private readonly oneTap: OneTapLogin,
  ) {}

  /** Exchanges the `token` of the redirect's query for a session. */
  async authenticate(token: string, options: Duration) {
    checkArguments('oauth.authenticate', { token: 'string', ...DURATION }, { ...options, token });
    return this.oauth.authenticate(token, options.session_duration_minutes);
  }

  /** Adds `start` for each of the 19 providers. */
  static create(
    oauth: OAuthLogin,
    oneTap: OneTapLogin,
  ): OAuthClient & Readonly<Record<OAuthProvider, OAuthProviderClient>> {
    const providers = Object.keys(OAUTH_PROVIDERS).map((name) => {
      const provider = name as OAuthProvider;
      const start = async (options: OAuthStartOptions = {}): Promise<void> => {
        checkArguments(`oauth.${provider}.start`, START, options);
        return oauth.start(provider, options);
      };
      return [provider, { start }] as const;
    });
    return Object.assign(
      new OAuthClient(oauth, oneTap),
      Object.fromEntries(providers) as Record<OAuthProvider, OAuthProviderClient>,
    );
  }
}
