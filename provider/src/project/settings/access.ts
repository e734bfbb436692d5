import type { ConnectedApp } from '#server-rules/connected-apps.ts';
import type { ClientSecretColumns } from '#provider/base/security/tables.ts';
import {
  CLIENT_DESCRIPTION,
  CLIENT_ID as ID,
  CLIENT_LOGOUT,
  CLIENT_NAME,
  CLIENT_REDIRECT,
  LOGO,
  SCOPE,
} from './app-fields.ts';
import { jwks, KEYS_URL, type PublicKeys } from '../readers/public-keys.ts';
import {
  addresses,
  distinct,
  FieldError,
  flag,
  listOf,
  Mistakes,
  object,
  oneOf,
  texts,
  type Reader,
} from '../readers/readers.ts';

/** A connected app of the project file, or one created by the backend API. */
export interface ConnectedAppSettings extends ConnectedApp {
  /** SHA-256 of a confidential client's secret, base64url; null if the `admin` command makes the secret. */
  readonly client_secret_hash: string | null;
  /** The keys of a confidential client that signs instead of sending a secret (RFC 7517); null for any other. */
  readonly jwks?: PublicKeys | null;
  /** The URL of these keys, instead of `jwks`; null for none. */
  readonly jwks_uri?: string | null;
  readonly pkce_required: boolean;
  /** Whether it must push its authorization requests (RFC 9126). */
  readonly require_pushed_authorization_requests?: boolean;
  /** Whether all its access tokens are bound to a key that it proves (RFC 9449). */
  readonly dpop_bound_access_tokens?: boolean;
  /** Whether it may sign users in on a device without a browser (RFC 8628). */
  readonly device_authorization_allowed?: boolean;
  /** The URL that is notified when a session has ended (OpenID Connect Back-Channel Logout 1.0). */
  readonly backchannel_logout_uri?: string | null;
  /** Whether the notice must contain the session's id. It always does. */
  readonly backchannel_logout_session_required?: boolean;
  /** Present only for an app created by the backend API. */
  readonly run_time?: RunTimeSettings;
  /** Present only for an agent, which no operator registered. */
  readonly agent?: AgentOrigin;
}

/** An agent in the form of consent pages and operators. */
export interface AgentOrigin {
  readonly origin: 'document' | 'registration';
  /** The host of its document; null for an agent that registered itself, whose maker is unknown. */
  readonly host: string | null;
  /** Whether an operator approved it. */
  readonly approved: boolean;
  /** When its redirect URIs or keys last changed: users are asked again. */
  readonly changed_at: Date;
  /** Whether its metadata contains the grant type `refresh_token`. */
  readonly refreshes: boolean;
}

/** The settings that only apps created at run time have. */
export interface RunTimeSettings {
  readonly secrets: Pick<ClientSecretColumns, 'secret_hash' | 'next_secret_hash'>;
  readonly access_token_minutes: number;
  /** A second audience of its access tokens. */
  readonly access_token_audience: string | null;
  /** Additional claims of its tokens (`claimsFrom`). */
  readonly access_token_template: string;
  readonly id_token_template: string;
}

type AppOfFile = Omit<ConnectedAppSettings, 'run_time' | 'agent' | 'asks_for_offline_access'>;

/** The host's pages with the identity-provider widget. */
export interface IdentityProviderPages {
  /** The authorization endpoint (RFC 6749, section 3.1). If null, there is no discovery document. */
  readonly authorization_url: string | null;
  /** The logout page; if null, the authorization page, whose widget handles both. */
  readonly logout_url: string | null;
}

export const NO_PAGES: IdentityProviderPages = { authorization_url: null, logout_url: null };

/** A hash of a secret. */
export const HASH: Reader<string> = (value, path) => {
  // The value may be the secret itself, so the message does not repeat it.
  if (typeof value !== 'string' || !/^[\w-]{43}$/u.test(value)) {
    throw new FieldError(path, 'a SHA-256 in base64url (43 characters)');
  }
  return value;
};

export const identityProviderPages = object<IdentityProviderPages>(
  { authorization_url: CLIENT_REDIRECT, logout_url: CLIENT_REDIRECT },
  NO_PAGES,
);

const apps = distinct<AppOfFile>(
  'client_id',
  (app) => app.client_id,
  listOf(
    object<AppOfFile>(
      {
        client_id: ID,
        client_type: oneOf('public', 'confidential'),
        client_secret_hash: HASH,
        jwks,
        jwks_uri: KEYS_URL,
        pkce_required: flag,
        require_pushed_authorization_requests: flag,
        dpop_bound_access_tokens: flag,
        device_authorization_allowed: flag,
        backchannel_logout_uri: CLIENT_LOGOUT,
        backchannel_logout_session_required: flag,
        name: CLIENT_NAME,
        description: CLIENT_DESCRIPTION,
        logo_url: LOGO,
        redirect_uris: addresses(CLIENT_REDIRECT),
        post_logout_redirect_uris: addresses(CLIENT_REDIRECT),
        scopes: texts(SCOPE),
        first_party: flag,
        verified: flag,
      },
      {
        client_secret_hash: null,
        jwks: null,
        jwks_uri: null,
        pkce_required: true,
        require_pushed_authorization_requests: false,
        dpop_bound_access_tokens: false,
        device_authorization_allowed: false,
        backchannel_logout_uri: null,
        backchannel_logout_session_required: false,
        redirect_uris: [],
        description: '',
        logo_url: null,
        post_logout_redirect_uris: [],
        scopes: null,
        first_party: false,
        verified: false,
      },
    ),
  ),
);

/** Keys replace a secret, and may be in only one place. */
function checkKeys(app: AppOfFile, path: string, mistakes: Mistakes): void {
  const field = (['jwks_uri', 'jwks'] as const).find((each) => (app[each] ?? null) !== null);
  if (field === undefined) return;
  const isOfOther = app.client_type === 'public' || app.client_secret_hash !== null;
  mistakes.refuseIf(isOfOther, `${path}.${field}`, 'of a confidential client without client_secret_hash');
  const isBoth = field === 'jwks_uri' && (app.jwks ?? null) !== null;
  mistakes.refuseIf(isBoth, `${path}.jwks_uri`, 'left out beside jwks');
}

/** Whether a client signs instead of sending a secret. */
export const hasKeys = ({ jwks: keys, jwks_uri }: Pick<ConnectedAppSettings, 'jwks' | 'jwks_uri'>): boolean =>
  (keys ?? jwks_uri ?? null) !== null;

export const connectedApps: Reader<readonly ConnectedAppSettings[]> = (value, path) => {
  const read = apps(value, path);
  const mistakes = new Mistakes();
  read.forEach((app, index) => {
    const at = `${path}[${index}]`;
    const isPublic = app.client_type === 'public';
    const hasSecret = isPublic && app.client_secret_hash !== null;
    mistakes.refuseIf(hasSecret, `${at}.client_secret_hash`, 'left out for a public client');
    checkKeys(app, at, mistakes);
    mistakes.refuseIf(isPublic && !app.pkce_required, `${at}.pkce_required`, 'true or left out for a public client');
    // A program that signs users in by a code needs no redirect URI.
    const needsAddress = app.redirect_uris.length === 0 && app.device_authorization_allowed !== true;
    mistakes.refuseIf(needsAddress, `${at}.redirect_uris`, 'of one URL or more');
  });
  mistakes.check();
  return read;
};
