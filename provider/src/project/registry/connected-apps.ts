import type { Selectable } from 'kysely';
import { findClient, scopesOf } from '#server-rules/connected-apps.ts';
import { parsedUrl } from '#domain/rules/redirects.ts';
import { isLoopbackHost, isPrivateUseUri } from '#domain/safe-url.ts';
import type { ConnectedAppSettings } from '../settings/access.ts';
import { appFromAgent, isAdmitted } from './agent-apps.ts';
import { hasAgents, scopesOfAgents } from '../settings/agents.ts';
import type { Services } from '../services.ts';
import type { ConnectedAppsTable } from './tables.ts';

export type ConnectedAppRow = Selectable<ConnectedAppsTable>;

/** In a transaction `db` is the transaction: the embedded database has one connection. */
type AppServices = Pick<Services, 'db' | 'project'>;

/** The connected app with this id: of the project file, created at run time, or an agent that may have access. */
export async function findApp(services: AppServices, clientId: string): Promise<ConnectedAppSettings | undefined> {
  const [app] = await findApps(services, [clientId]);
  return app;
}

/**
 * False for a redirect URI of an agent that nobody checked: anybody can register one, so a link to this server could lead people to any
 * site (RFC 9700, section 4.11.2). A program on the person's own machine is not a site, whether its URL has a port or a private scheme.
 */
export function isTrustedReceiver({ agent }: Pick<ConnectedAppSettings, 'agent'>, redirectUri: string): boolean {
  if (agent === undefined || agent.approved) return true;
  return isPrivateUseUri(redirectUri) || isLoopbackHost(parsedUrl(redirectUri)?.hostname ?? '');
}

/** Like `findApp`; refuses an unknown id. */
export async function requireApp(services: AppServices, clientId: string): Promise<ConnectedAppSettings> {
  return findClient({ clients: await findApps(services, [clientId]) }, clientId);
}

/** The connected apps with these ids. Every call reads the database again, so that all machines see a change immediately. */
export async function findApps(
  { db, project }: AppServices,
  clientIds: readonly string[],
): Promise<readonly ConnectedAppSettings[]> {
  const inFile = project.clients.filter(({ client_id }) => clientIds.includes(client_id));
  const others = clientIds.filter((id) => !inFile.some(({ client_id }) => client_id === id));
  if (others.length === 0) return inFile;
  const rows = await db.selectFrom('connected_apps').selectAll().where('client_id', 'in', others).execute();
  const runTimeApps = rows.map((row) => appFrom(project, row));
  const agentIds = others.filter((id) => !rows.some(({ client_id }) => client_id === id));
  return [...inFile, ...runTimeApps, ...(await findAgents({ db, project }, agentIds))];
}

async function findAgents(
  { db, project }: AppServices,
  clientIds: readonly string[],
): Promise<readonly ConnectedAppSettings[]> {
  if (clientIds.length === 0) return [];
  const rows = await db.selectFrom('agents').selectAll().where('client_id', 'in', clientIds).execute();
  return rows.filter((row) => isAdmitted(project, row)).map((row) => appFromAgent(project, row));
}

/** An app created at run time, in the form of the rules. It may request every scope; only `full_access` must be allowed explicitly. */
function appFrom(project: Services['project'], row: ConnectedAppRow): ConnectedAppSettings {
  const first_party = row.client_type.startsWith('first_party');
  return {
    client_id: row.client_id,
    client_type: row.client_type.endsWith('_public') ? 'public' : 'confidential',
    client_secret_hash: null,
    pkce_required: row.pkce_required,
    device_authorization_allowed: row.device_authorization_allowed,
    backchannel_logout_uri: row.backchannel_logout_uri,
    backchannel_logout_session_required: row.backchannel_logout_session_required,
    name: row.client_name,
    description: row.client_description,
    logo_url: row.logo_url,
    redirect_uris: row.redirect_urls,
    post_logout_redirect_uris: row.post_logout_redirect_urls,
    scopes: scopesOf(project).filter((scope) => scope !== 'full_access' || row.full_access_allowed),
    first_party,
    asks_for_offline_access: !row.bypass_consent_for_offline_access,
    run_time: {
      secrets: row,
      access_token_minutes: row.access_token_expiry_minutes,
      access_token_audience: row.access_token_custom_audience,
      access_token_template: row.access_token_template_content,
      id_token_template: row.id_token_template_content,
    },
  };
}

type ScopedApp = Pick<ConnectedAppSettings, 'scopes'>;

/** The scopes of all apps, for the discovery document: those of agents, and of each kind of run-time app with different scopes. */
export async function appsInUse({ db, project }: AppServices): Promise<readonly ScopedApp[]> {
  const rows = await db.selectFrom('connected_apps').selectAll().distinctOn('full_access_allowed').execute();
  const agents = hasAgents(project.agents) ? [{ scopes: scopesOfAgents(project) }] : [];
  return [...project.clients, ...rows.map((row) => appFrom(project, row)), ...agents];
}
