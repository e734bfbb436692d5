import { STANDARD_SCOPES } from '../../../../../server-rules/connected-apps.ts';
import type { Services } from '../../../accounts/services.ts';
import type { ConnectedAppSettings } from '../../../project/settings/access.ts';
import { isSecure, resourceUrl } from '../../../project/settings/protected-resources.ts';
import { OAuthError } from './oauth-error.ts';

/** More than this many APIs in one request are a mistake. */
const MOST = 8;

/** What decides for which APIs an app gets tokens. */
interface AudienceRequest {
  /** An M2M client is no agent. */
  readonly client: Pick<ConnectedAppSettings, 'agent'>;
  /** The address of this server, which is the project's own API. */
  readonly issuer: string;
  /** The values of `resource`, separated by spaces (`form.ts`); undefined for none. */
  readonly resource: string | undefined;
}

type ResourceServices = Pick<Services, 'project'>;

/** The audience that the API of this address has. */
function audienceOf({ project }: ResourceServices, { client, issuer }: AudienceRequest, text: string): string {
  const url = resourceUrl(text);
  if (url !== null && url === resourceUrl(issuer)) return project.project_id;
  const declared = project.resources.find(({ resource }) => resource === url);
  if (declared !== undefined) return declared.resource;
  if (url === null || !isSecure(url) || !takesUnknown({ project }, client)) {
    throw new OAuthError('invalid_target', 'resource is not the address of an API of this project.');
  }
  return url;
}

/** Agents may get tokens for APIs that the project does not know, if it says so. */
const takesUnknown = ({ project }: ResourceServices, { agent }: Pick<ConnectedAppSettings, 'agent'>): boolean =>
  agent !== undefined && project.agents.unknown_resources === 'allow';

/**
 * The audiences of the tokens that a request asks for (RFC 8707, section 2): the project's own API for a request without `resource`.
 *
 * @throws OAuthError `invalid_target` for another API than those of the project
 */
export function audiencesIn(services: ResourceServices, request: AudienceRequest): readonly string[] {
  const resources = (request.resource ?? '').split(' ').filter((each) => each !== '');
  if (resources.length > MOST) throw new OAuthError('invalid_target', `resource is there more than ${MOST} times.`);
  if (resources.length === 0) return [services.project.project_id];
  return unmixed(services, [...new Set(resources.map((text) => audienceOf(services, request, text)))]);
}

/** An unknown API could present a token that is also for one of the project there. */
function unmixed(services: ResourceServices, audiences: readonly string[]): readonly string[] {
  const projectAudiences = audiences.filter((audience) => isOfProject(services, audience));
  if (projectAudiences.length === 0 || projectAudiences.length === audiences.length) return audiences;
  throw new OAuthError(
    'invalid_target',
    'A token is not for APIs of the project and others at once: name one in resource.',
  );
}

/** The audiences of a code or a family of tokens. Rows of older versions have none: they are for the project's own API. */
export function storedAudiences({ project }: ResourceServices, audiences: readonly string[]): readonly string[] {
  return audiences.length === 0 ? [project.project_id] : audiences;
}

/** The audiences of a grant, from the record of where each was granted. */
export function grantedAudiences(services: ResourceServices, audiences: Readonly<Record<string, unknown>>) {
  return storedAudiences(services, Object.keys(audiences));
}

/**
 * The audiences for which a code or refresh token is exchanged: those that were granted, or the fewer that the request names
 * (RFC 8707, section 2.2). An API that left the project file gets no more tokens.
 *
 * @throws OAuthError `invalid_target` for an API that was not granted, and if no API is left
 */
export function audiencesFor(
  services: ResourceServices,
  granted: readonly string[],
  request: AudienceRequest,
): readonly string[] {
  const before = storedAudiences(services, granted);
  const targets = request.resource === undefined ? before : audiencesIn(services, request);
  if (targets.some((audience) => !before.includes(audience))) {
    throw new OAuthError('invalid_target', 'resource is not an API for which access was granted.');
  }
  const rest = targets.filter((audience) => isOfProject(services, audience) || takesUnknown(services, request.client));
  if (rest.length === 0) throw new OAuthError('invalid_target', 'The project no longer has the API.');
  return unmixed(services, rest);
}

function isOfProject({ project }: ResourceServices, audience: string): boolean {
  return audience === project.project_id || project.resources.some(({ resource }) => resource === audience);
}

/**
 * The scopes of tokens for these audiences: the standard ones, and those of the project that mean something to one of the APIs. Only the
 * project's own API has a use for `full_access`.
 */
export function scopesAt(
  { project }: ResourceServices,
  audiences: readonly string[],
  scopes: readonly string[],
): readonly string[] {
  const isOwn = audiences.includes(project.project_id);
  const apis = project.resources.filter(({ resource }) => audiences.includes(resource));
  return scopes.filter((scope) => {
    if (scope === 'full_access') return isOwn;
    if (isOwn || Object.hasOwn(STANDARD_SCOPES, scope)) return true;
    return apis.some((api) => api.scopes?.includes(scope) ?? true);
  });
}

/**
 * The same for a request of some scopes. A token without any would be for nothing.
 *
 * @throws OAuthError `invalid_scope` if none of them means something to one of the APIs
 */
export function neededScopesAt(
  services: ResourceServices,
  audiences: readonly string[],
  scopes: readonly string[],
): readonly string[] {
  const usable = scopesAt(services, audiences, scopes);
  if (scopes.length > 0 && usable.length === 0) throw new OAuthError('invalid_scope', 'The API has no such scope.');
  return usable;
}

/** An API as a consent page shows it. */
export interface ShownResource {
  readonly resource: string;
  readonly name: string;
}

/** The APIs of a request besides the project's own. */
export function shownResources({ project }: ResourceServices, audiences: readonly string[]): readonly ShownResource[] {
  return audiences
    .filter((audience) => audience !== project.project_id)
    .map((resource) => {
      const name = project.resources.find((each) => each.resource === resource)?.name;
      return { resource, name: name ?? new URL(resource).host };
    });
}

/** True for the client as which an API of the token asks about it. */
export function isReader(
  { project }: ResourceServices,
  audience: string | readonly string[] | undefined,
  clientId: string,
): boolean {
  const audiences: readonly string[] = typeof audience === 'string' ? [audience] : (audience ?? []);
  return project.resources.some(
    ({ resource, introspection_client_id: reader }) => reader === clientId && audiences.includes(resource),
  );
}
