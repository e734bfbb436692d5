import type { BodyFor } from '#application/api/endpoint.ts';
import type { BackendConnectedApp, connectedApps as endpoints } from '#provider/base/backend-api/connected-apps.ts';
import { clientType, CONNECTED_APP_TYPES, scopesFor } from '#server-rules/connected-apps.ts';
import { ACCESS_TOKEN_MINUTES } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { readBy, wrongField } from '#provider/project/readers/body-fields.ts';
import type { BackendRoutes } from '#provider/accounts/sessions/reading/contract.ts';
import { pageFrom, pageOf } from '#provider/project/readers/paging.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import {
  CLIENT_DESCRIPTION,
  CLIENT_LOGOUT,
  CLIENT_NAME,
  CLIENT_REDIRECT,
  LOGO,
  templateOf,
} from '#provider/project/settings/app-fields.ts';
import {
  flag,
  object,
  oneOf,
  partial,
  texts,
  textThat,
  whole,
  type Reader,
  type Readers,
} from '#provider/project/readers/readers.ts';
import { cancelRotation, endRotation, newClientSecret, startRotation } from '#provider/base/security/client-secrets.ts';
import type { Services } from '#provider/accounts/services.ts';
import type { ConnectedAppRow } from '#provider/project/registry/connected-apps.ts';
import {
  createApp,
  deleteApp,
  findRunTimeApp,
  searchRunTimeApps,
  updateApp,
  type AppSettings,
} from './run-time-apps.ts';

/** A key stays published for little more than an hour after its last signature, so no token may be valid for longer. */
const MINUTES = whole(5, ACCESS_TOKEN_MINUTES);
const AUDIENCE = textThat('1 to 256 characters without spaces', (value) => /^[!-~]{1,256}$/u.test(value));

/** An empty string removes the value, because the SDKs of some languages cannot send null. */
const orNone =
  (read: Reader<string>): Reader<string | null> =>
  (value, path) =>
    value === '' ? null : read(value, path);

const SETTINGS: Readers<AppSettings> = {
  client_name: CLIENT_NAME,
  client_description: CLIENT_DESCRIPTION,
  logo_url: orNone(LOGO),
  redirect_urls: texts(CLIENT_REDIRECT),
  post_logout_redirect_urls: texts(CLIENT_REDIRECT),
  full_access_allowed: flag,
  bypass_consent_for_offline_access: flag,
  pkce_required: flag,
  device_authorization_allowed: flag,
  backchannel_logout_uri: orNone(CLIENT_LOGOUT),
  backchannel_logout_session_required: flag,
  access_token_expiry_minutes: MINUTES,
  access_token_custom_audience: orNone(AUDIENCE),
  access_token_template_content: templateOf('user'),
  id_token_template_content: templateOf('user'),
};
const changes = partial<AppSettings>(SETTINGS);
const clientTypeOf = object({ client_type: oneOf(...CONNECTED_APP_TYPES) });

const DEFAULTS: Omit<AppSettings, 'client_name'> = {
  client_description: '',
  logo_url: null,
  redirect_urls: [],
  post_logout_redirect_urls: [],
  full_access_allowed: false,
  bypass_consent_for_offline_access: false,
  pkce_required: true,
  device_authorization_allowed: false,
  backchannel_logout_uri: null,
  backchannel_logout_session_required: false,
  access_token_expiry_minutes: ACCESS_TOKEN_MINUTES,
  access_token_custom_audience: null,
  access_token_template_content: '{}',
  id_token_template_content: '{}',
};

/** A third-party app must not get full access, or lasting access without consent. An app without a secret needs PKCE. */
function checkParty(
  client_type: ConnectedAppRow['client_type'],
  settings: Pick<Partial<AppSettings>, 'full_access_allowed' | 'bypass_consent_for_offline_access' | 'pkce_required'>,
): void {
  if (client_type.endsWith('_public') && settings.pkce_required === false) {
    throw wrongField('pkce_required', 'true for a public app');
  }
  if (client_type.startsWith('first_party')) return;
  for (const field of ['full_access_allowed', 'bypass_consent_for_offline_access'] as const) {
    if (settings[field] === true) throw wrongField(field, 'false for a third-party app');
  }
}

function logoutUriOf({ backchannel_logout_uri }: { readonly backchannel_logout_uri?: string | null }) {
  return typeof backchannel_logout_uri === 'string' ? { backchannel_logout_uri } : {};
}

function appFromRow(row: ConnectedAppRow): BackendConnectedApp {
  const { secret_last_four, next_secret_last_four: next, logo_url, access_token_custom_audience: audience } = row;
  return {
    client_id: row.client_id,
    client_name: row.client_name,
    client_description: row.client_description,
    client_type: row.client_type,
    status: 'active',
    creation_method: 'api',
    redirect_urls: row.redirect_urls,
    post_logout_redirect_urls: row.post_logout_redirect_urls,
    full_access_allowed: row.full_access_allowed,
    bypass_consent_for_offline_access: row.bypass_consent_for_offline_access,
    pkce_required: row.pkce_required,
    device_authorization_allowed: row.device_authorization_allowed,
    backchannel_logout_session_required: row.backchannel_logout_session_required,
    access_token_expiry_minutes: row.access_token_expiry_minutes,
    access_token_template_content: row.access_token_template_content,
    id_token_template_content: row.id_token_template_content,
    ...(audience === null ? {} : { access_token_custom_audience: audience }),
    ...(logo_url === null ? {} : { logo_url }),
    ...logoutUriOf(row),
    ...(secret_last_four === null ? {} : { client_secret_last_four: secret_last_four }),
    ...(next === null ? {} : { next_client_secret_last_four: next }),
  };
}

