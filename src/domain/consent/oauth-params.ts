/** The query parameters with which another app opens this project's authorization and logout pages (specification, section 5). */

export interface OAuthAuthorizeParams {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly response_type: string;
  readonly scopes: string[];
  readonly code_challenge?: string;
  readonly code_challenge_method?: string;
  readonly state?: string;
  readonly nonce?: string;
  readonly prompt?: string;
  readonly max_age?: string;
  /** The signed request of the provider's authorization endpoint; opaque. */
  readonly authorization_request?: string;
  /** The login that the app expects, such as an email address. */
  readonly login_hint?: string;
  /** Language tags by preference, separated by spaces (BCP 47). */
  readonly ui_locales?: string;
}

/** The parameters with which an app sends a user to log out (OpenID Connect RP-Initiated Logout, section 2). */
export interface OAuthLogoutParams {
  readonly client_id?: string;
  readonly post_logout_redirect_uri?: string;
  readonly id_token_hint?: string;
  readonly state?: string;
}

/** The parameters, or an error text that can be shown to a person. */
export type ParseResult<T> =
  | { readonly error: null; readonly result: T }
  | { readonly error: string; readonly result: null };

const DEFAULT_SCOPES = ['openid', 'email', 'profile'] as const;

const missing = (param: string): ParseResult<never> => ({
  error: `Required parameter is missing: ${param}. Please reach out to the application developer.`,
  result: null,
});

const repeated = (param: string): ParseResult<never> => ({
  error: `Parameter is repeated: ${param}. Please reach out to the application developer.`,
  result: null,
});

/** The first parameter that occurs more than once, which is ambiguous (RFC 6749, section 3.1; ASVS 15.3.7). */
function repeatedOf(query: URLSearchParams, names: readonly string[]): string | undefined {
  return names.find((name) => query.getAll(name).length > 1);
}

/** The parameters that are present. An empty value counts as absent (RFC 6749, section 3.1). */
function pick<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): { readonly [Key in Name]?: string } {
  const found = names.flatMap((name) => {
    const value = query.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found) as { readonly [Key in Name]?: string };
}

const AUTHORIZE = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'state',
  'nonce',
  'prompt',
  'max_age',
  'authorization_request',
  'login_hint',
  'ui_locales',
] as const;
const LOGOUT = ['client_id', 'post_logout_redirect_uri', 'id_token_hint', 'state'] as const;

/** RFC 6749, section 4.1.1, with the specification's defaults: response_type `code`, scopes openid, email, profile. */
export function parseOAuthAuthorizeParams(query: URLSearchParams): ParseResult<OAuthAuthorizeParams> {
  const twice = repeatedOf(query, AUTHORIZE);
  if (twice !== undefined) return repeated(twice);
  const { client_id, redirect_uri, response_type = 'code', scope, ...optional } = pick(query, AUTHORIZE);
  if (client_id === undefined) return missing('client_id');
  if (redirect_uri === undefined) return missing('redirect_uri');
  const scopeTokens = scope?.split(' ').filter((word) => word !== '') ?? [];
  const scopes = scopeTokens.length > 0 ? scopeTokens : [...DEFAULT_SCOPES];
  return { error: null, result: { client_id, redirect_uri, response_type, scopes, ...optional } };
}

/** OpenID Connect RP-Initiated Logout 1.0, section 2. A return URL needs its app, named by `client_id` or `id_token_hint`. */
export function parseOAuthLogoutParams(query: URLSearchParams): ParseResult<OAuthLogoutParams> {
  const twice = repeatedOf(query, LOGOUT);
  if (twice !== undefined) return repeated(twice);
  const result = pick(query, LOGOUT);
  const { client_id, id_token_hint, post_logout_redirect_uri } = result;
  const isOfApp = client_id !== undefined || id_token_hint !== undefined;
  return post_logout_redirect_uri === undefined || isOfApp ? { error: null, result } : missing('client_id');
}
