import { API_PREFIX } from '#application/api/index.ts';
import type { KeySet } from '#provider/apps/idp/protocol/oauth-calls.ts';
import { furtherCall } from '#provider/base/further-call.ts';

/** What a browser does for a session that is bound to it (W3C Device Bound Session Credentials, section 9.6). */
export interface BoundInstructions {
  readonly session_identifier: string;
  /** False if the browser deletes its key. The reply then has no further fields. */
  readonly continue?: false;
  readonly refresh_url?: string;
  readonly scope?: { readonly origin?: string; readonly include_site: boolean };
  readonly credentials?: readonly { readonly type: 'cookie'; readonly name: string; readonly attributes: string }[];
  readonly allowed_refresh_initiators?: readonly string[];
}

/** The well-known files of this server, and the calls that browsers make on their own. */
export const furtherCalls = {
  /** The public keys of session JWTs (RFC 7517). */
  sessionKeys: furtherCall<KeySet>()('GET', '/.well-known/jwks.json'),
  /** The origins whose pages use the passkeys of `passkey_domain` (WebAuthn Level 3, section 5.11), if the project has this domain. */
  relatedOrigins: furtherCall<{ readonly origins: readonly string[] }>()('GET', '/.well-known/webauthn'),
  /** The hosts that may bind sessions for all hosts of the domain, if the project binds sessions to the site. */
  bindingOrigins: furtherCall<{ readonly registering_origins: readonly string[] }>()(
    'GET',
    '/.well-known/device-bound-sessions',
  ),
  /**
   * A browser binds the session of its cookie to a key. It calls this itself, after a reply with `Secure-Session-Registration`. The proof
   * is in the header `Secure-Session-Response`.
   */
  registerBinding: furtherCall<BoundInstructions>()('POST', `${API_PREFIX}/sessions/device_bound/register`),
  /**
   * A browser proves that it has the key of the session that `Sec-Secure-Session-Id` names. Without a proof the reply is a 403 with a
   * challenge in `Secure-Session-Challenge`.
   */
  refreshBinding: furtherCall<BoundInstructions>()('POST', `${API_PREFIX}/sessions/device_bound/refresh`),
} as const;
