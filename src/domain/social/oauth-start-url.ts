import type { OAuthStartOptions } from './oauth-providers.ts';

interface Challenge {
  readonly code_challenge?: string | undefined;
}

/** The URL at which a social login starts (specification, section 7). */
export function oauthStartAddress(origin: string, provider: string): string {
  return `${origin}/v1/public/oauth/${provider}/start`;
}

/** The fields of the start under the wire's names and in its order. Fields that are not given are left out. */
export function oauthStartFields(
  publicToken: string,
  { custom_scopes = [], provider_params = {}, ...options }: OAuthStartOptions & Challenge,
): Readonly<Record<string, string>> {
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['public_token', publicToken],
    ['code_challenge', options.code_challenge],
    ['custom_scopes', custom_scopes.length > 0 ? custom_scopes.join(' ') : undefined],
    ...Object.entries(provider_params).map(([name, value]) => [`provider_${name}`, value] as const),
    ['login_redirect_url', options.login_redirect_url],
    ['signup_redirect_url', options.signup_redirect_url],
    ['oauth_attach_token', options.oauth_attach_token],
  ];
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== null)) as Record<
    string,
    string
  >;
}

/** The URL that starts a login with a social provider: the fields are its query. */
export function oauthStartUrl(
  origin: string,
  publicToken: string,
  provider: string,
  options: Omit<OAuthStartOptions, 'oauth_attach_token'> & Challenge,
): string {
  const query = Object.entries(oauthStartFields(publicToken, options)).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return `${oauthStartAddress(origin, provider)}?${query.join('&')}`;
}
