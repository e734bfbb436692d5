import type { PublicKeys } from '../readers/public-keys.ts';

/** An agent's description of itself (RFC 7591, section 2), after its check. Only fields that this server uses are stored. */
export interface AgentMetadata {
  readonly client_name?: string;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris?: readonly string[];
  readonly application_type: 'web' | 'native';
  readonly token_endpoint_auth_method: 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly scope?: string;
  readonly logo_uri?: string;
  readonly client_uri?: string;
  readonly tos_uri?: string;
  readonly policy_uri?: string;
  readonly contacts?: readonly string[];
  readonly jwks?: PublicKeys;
  /** The URL of the keys, instead of `jwks`. */
  readonly jwks_uri?: string;
  readonly software_id?: string;
  readonly software_version?: string;
}
