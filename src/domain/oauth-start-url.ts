import type { OAuthProvider, OAuthStartOptions } from './oauth-providers.ts';

/** The address that starts a login with a social provider (specification, section 7). */
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
