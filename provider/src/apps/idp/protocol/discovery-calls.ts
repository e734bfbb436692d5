import { furtherCall } from '#provider/base/further-call.ts';

/** The metadata of this authorization server (OpenID Connect Discovery, section 3; RFC 8414, section 2). */
export interface AuthorizationServerMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly pushed_authorization_request_endpoint: string;
  readonly require_pushed_authorization_requests: boolean;
  readonly device_authorization_endpoint: string;
  /** Absent if agents cannot register themselves. */
  readonly registration_endpoint?: string;
  /** Absent if agents cannot have metadata documents. */
  readonly client_id_metadata_document_supported?: boolean;
  readonly token_endpoint: string;
  readonly userinfo_endpoint: string;
  readonly jwks_uri: string;
  readonly revocation_endpoint: string;
  readonly introspection_endpoint: string;
  readonly end_session_endpoint: string;
  readonly backchannel_logout_supported: boolean;
  readonly backchannel_logout_session_supported: boolean;
  readonly scopes_supported: readonly string[];
  readonly claims_supported: readonly string[];
  /** Absent in a project that requires one factor. */
  readonly acr_values_supported?: readonly string[];
  readonly response_types_supported: readonly string[];
  readonly response_modes_supported: readonly string[];
  readonly grant_types_supported: readonly string[];
  readonly prompt_values_supported: readonly string[];
  readonly code_challenge_methods_supported: readonly string[];
  readonly subject_types_supported: readonly string[];
  readonly id_token_signing_alg_values_supported: readonly string[];
  readonly token_endpoint_auth_methods_supported: readonly string[];
  readonly token_endpoint_auth_signing_alg_values_supported: readonly string[];
  readonly revocation_endpoint_auth_methods_supported: readonly string[];
  readonly introspection_signing_alg_values_supported: readonly string[];
  readonly introspection_endpoint_auth_methods_supported: readonly string[];
  readonly revocation_endpoint_auth_signing_alg_values_supported: readonly string[];
  readonly introspection_endpoint_auth_signing_alg_values_supported: readonly string[];
  readonly authorization_response_iss_parameter_supported: boolean;
  readonly dpop_signing_alg_values_supported: readonly string[];
  readonly claims_parameter_supported: boolean;
  readonly request_parameter_supported: boolean;
  readonly request_uri_parameter_supported: boolean;
}

/** The discovery documents, at the URLs that apps derive from the issuer. */
export const discoveryCalls = {
  /** The metadata of this authorization server (OpenID Connect Discovery, section 3), if the project has an authorization page. */
  openIdConfiguration: furtherCall<AuthorizationServerMetadata>()('GET', '/.well-known/openid-configuration'),
  /** The same, at the path of RFC 8414. */
  authorizationServer: furtherCall<AuthorizationServerMetadata>()('GET', '/.well-known/oauth-authorization-server'),
} as const;