/** The file has only the secret's hash, so its last four characters are unknown. */
function shownFromFile({ project }: Pick<Services, 'project'>, app: ConnectedAppSettings): BackendConnectedApp {
  const scopes = scopesFor(project, app);
  return {
    client_id: app.client_id,
    client_name: app.name,
    client_description: app.description,
    client_type: clientType(app),
    status: 'active',
    creation_method: 'project_file',
    redirect_urls: app.redirect_uris,
    post_logout_redirect_urls: app.post_logout_redirect_uris,
    full_access_allowed: scopes.includes('full_access'),
    bypass_consent_for_offline_access: app.first_party && scopes.includes('offline_access'),
    pkce_required: app.pkce_required,
    device_authorization_allowed: app.device_authorization_allowed === true,
    backchannel_logout_session_required: app.backchannel_logout_session_required === true,
    ...logoutUriOf(app),
    access_token_expiry_minutes: ACCESS_TOKEN_MINUTES,
    access_token_template_content: '{}',
    id_token_template_content: '{}',
    ...(app.logo_url === null ? {} : { logo_url: app.logo_url }),
  };
}

function inFile({ project }: Pick<Services, 'project'>, clientId: string): ConnectedAppSettings | undefined {
  return project.clients.find(({ client_id }) => client_id === clientId);
}

/** An app of the project file, or one created at run time. */
export async function findConnectedApp(
  services: Pick<Services, 'db' | 'project'>,
  clientId: string,
): Promise<BackendConnectedApp | null> {
  const app = inFile(services, clientId);
  if (app !== undefined) return shownFromFile(services, app);
  const row = await findRunTimeApp(services, clientId);
  return row === undefined ? null : appFromRow(row);
}

/** Refuses to change an app of the project file, because the next start would read the file again. */
function checkChangeable(services: Pick<Services, 'project'>, clientId: string): void {
  if (inFile(services, clientId) !== undefined) throw new Refusal('connected_app_read_only');
}

async function requireRow(services: Pick<Services, 'db'>, clientId: string): Promise<ConnectedAppRow> {
  const row = await findRunTimeApp(services, clientId);
  if (row === undefined) throw new Refusal('connected_app_not_found');
  return row;
}

/** Creates an app, with a secret if it can keep one. */
export async function makeConnectedApp(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'keys'>,
  body: BodyFor<typeof endpoints.create>,
) {
  const { client_type: kind, ...fields } = body;
  const { client_type } = readBy(clientTypeOf, { client_type: kind });
  const settings = { client_name: null, ...DEFAULTS, ...readBy(changes, fields) };
  checkParty(client_type, settings);
  const secret = client_type.endsWith('_public') ? null : newClientSecret(services);
  const row = await createApp(services, { client_type, secret, settings });
  return { connected_app: { ...appFromRow(row), ...(secret === null ? {} : { client_secret: secret }) } };
}

/** Both kinds of apps, sorted by id. */
export async function searchConnectedApps(
  services: Pick<Services, 'db' | 'project'>,
  body: BodyFor<typeof endpoints.search>,
) {
  const page = pageFrom(body);
  const { found, total } = await searchRunTimeApps(services, page);
  const fromFile = services.project.clients
    .filter(({ client_id }) => client_id > page.after)
    .map((app) => shownFromFile(services, app));
  const apps = [...fromFile, ...found.map(appFromRow)];
  apps.sort((a, b) => (a.client_id < b.client_id ? -1 : 1));
  const { rows, results_metadata } = pageOf(page, apps, total + services.project.clients.length);
  return { connected_apps: rows, results_metadata };
}

export const connectedApps: BackendRoutes['connectedApps'] = {
  create: async (services, { body }) => makeConnectedApp(services, body),
  search: async (services, { body }) => searchConnectedApps(services, body),

  async get(services, { params: { client_id } }) {
    const connected_app = await findConnectedApp(services, client_id);
    if (connected_app === null) throw new Refusal('connected_app_not_found');
    return { connected_app };
  },

  async update(services, { params: { client_id }, body }) {
    checkChangeable(services, client_id);
    const settings = readBy(changes, body);
    checkParty((await requireRow(services, client_id)).client_type, settings);
    return { connected_app: appFromRow(await updateApp(services, client_id, settings)) };
  },

  async delete(services, { params: { client_id } }) {
    checkChangeable(services, client_id);
    await deleteApp(services, client_id);
    return { client_id };
  },

  async rotateStart(services, { params: { client_id } }) {
    checkChangeable(services, client_id);
    const next_client_secret = await startRotation(services, 'connected_apps', client_id);
    return { connected_app: { ...appFromRow(await requireRow(services, client_id)), next_client_secret } };
  },

  async rotateCancel(services, { params: { client_id } }) {
    checkChangeable(services, client_id);
    await cancelRotation(services, 'connected_apps', client_id);
    return { connected_app: appFromRow(await requireRow(services, client_id)) };
  },

  async rotate(services, { params: { client_id } }) {
    checkChangeable(services, client_id);
    await endRotation(services, 'connected_apps', client_id);
    return { connected_app: appFromRow(await requireRow(services, client_id)) };
  },
};
