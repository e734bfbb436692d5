import { isLoopbackHost, isPrivateUseUri } from '#domain/safe-url.ts';
import { parsedUrl } from '#domain/rules/redirects.ts';
import { accessOf, STANDARD_ACCESS, type ScopeAccess } from '#domain/consent/scope-access.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { RbacPolicy } from '#domain/project/rbac-policy.ts';
import { permits } from './roles.ts';

/** An app that signs its users in through this project. */
export interface ConnectedApp {
  readonly client_id: string;
  /** A public client has no secret and must use PKCE (RFC 9700, section 2.1.1). */
  readonly client_type: 'public' | 'confidential';
  readonly name: string;
  readonly description: string;
  readonly logo_url: string | null;
  /** Compared exactly, except for the port of http on loopback (RFC 8252, section 7.3). */
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  /** The scopes that the app may request; null for every scope of the project except LISTED_SCOPES. */
  readonly scopes: readonly string[] | null;
  /** True for an app of the project's owner, which needs no consent. */
  readonly first_party: boolean;
  /** True if the project's operator vouches for this third-party app. */
  readonly verified?: boolean;
  /** False allows a confidential client to omit PKCE. Public clients always need it. */
  readonly pkce_required?: boolean;
  /** Whether `offline_access` needs consent, even if the app needs none otherwise. */
  readonly asks_for_offline_access?: boolean;
}

/** The kinds of apps, as the wire spells them. */
export const CONNECTED_APP_TYPES = ['first_party', 'first_party_public', 'third_party', 'third_party_public'] as const;
export type ConnectedAppType = (typeof CONNECTED_APP_TYPES)[number];

/** The part of a project that the rules for apps read. */
export interface AppRules<App extends ConnectedApp = ConnectedApp> {
  readonly clients: readonly App[];
  readonly rbac_policy: RbacPolicy;
}

/** A requested scope, and whether the user may grant it. */
export interface JudgedScope {
  readonly scope: string;
  readonly is_grantable: boolean;
  readonly description: string;
  /** Absent for a project's scope without permissions, which has only its description. */
  readonly access?: ScopeAccess;
}

/** The scopes of every client of OpenID and of this wire (specification, section 5). */
export const STANDARD_SCOPES: Readonly<Record<string, string>> = {
  openid: 'Sign you in',
  profile: 'View your name and picture',
  email: 'View your email address',
  phone: 'View your phone number',
  full_access: 'Do everything that you can do yourself',
  offline_access: 'Keep this access while you are away',
};

/**
 * Scopes that let an app act without the user, or do everything that the user can. They are never a default: the project file lists each of
 * them for the client that needs it. Granting one requires the user's second factor.
 */
export const LISTED_SCOPES: ReadonlySet<string> = new Set(['full_access', 'offline_access']);

export function findClient<App extends ConnectedApp>(
  { clients }: Pick<AppRules<App>, 'clients'>,
  clientId: string,
): App {
  const client = clients.find(({ client_id }) => client_id === clientId);
  if (client === undefined) throw new Refusal('connected_app_not_found');
  return client;
}

const HTTP_HOST = /^http:\/\/(\[[^\]/]*\]|[^/:?#@[\]]+)(?::\d{1,5})?(?=[/?#]|$)/u;

/** An http URL of this machine without its port, because native apps use any free port (RFC 8252, section 7.3). */
function loopbackUrl(uri: string): string | null {
  const [head, host = ''] = HTTP_HOST.exec(uri) ?? [];
  if (head === undefined || !isLoopbackHost(host) || parsedUrl(uri) === null) return null;
  return `http://${host}${uri.slice(head.length)}`;
}

/** Refuses, without redirecting, a redirect URI that the client did not register (RFC 9700, section 2.1). */
export function checkRedirectUri(client: ConnectedApp, uri: string): void {
  if (!registers(client.redirect_uris, uri)) throw new Refusal('invalid_redirect_uri');
}

/** The same for the URL after a logout (OpenID Connect RP-Initiated Logout, section 3). */
export function checkPostLogoutRedirectUri(client: ConnectedApp, uri: string): void {
  if (!registers(client.post_logout_redirect_uris, uri)) throw new Refusal('invalid_post_logout_redirect_uri');
}

function registers(uris: readonly string[], uri: string): boolean {
  const loopback = loopbackUrl(uri);
  return uris.some((registered) => registered === uri || (loopback !== null && loopbackUrl(registered) === loopback));
}

/**
 * True for an app that any program of the machine could impersonate: it has no secret, and its response goes to a scheme or a port that any
 * program may use. Such an app always needs the user's consent (RFC 8252, section 8.6). The exception is a port of this machine in a
 * project under development, in which every app is on this machine.
 */
export function couldBeAnother(
  { allow_loopback }: { readonly allow_loopback: boolean },
  client: ConnectedApp,
  redirectUri: string,
): boolean {
  if (client.client_type !== 'public') return false;
  return isPrivateUseUri(redirectUri) || (!allow_loopback && loopbackUrl(redirectUri) !== null);
}

type Fields = Readonly<Record<string, string | undefined>>;

function encoded(fields: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, value);
  return query.toString();
}

