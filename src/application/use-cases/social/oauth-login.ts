import { checkArguments } from '#domain/shape.ts';
import { DURATION, type Duration } from '../../api/authenticated.ts';
import { oauth, type ReplyFor } from '../../api/index.ts';
import { SDKUsageError } from '#domain/errors.ts';
import type { OAuthStartOptions } from '#domain/social/oauth-providers.ts';
import { oauthStartAddress, oauthStartFields, oauthStartUrl } from '#domain/social/oauth-start-url.ts';
import type { LogPort } from '../../ports/index.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { WireClient } from '../../wire/wire-client.ts';
import type { SocialFlow } from './social-flow.ts';

const START = {
  login_redirect_url: 'string?',
  signup_redirect_url: 'string?',
  custom_scopes: 'string[]?',
  provider_params: 'object?',
  method: 'string?',
  oauth_attach_token: 'string?',
} as const;
const PROVIDER = /^[a-z][a-z\d-]{0,31}$/u;
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST']);

const NO_VERIFIER =
  'No code verifier is stored for this OAuth login, so a project with PKCE rejects it: it began in another browser.';

/** Login with a social provider (specification, sections 4 and 7). */
export class OAuthLogin {
  constructor(
    private readonly wire: WireClient,
    private readonly sessions: SessionStore,
    private readonly flow: SocialFlow,
    private readonly log: LogPort,
  ) {}

  /** Leaves the page for the provider, which returns to one of the redirect URLs with a token in the query. */
  async start(provider: string, input?: OAuthStartOptions): Promise<void> {
    // Not a default parameter, because JavaScript callers may pass null.
    const options = input ?? {};
    checkArguments('oauth.start', { provider: 'string' }, { provider });
    // The value becomes a part of the URL.
    if (!PROVIDER.test(provider)) throw new SDKUsageError('oauth.start', 'provider must be the name of a provider');
    const name = `oauth.${provider}.start`;
    checkArguments(name, START, options);
    if (!METHODS.has(options.method ?? 'GET')) throw new SDKUsageError(name, 'method must be GET or POST');
    if (options.method === 'GET' && isAttaching(options)) {
      throw new SDKUsageError(name, 'oauth_attach_token requires the method POST');
    }
    return this.leave(provider, options, () => true);
  }

  /** Like `start`, for a widget: does not leave when `isWanted` returns false after the URL is ready. */
  async leave(provider: string, options: OAuthStartOptions, isWanted: () => boolean): Promise<void> {
    const code_challenge = await this.flow.challenge(isAttaching(options));
    if (!isWanted()) return;
    const { flow, wire } = this;
    const all = { ...options, code_challenge };
    if (options.method !== 'POST' && !isAttaching(options))
      return flow.leave(oauthStartUrl(wire.origin, flow.publicToken, provider, all), wire.origin);
    flow.post(oauthStartAddress(wire.origin, provider), oauthStartFields(flow.publicToken, all));
  }

  /**
   * A token with which `start` attaches an account of the provider to the user of this session. The token can be used once, within
   * five minutes.
   */
  async attach(provider: string): Promise<ReplyFor<typeof oauth.attach>> {
    checkArguments('oauth.attach', { provider: 'string' }, { provider });
    return this.wire.call(oauth.attach, { provider });
  }

  /** Exchanges the token in the query for a session. */
  async authenticate(token: string, options: Duration): Promise<ReplyFor<typeof oauth.authenticate>> {
    checkArguments('oauth.authenticate', { token: 'string' }, { token });
    checkArguments('oauth.authenticate', DURATION, options);
    const { session_duration_minutes } = options;
    // The call proceeds, because only the server can decide whether the login began with a challenge.
    if (!this.flow.hasVerifier()) this.log.warn(NO_VERIFIER);
    return this.flow.end(token, async (code_verifier) => {
      const body = { token, code_verifier, session_duration_minutes };
      return this.sessions.update(await this.wire.call(oauth.authenticate, body));
    });
  }
}

/** Whether the account is attached to the signed-in user; JavaScript callers may pass null. */
function isAttaching({ oauth_attach_token }: OAuthStartOptions): boolean {
  return (oauth_attach_token ?? null) !== null;
}
