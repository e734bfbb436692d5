import { scopesFor } from '#server-rules/connected-apps.ts';
import { Refusal, type RefusalType } from '#domain/rules/refusal.ts';
import type { Services } from '#provider/accounts/services.ts';
import { hasKeys, type ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { ASSERTION_ALGORITHMS } from '../clients/client-assertions.ts';
import { DEVICE_CODE_GRANT } from '../grants/device-codes.ts';
import type { RuleName } from '../protocol/failure-rules.ts';
import { OAuthError, type OAuthErrorCode } from '../protocol/oauth-error.ts';
import { withoutSecrets } from './shown-parameters.ts';

/** The usual rule of each refusal of the browser's endpoints. Other refusals are not an app's fault. */
const OF_REFUSALS: Readonly<Partial<Record<RefusalType, RuleName>>> = {
  connected_app_not_found: 'client',
  invalid_redirect_uri: 'redirect',
  invalid_post_logout_redirect_uri: 'redirect',
  invalid_client_document: 'metadata_document',
  agent_awaits_approval: 'approval',
  agent_refused: 'approval',
  invalid_scope: 'scope',
  unsupported_response_type: 'request',
  invalid_prompt: 'request',
  invalid_max_age: 'request',
  duplicate_parameter: 'request',
  bad_request: 'request',
  unsupported_code_challenge_method: 'proof_key',
  pkce_code_challenge_required: 'proof_key',
  invalid_code_challenge: 'proof_key',
  invalid_request_uri: 'pushed_request',
};

/** The usual rule of each error; null for errors that are a normal part of a protocol. */
const OF_ERRORS: Readonly<Record<OAuthErrorCode, RuleName | null>> = {
  invalid_request: 'request',
  invalid_client: 'client_authentication',
  invalid_grant: 'grant',
  unauthorized_client: 'device',
  unsupported_grant_type: 'grant_type',
  invalid_scope: 'scope',
  invalid_target: 'resource',
  invalid_client_metadata: 'client_metadata',
  invalid_redirect_uri: 'registered_redirect',
  invalid_token: 'token',
  insufficient_scope: 'token',
  unsupported_response_type: 'request',
  request_not_supported: 'request_object',
  request_uri_not_supported: 'request_object',
  registration_not_supported: 'request_object',
  unmet_authentication_requirements: null,
  invalid_dpop_proof: 'bound_token',
  use_dpop_nonce: null,
  authorization_pending: null,
  slow_down: null,
  access_denied: null,
  expired_token: null,
};

/**
 * The rule that the request broke; null if it is not recorded.
 *
 * @param isForm true if the app itself sent a form, false if a browser sent an authorization request
 */
export function brokenRule(
  cause: unknown,
  { client, isForm }: { readonly client: ConnectedAppSettings | undefined; readonly isForm: boolean },
): RuleName | null {
  if (cause instanceof Refusal) return OF_REFUSALS[cause.type] ?? null;
  if (!(cause instanceof OAuthError)) return null;
  const { error, detail } = cause;
  if (detail.rule !== undefined) return detail.rule;
  if (error === 'invalid_client' && client === undefined) return 'client';
  return error === 'invalid_request' && isForm ? 'form' : OF_ERRORS[error];
}

/** Limits the lines, because lists in the project can be long. */
const MOST = 40;

/** What the server would have accepted, one line each. The lines about this client and project come first. */
export function expectedBy(
  { project }: Pick<Services, 'project'>,
  rule: RuleName,
  client: ConnectedAppSettings | undefined,
): readonly string[] {
  return linesOf(project, rule, client).slice(0, MOST);
}

function linesOf(
  project: Services['project'],
  rule: RuleName,
  client: ConnectedAppSettings | undefined,
): readonly string[] {
  switch (rule) {
    case 'client':
      return clientsOf(project);
    case 'client_authentication':
      return client === undefined ? [] : [authenticationOf(client)];
    case 'client_keys':
      return [client?.jwks_uri ?? ''].filter((uri) => uri !== '').map(withoutSecrets);
    case 'redirect':
      return client?.redirect_uris.map(withoutSecrets) ?? [];
    case 'resource':
      return [
        ...project.resources.map(({ resource }) => resource),
        ownApi(project),
        ...(client?.agent !== undefined && project.agents.unknown_resources === 'allow' ? ['any https address'] : []),
      ];
    case 'scope':
      return client === undefined ? [] : scopesFor(project, client);
    case 'audience':
      return audiencesOf(project, client);
    case 'grant_type':
      return ['authorization_code', 'refresh_token', DEVICE_CODE_GRANT];
    case 'device':
      return client?.device_authorization_allowed === true ? [] : ['an app with "device_authorization_allowed": true'];
    default:
      return [];
  }
}

const ownApi = ({ issuer }: Services['project']): string =>
  `${issuer ?? 'the address of this server'} (the project’s own API, also without resource)`;

/** The APIs that the client introspects tokens for. If there are none, the project's own API, which includes the userinfo endpoint. */
function audiencesOf(project: Services['project'], client: ConnectedAppSettings | undefined): readonly string[] {
  const read = project.resources.filter(
    ({ introspection_client_id: reader }) => reader !== null && reader === client?.client_id,
  );
  return client === undefined
    ? [ownApi(project)]
    : [`tokens of ${client.client_id}`, ...read.map((each) => each.resource)];
}

function clientsOf({ agents }: Services['project']): readonly string[] {
  return [
    'the client_id of an app of the project',
    agents.metadata_documents
      ? 'the https address of a metadata document'
      : 'no metadata documents: "metadata_documents" of "agents" is false',
    agents.registration === 'off'
      ? 'no registrations: "registration" of "agents" is off'
      : 'the client_id of a registration that still exists',
  ];
}

function authenticationOf(client: ConnectedAppSettings): string {
  if (client.client_type === 'public') return 'client_id alone, without a secret (none)';
  if (!hasKeys(client)) return 'the secret, by client_secret_basic or client_secret_post';
  const algorithms = ASSERTION_ALGORITHMS.join(', ');
  return `private_key_jwt: ${algorithms}, aud the issuer or the token endpoint, at most 10 minutes, each jti once`;
}