/** Adds the defined fields to a redirect URI's query. The existing query stays the same, byte for byte. */
export function withQuery(uri: string, fields: Fields): string {
  const added = encoded(fields);
  return added === '' ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${added}`;
}

/** The same in the fragment, which redirect URIs do not have (RFC 6749, section 3.1.2). */
export const withFragment = (uri: string, fields: Fields): string => `${uri}#${encoded(fields)}`;

export function clientType(app: Pick<ConnectedApp, 'first_party' | 'client_type'>): ConnectedAppType {
  return `${app.first_party ? 'first_party' : 'third_party'}${app.client_type === 'public' ? '_public' : ''}`;
}

/** The app's data for a consent page. */
export function clientOf(app: ConnectedApp) {
  return {
    client_id: app.client_id,
    client_type: clientType(app),
    client_name: app.name,
    client_description: app.description,
    client_logo_url: app.logo_url,
    /** Whether the project's operator vouches for it. */
    client_verified: app.first_party || app.verified === true,
  };
}

/** The granted scopes that the app may still request; none for an app that left the project. */
export function shownGrants(project: AppRules, grants: readonly { client_id: string; scopes: readonly string[] }[]) {
  return grants.flatMap(({ client_id, scopes }) => {
    const app = project.clients.find((client) => client.client_id === client_id);
    if (app === undefined) return [];
    const { name, description, logo_url } = app;
    const allowed = scopesFor(project, app);
    const scopes_granted = scopes.filter((scope) => allowed.includes(scope)).join(' ');
    return [{ connected_app_id: client_id, name, description, client_type: clientType(app), logo_url, scopes_granted }];
  });
}

/** Every scope that can be requested: the standard ones and those of the policy. */
export function scopesOf({ rbac_policy }: Pick<AppRules, 'rbac_policy'>): readonly string[] {
  return [...Object.keys(STANDARD_SCOPES), ...rbac_policy.scopes.map(({ scope }) => scope)];
}

/** The scopes that the client may request, by the current project file. */
export function scopesFor(
  project: Pick<AppRules, 'rbac_policy'>,
  { scopes }: Pick<ConnectedApp, 'scopes'>,
): readonly string[] {
  return scopes ?? scopesOf(project).filter((scope) => !LISTED_SCOPES.has(scope));
}

/** The scopes that at least one client of the project may request. */
export function scopesInUse(
  project: Pick<AppRules, 'rbac_policy'> & { readonly clients: readonly Pick<ConnectedApp, 'scopes'>[] },
): readonly string[] {
  const listed = new Set(project.clients.flatMap(({ scopes }) => scopes ?? []));
  return scopesOf(project).filter((scope) => listed.has(scope) || !LISTED_SCOPES.has(scope));
}

/** The fields of a project, its app and a user that the rules read. */
export interface AppRequest {
  readonly project: Pick<AppRules, 'rbac_policy'>;
  readonly client: ConnectedApp;
  readonly roles: readonly string[];
}

/**
 * Every requested scope, once each, and whether this user may grant it: always for a standard scope, else if the user's roles have all of
 * its permissions. Scopes that the project does not have are ignored (OpenID Connect Core, section 3.1.2.1). Refuses a scope that the
 * client may not request.
 */
export function scopeResults(
  { project, client, roles }: AppRequest,
  scopes: readonly string[],
): readonly JudgedScope[] {
  const allowed = new Set(scopesFor(project, client));
  const projectScopes = new Set(scopesOf(project));
  return [...new Set(scopes)]
    .filter((scope) => projectScopes.has(scope))
    .map((scope) => {
      if (!allowed.has(scope))
        throw new Refusal('invalid_scope', `The app cannot ask for the scope ${describeScope(scope)}.`);
      const custom = project.rbac_policy.scopes.find((each) => each.scope === scope);
      const is_grantable = custom === undefined || permits(project.rbac_policy, roles, custom.permissions);
      const access = custom === undefined ? standardAccess(scope) : accessOf(custom.permissions);
      const description = custom?.description ?? STANDARD_SCOPES[scope] ?? '';
      return { scope, is_grantable, description, ...(access === undefined ? {} : { access }) };
    });
}

const standardAccess = (scope: string): ScopeAccess | undefined =>
  (STANDARD_ACCESS as Readonly<Partial<Record<string, ScopeAccess>>>)[scope];

/** The scopes that the client may still have and the user may still grant. */
export function grantableScopes(asking: AppRequest, scopes: readonly string[]): readonly string[] {
  const allowed = scopesFor(asking.project, asking.client);
  const clientScopes = scopes.filter((scope) => allowed.includes(scope));
  return scopeResults(asking, clientScopes).flatMap(({ scope, is_grantable }) => (is_grantable ? [scope] : []));
}

function describeScope(scope: string): string {
  return /^[!-~]{1,128}$/u.test(scope) ? scope : 'that was given';
}
