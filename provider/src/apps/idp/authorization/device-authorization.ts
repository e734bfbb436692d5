import { scopesFor, scopesOf, withQuery } from '#server-rules/connected-apps.ts';
import { shownUserCode } from '#domain/consent/user-code.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { Services } from '#provider/accounts/services.ts';
import type { GoodProof } from '#provider/accounts/sessions/proofs/proofs.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import { DEVICE_CODE_SECONDS, issueDeviceCode, POLL_SECONDS, type DeviceOrigin } from '../grants/device-codes.ts';
import { PATHS, PREFIX } from '../protocol/paths.ts';
import { spendProof } from '../protocol/dpop.ts';
import { scopesIn, type Form } from '../protocol/form.ts';
import type { DeviceReply } from '../protocol/oauth-calls.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { audiencesIn, neededScopesAt } from '../protocol/resources.ts';

/** The same default as at the authorization page. */
const DEFAULT_SCOPES: readonly string[] = ['openid', 'email', 'profile'];

/** A program's description of itself, shown to a person on one line. */
const LONGEST_PROGRAM = 120;

/** Like the authorization page, leaves out scopes that the project does not have, and refuses those that the client must not have. */
function requestedScopes(
  { project }: Pick<Services, 'project'>,
  client: ConnectedAppSettings,
  form: Form,
): readonly string[] {
  const allowed = scopesFor(project, client);
  if (form['scope'] === undefined) return DEFAULT_SCOPES.filter((scope) => allowed.includes(scope));
  const scopes = scopesIn(form['scope']).filter((scope) => scopesOf(project).includes(scope));
  if (scopes.length === 0 || scopes.some((scope) => !allowed.includes(scope))) {
    throw new OAuthError('invalid_scope', 'scope has none that the project has, or one that the app cannot ask for.');
  }
  return scopes;
}

/** What a device's request has in addition to its form. */
export interface DeviceRequest extends DeviceOrigin {
  readonly issuer: string;
  /** The proof of its key (RFC 9449), not used up yet; null if there is none. */
  readonly proof: GoodProof | null;
}

/**
 * Begins the sign-in of a user on a device without a browser (RFC 8628, section 3.1). The app must be explicitly allowed to do this. A
 * public app's id is known to everybody, so whoever gets a user to enter a code receives that app's tokens.
 *
 * @throws OAuthError `unauthorized_client` for any other app, `invalid_scope`, `invalid_target`
 */
export async function beginDeviceAuthorization(
  services: RateLimitServices & Pick<Services, 'project' | 'random'>,
  client: ConnectedAppSettings,
  form: Form,
  { issuer, proof, address, userAgent }: DeviceRequest,
): Promise<DeviceReply> {
  if (client.device_authorization_allowed !== true) {
    throw new OAuthError(
      'unauthorized_client',
      'The app must not use device codes: device_authorization_allowed is false.',
    );
  }
  if (services.project.idp.authorization_url === null) {
    throw new OAuthError('unauthorized_client', 'The project has no page where a code could be entered.');
  }
  const audiences = audiencesIn(services, { client, issuer, resource: form['resource'] });
  const scopes = neededScopesAt(services, audiences, requestedScopes(services, client, form));
  // A public client is not authenticated, and each request is stored.
  if (client.client_type === 'public')
    await takeForNetwork(services, 'device', address, services.limits.searchesPerNetwork);
  await spendProof(services.db, proof);
  const { deviceCode, userCode } = await issueDeviceCode(services, {
    client_id: client.client_id,
    scopes,
    audiences,
    dpop_jkt: proof?.jkt ?? null,
    address,
    userAgent: userAgent.slice(0, LONGEST_PROGRAM),
  });
  const user_code = shownUserCode(userCode);
  const verification_uri = `${issuer}${PREFIX}${PATHS.device}`;
  return {
    device_code: deviceCode,
    user_code,
    verification_uri,
    verification_uri_complete: withQuery(verification_uri, { user_code }),
    expires_in: DEVICE_CODE_SECONDS,
    interval: POLL_SECONDS,
  };
}
