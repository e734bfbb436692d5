/** The social providers (specification, section 9): the wire's name of each, and the name on its button. */
export const OAUTH_PROVIDERS = {
  google: 'Google',
  microsoft: 'Microsoft',
  apple: 'Apple',
  github: 'GitHub',
  gitlab: 'GitLab',
  facebook: 'Facebook',
  discord: 'Discord',
  salesforce: 'Salesforce',
  slack: 'Slack',
  amazon: 'Amazon',
  bitbucket: 'Bitbucket',
  linkedin: 'LinkedIn',
  coinbase: 'Coinbase',
  twitch: 'Twitch',
  twitter: 'Twitter',
  tiktok: 'TikTok',
  snapchat: 'Snapchat',
  figma: 'Figma',
  yahoo: 'Yahoo',
} as const;

/** The name of a social login, such as `google`. */
export type OAuthProvider = keyof typeof OAUTH_PROVIDERS;

const members = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(OAUTH_PROVIDERS).map(([type, name]) => [name, type]),
);

/**
 * The providers as members, for hosts that prefer them to strings: `OAuthProviders.Google`. `Github` is an alias of `GitHub`
 * that is not enumerable.
 */
export const OAuthProviders = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.defineProperty(members, 'Github', { value: 'github' satisfies OAuthProvider }),
) as { readonly [Type in OAuthProvider as (typeof OAUTH_PROVIDERS)[Type]]: Type } & { readonly Github: 'github' };
export type OAuthProviders = OAuthProvider;

/** The options of starting a social login. */
export interface OAuthStartOptions {
  readonly login_redirect_url?: string | undefined;
  readonly signup_redirect_url?: string | undefined;
  readonly custom_scopes?: readonly string[] | undefined;
  /** Query parameters that are passed on to the provider's authorization endpoint. */
  readonly provider_params?: Readonly<Record<string, string>> | undefined;
  /** The token of `oauth.attach`, which attaches the account to the signed-in user. It is only sent in a form. */
  readonly oauth_attach_token?: string | undefined;
  /**
   * How the browser leaves the page: by a URL with all fields in its query (`GET`, the default unless attaching), or by a form with them in
   * its body (`POST`), so that they appear in no access log. Not in the reference client.
   */
  readonly method?: 'GET' | 'POST' | undefined;
}

/** A social login that returned without a token: the person denied it, or the provider could not complete it. */
export interface DeclinedLogin {
  readonly provider: OAuthProvider;
  readonly reason: 'denied' | 'failed';
}
