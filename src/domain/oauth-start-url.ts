import type { OAuthProvider, OAuthStartOptions } from './oauth-providers.ts';

interface Challenge {
  readonly code_challenge?: string | undefined;
}

/** Where a login by a social provider starts (specification, section 7). */
export function oauthStartAddress(origin: string, provider: OAuthProvider): string {
  return `${origin}/v1/public/oauth/${provider}/start`;
}

/** What is sent there, by the names of the wire and in its order. What is not given is left out. */
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
  ];
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== null)) as Record<
    string,
    string
  >;
}

/** Both in one address. */
export function oauthStartUrl(
  origin: string,
  publicToken: string,
  provider: OAuthProvider,
  options: OAuthStartOptions & Challenge,
): string {
  const query = Object.entries(oauthStartFields(publicToken, options)).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return `${oauthStartAddress(origin, provider)}?${query.join('&')}`;
}
