import type { OAuthProvider, OAuthStartOptions } from '../../domain/oauth-providers.ts';
import type { OAuthLogin } from '../use-cases/oauth-login.ts';
import type { OneTapLogin, OneTapStartOptions } from '../use-cases/one-tap-login.ts';
import { checkArguments, DURATION, type Duration } from '../arguments.ts';

const REDIRECTS = { login_redirect_url: 'string?', signup_redirect_url: 'string?' } as const;

/** What stands behind `client.oauth`. */
export class OAuthClient {
  constructor(
    private readonly oauth: OAuthLogin,
    private readonly oneTap: OneTapLogin,
  ) {}

  /** Leaves the page to log in at the provider's. */
  async start(provider: OAuthProvider, options: OAuthStartOptions = {}) {
    const shape = { ...REDIRECTS, custom_scopes: 'string[]?', provider_params: 'object?' } as const;
    checkArguments(`oauth.${provider}.start`, shape, options);
    return this.oauth.start(provider, options);
  }

  /** Shows Google's prompt. Answers whether it is there, and why not. */
  async startOneTap(options: OneTapStartOptions = {}) {
    checkArguments('oauth.googleOneTap.start', { ...REDIRECTS, cancel_on_tap_outside: 'boolean?' }, options);
    return this.oneTap.start(options);
  }

  /** Exchanges the `token` of the redirect's query for a session. */
  async authenticate(token: string, options: Duration) {
    checkArguments('oauth.authenticate', { token: 'string' }, { token });
    checkArguments('oauth.authenticate', DURATION, options);
    return this.oauth.authenticate(token, options.session_duration_minutes);
  }
}
