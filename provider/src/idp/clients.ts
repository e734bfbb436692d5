import { isLoopbackHost, isPrivateUseUri } from '../../../src/domain/safe-url.ts';
import type { ConnectedAppClient, ScopeResult } from '../../../src/application/api/index.ts';
import type { User } from '../../../src/domain/user.ts';
import { rolesOf } from '../users/read-user.ts';
import { Refusal } from '../http/refusal.ts';
import { LISTED_SCOPES, STANDARD_SCOPES, type ConnectedAppSettings, type Permission } from '../project/access.ts';
import { scopesOf, type Project } from '../project/project.ts';

export function findClient(project: Project, clientId: string): ConnectedAppSettings {
  const client = project.clients.find(({ client_id }) => client_id === clientId);
  if (client === undefined) throw new Refusal('connected_app_not_found');
  return client;
}

const HTTP_HOST = /^http:\/\/(\[[^\]/]*\]|[^/:?#@[\]]+)(?::\d{1,5})?(?=[/?#]|$)/u;

/** An http URL of this machine without its port: a native app takes whichever is free (RFC 8252, section 7.3). */
function loopbackUrl(uri: string): string | null {
  const [head, host = ''] = HTTP_HOST.exec(uri) ?? [];
  if (head === undefined || !isLoopbackHost(host) || !URL.canParse(uri)) return null;
  return `http://${host}${uri.slice(head.length)}`;
}

/** Refuses, without redirecting, a redirect URI that the client did not register (RFC 9700, section 2.1). */
export function checkRedirectUri(client: ConnectedAppSettings, uri: string): void {
  if (!registers(client.redirect_uris, uri)) throw new Refusal('invalid_redirect_uri');
}

/** The same for where the browser goes after a logout (OpenID Connect RP-Initiated Logout, section 3). */
export function checkPostLogoutRedirectUri(client: ConnectedAppSettings, uri: string): void {
  if (!registers(client.post_logout_redirect_uris, uri)) throw new Refusal('invalid_post_logout_redirect_uri');
}

function registers(uris: readonly string[], uri: string): boolean {
  const given = loopbackUrl(uri);
  return uris.some((registered) => registered === uri || (given !== null && loopbackUrl(registered) === given));
}

/**
 * True for an app that any program of the machine could pass itself off as: it has no secret, and its answer goes to a
 * scheme that anybody may claim or a port that anybody may listen on. It is never let in unasked (RFC 8252, section 8.6), but
 * by a port of this machine in a project under development, where every app is on this machine.
 */
export function couldBeAnother(project: Project, client: ConnectedAppSettings, redirectUri: string): boolean {
  if (client.client_type !== 'public') return false;
  return isPrivateUseUri(redirectUri) || (!project.allow_loopback && loopbackUrl(redirectUri) !== null);
}

/** Adds to a redirect URI's query what is not undefined; what is there already stays as it is, byte for byte. */
export function withQuery(uri: string, fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (given.length === 0) return uri;
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`;
}

export function clientOf(app: ConnectedAppSettings): ConnectedAppClient {
  return {
    client_id: app.client_id,
    client_type: clientType(app),
    client_name: app.name,
    client_description: app.description,
    client_logo_url: app.logo_url,
  };
}

/** As the wire spells it, such as `third_party_public`. */
export function clientType(app: ConnectedAppSettings): string {
  return `${app.first_party ? 'first_party' : 'third_party'}${app.client_type === 'public' ? '_public' : ''}`;
}

/** What the client may ask for, by the project file of now. */
export function scopesFor(project: Project, { scopes }: Pick<ConnectedAppSettings, 'scopes'>): readonly string[] {
  return scopes ?? scopesOf(project).filter((scope) => !LISTED_SCOPES.has(scope));
}

/** The scopes that some client of the project may ask for. */
export function scopesInUse(project: Project): readonly string[] {
  const listed = new Set(project.clients.flatMap(({ scopes }) => scopes ?? []));
  return scopesOf(project).filter((scope) => listed.has(scope) || !LISTED_SCOPES.has(scope));
}

/**
 * Every scope that was asked for, once each, and whether this user may grant it: a standard scope always, another when
 * the user's roles have all of its permissions. Refuses one that the project or the client does not have.
 */
export function scopeResults(
  project: Project,
  client: ConnectedAppSettings,
  user: User,
  asked: readonly string[],
): readonly ScopeResult[] {
  const allowed = new Set(scopesFor(project, client));
  const roles = rolesOf(project, user);
  return [...new Set(asked)].map((scope) => {
    if (!allowed.has(scope)) throw new Refusal('invalid_scope', `The app cannot ask for the scope ${shown(scope)}.`);
    const custom = project.rbac_policy.scopes.find((each) => each.scope === scope);
    const is_grantable = custom === undefined || permits(project, roles, custom.permissions);
    return { scope, is_grantable, description: custom?.description ?? STANDARD_SCOPES[scope] ?? '' };
  });
}

/** Those of the scopes that the client may still have and the user may still grant. */
export function grantableScopes(
  project: Project,
  client: ConnectedAppSettings,
  user: User,
  scopes: readonly string[],
): readonly string[] {
  const allowed = scopesFor(project, client);
  const known = scopes.filter((scope) => allowed.includes(scope));
  return scopeResults(project, client, user, known).flatMap(({ scope, is_grantable }) => (is_grantable ? [scope] : []));
}

function shown(scope: string): string {
  return /^[!-~]{1,128}$/u.test(scope) ? scope : 'that was given';
}

/** True when the roles together have every one of the permissions. */
function permits(
  { rbac_policy }: Pick<Project, 'rbac_policy'>,
  roles: readonly string[],
  permissions: readonly Permission[],
): boolean {
  const held = rbac_policy.roles.filter(({ role_id }) => roles.includes(role_id)).flatMap((role) => role.permissions);
  const actionsOn = (resource: string): readonly string[] =>
    held.filter(({ resource_id }) => resource_id === resource).flatMap(({ actions }) => actions);
  return permissions.every(({ resource_id, actions }) => {
    const mine = actionsOn(resource_id);
    return mine.includes('*') || actions.every((action) => mine.includes(action));
  });
}
