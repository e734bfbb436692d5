import { CONTEXTS } from '#domain/rules/authentication-methods.ts';
import { PROMPTS } from '#server-rules/authorization.ts';
import { scopesInUse } from '#server-rules/connected-apps.ts';
import type { Services } from '#provider/accounts/services.ts';
import { mfaRulesOf } from '#provider/accounts/sessions/factors/policy.ts';
import { appsInUse } from '#provider/project/registry/connected-apps.ts';
import { CLAIMS } from '../protocol/claims.ts';
import type { AuthorizationServerMetadata } from '../protocol/discovery-calls.ts';
import { ASSERTION_ALGORITHMS } from '../clients/client-assertions.ts';
import { DEVICE_CODE_GRANT } from '../grants/device-codes.ts';
import { PATHS, PREFIX } from '../protocol/paths.ts';
import { RESPONSE_MODES } from '../protocol/response-mode-names.ts';
import { PROOF_ALGORITHMS } from '#provider/accounts/sessions/proofs/proofs.ts';
import { ALGORITHM } from '#provider/base/security/signing-key-rows.ts';

/** The authentication methods of clients that can keep a secret or a key. */
const WITH_PROOF = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];

/**
 * The metadata of this authorization server (OpenID Connect Discovery, section 3; RFC 8414, section 2), or null if the
 * project has no authorization page.
 */
export async function discoveryDocument(
  services: Pick<Services, 'db' | 'project'>,
  issuer: string,
): Promise<AuthorizationServerMetadata | null> {
  if (services.project.idp.authorization_url === null) return null;
  const { agents } = services.project;
  const scopes = scopesInUse({ ...services.project, clients: await appsInUse(services) });
  const rules = mfaRulesOf(services);
  const assurance = rules === undefined ? [] : ['acr', 'amr'];
  const at = (path: string): string => `${issuer}${PREFIX}${path}`;
  return {
    issuer,
    authorization_endpoint: at(PATHS.authorize),
    pushed_authorization_request_endpoint: at(PATHS.par),
    require_pushed_authorization_requests: false,
    device_authorization_endpoint: at(PATHS.deviceAuthorization),
    ...(agents.registration === 'off' ? {} : { registration_endpoint: at(PATHS.register) }),
    ...(agents.metadata_documents ? { client_id_metadata_document_supported: true } : {}),
    token_endpoint: at(PATHS.token),
    userinfo_endpoint: at(PATHS.userinfo),
    jwks_uri: at(PATHS.jwks),
    revocation_endpoint: at(PATHS.revoke),
    introspection_endpoint: at(PATHS.introspect),
    end_session_endpoint: at(PATHS.logout),
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    scopes_supported: scopes,
    claims_supported: [
      'iss',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'sid',
      'azp',
      'at_hash',
      ...assurance,
      ...CLAIMS,
    ],
    ...(rules === undefined ? {} : { acr_values_supported: Object.values(CONTEXTS) }),
    response_types_supported: ['code'],
    response_modes_supported: RESPONSE_MODES,
    // Refresh tokens are listed only if some client can have one.
    grant_types_supported: [
      'authorization_code',
      ...(scopes.includes('offline_access') ? ['refresh_token'] : []),
      DEVICE_CODE_GRANT,
    ],
    prompt_values_supported: PROMPTS,
    code_challenge_methods_supported: ['S256'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [ALGORITHM],
    token_endpoint_auth_methods_supported: ['none', ...WITH_PROOF],
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: ['none', ...WITH_PROOF],
    introspection_signing_alg_values_supported: [ALGORITHM],
    introspection_endpoint_auth_methods_supported: WITH_PROOF,
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    authorization_response_iss_parameter_supported: true,
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}
