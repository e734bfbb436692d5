/** `parseAuthenticateUrl` and `authenticateByUrl` of 6.x: a login that returns to the page's address. */
import { SDKUsageError } from '#domain/errors.ts';
import type { CompatClient } from './replies.ts';

const HANDLED = ['magic_links', 'oauth', 'impersonation'] as const;
export type HandledTokenType = (typeof HANDLED)[number];

/** The login parameters of an address, or null. */
export type ParsedUrl =
  | { readonly handled: true; readonly token: string; readonly tokenType: HandledTokenType }
  | { readonly handled: false; readonly token: string; readonly tokenType: string }
  | null;

export interface ByUrlOptions {
  readonly session_duration_minutes: number;
  /** Whether to remove the token from the page's address. Default: true, unless another address is given. */
  readonly clearParams?: boolean;
}

export type AuthenticatedByUrl =
  | { readonly handled: true; readonly tokenType: HandledTokenType; readonly data: unknown }
  | { readonly handled: false; readonly tokenType: string; readonly token: string }
  | null;

const isHandled = (type: string): type is HandledTokenType => (HANDLED as readonly string[]).includes(type);

export function parseUrl(href: string = window.location.href): ParsedUrl {
  const query = new URL(href, window.location.href).searchParams;
  const token = query.get('token');
  const tokenType = query.get('stytch_token_type');
  if (token === null || token === '' || tokenType === null) return null;
  return isHandled(tokenType) ? { handled: true, token, tokenType } : { handled: false, token, tokenType };
}

function spend(client: CompatClient, tokenType: HandledTokenType, token: string, minutes: number): Promise<unknown> {
  const duration = { session_duration_minutes: minutes };
  if (tokenType === 'magic_links') return client.magicLinks.authenticate(token, duration);
  if (tokenType === 'oauth') return client.oauth.authenticate(token, duration);
  return client.impersonation.authenticate({ impersonation_token: token });
}

/** Logs in by the token of an address. The token is removed from the address when it has been used. */
export async function authenticateUrl(
  client: CompatClient,
  options: ByUrlOptions,
  href?: string,
): Promise<AuthenticatedByUrl> {
  if (typeof options?.session_duration_minutes !== 'number') {
    throw new SDKUsageError('authenticateByUrl', 'session_duration_minutes must be a number.');
  }
  const parsed = parseUrl(href);
  if (parsed === null || !parsed.handled) return parsed;
  const { tokenType, token } = parsed;
  const data = await spend(client, tokenType, token, options.session_duration_minutes);
  if (options.clearParams ?? href === undefined) {
    const here = new URL(window.location.href);
    if (here.searchParams.get('token') === token) {
      here.searchParams.delete('token');
      here.searchParams.delete('stytch_token_type');
      window.history.replaceState(window.history.state, '', here.href);
    }
  }
  return { handled: true, tokenType, data };
}
