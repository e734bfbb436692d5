/** The social providers (specification, section 9): the wire's names, and how their buttons call them. */
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

export type OAuthProvider = keyof typeof OAUTH_PROVIDERS;

/** For hosts that prefer members: `OAuthProviders.Google`. */
export const OAuthProviders = Object.freeze(
  Object.fromEntries(Object.entries(OAUTH_PROVIDERS).map(([type, name]) => [name, type])),
) as { readonly [Type in OAuthProvider as (typeof OAUTH_PROVIDERS)[Type]]: Type };
export type OAuthProviders = OAuthProvider;

/** What a login by a social provider may be started with. */
export interface OAuthStartOptions {
  readonly login_redirect_url?: string | undefined;
  readonly signup_redirect_url?: string | undefined;
  readonly custom_scopes?: readonly string[] | undefined;
  /** Handed to the provider's own authorization endpoint. */
  readonly provider_params?: Readonly<Record<string, string>> | undefined;
}

/** Where the browser goes to log in by a social provider (specification, section 7). */
export function oauthStartUrl(
  origin: string,
  publicToken: string,
  provider: OAuthProvider,
  options: OAuthStartOptions & { readonly code_challenge?: string | undefined },
): string {
  const { custom_scopes = [], provider_params = {} } = options;
  const query: readonly (readonly [string, string | undefined])[] = [
    ['public_token', publicToken],
    ['code_challenge', options.code_challenge],
    ['custom_scopes', custom_scopes.length > 0 ? custom_scopes.join(' ') : undefined],
    ...Object.entries(provider_params).map(([name, value]) => [`provider_${name}`, value] as const),
    ['login_redirect_url', options.login_redirect_url],
    ['signup_redirect_url', options.signup_redirect_url],
  ];
  const encoded = query.flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  );
  return `${origin}/v1/public/oauth/${provider}/start?${encoded.join('&')}`;
}
