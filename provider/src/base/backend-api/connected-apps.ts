import type { ConnectedAppType } from '#server-rules/connected-apps.ts';
import type { Shape } from '#domain/shape.ts';
import { endpoint } from '#application/api/endpoint.ts';
import { PAGE_FIELDS, type ResultsMetadata } from './search.ts';

/** An app that signs its users in through this project. */
export interface BackendConnectedApp {
  readonly client_id: string;
  readonly client_name: string;
  readonly client_description: string;
  readonly client_type: ConnectedAppType;
  readonly status: 'active';
  /** `project_file` for an app of the project file, which this API can show but neither change nor delete. */
  readonly creation_method: 'api' | 'project_file';
  readonly redirect_urls: readonly string[];
  readonly post_logout_redirect_urls: readonly string[];
  readonly full_access_allowed: boolean;
  readonly bypass_consent_for_offline_access: boolean;
  /** Whether every authorization needs a `code_challenge` (RFC 7636). */
  readonly pkce_required: boolean;
  readonly device_authorization_allowed: boolean;
  readonly backchannel_logout_uri?: string | undefined;
  readonly backchannel_logout_session_required: boolean;
  readonly access_token_expiry_minutes: number;
  readonly access_token_custom_audience?: string;
  readonly access_token_template_content: string;
  readonly id_token_template_content: string;
  readonly logo_url?: string;
  readonly client_secret_last_four?: string;
  /** Present during a rotation. */
  readonly next_client_secret_last_four?: string;
}

const SETTINGS = {
  client_name: 'string?',
  client_description: 'string?',
  redirect_urls: 'string[]?',
  post_logout_redirect_urls: 'string[]?',
  full_access_allowed: 'boolean?',
  bypass_consent_for_offline_access: 'boolean?',
  pkce_required: 'boolean?',
  device_authorization_allowed: 'boolean?',
  backchannel_logout_uri: 'string?',
  backchannel_logout_session_required: 'boolean?',
  access_token_expiry_minutes: 'number?',
  access_token_custom_audience: 'string?',
  access_token_template_content: 'string?',
  id_token_template_content: 'string?',
  logo_url: 'string?',
} as const satisfies Shape;

export interface ConnectedAppReply {
  readonly connected_app: BackendConnectedApp;
}

export const connectedApps = {
  create: endpoint<{
    /** If the app has a secret, it is shown here and never again. */
    readonly connected_app: BackendConnectedApp & { readonly client_secret?: string };
  }>()({
    name: 'connectedApps.clients.create',
    method: 'POST',
    path: '/connected_apps/clients',
    body: { ...SETTINGS, client_type: 'string' },
  }),
  search: endpoint<{
    readonly connected_apps: readonly BackendConnectedApp[];
    readonly results_metadata: ResultsMetadata;
  }>()({
    name: 'connectedApps.clients.search',
    method: 'POST',
    path: '/connected_apps/clients/search',
    body: PAGE_FIELDS,
  }),
  get: endpoint<ConnectedAppReply>()({
    name: 'connectedApps.clients.get',
    method: 'GET',
    path: '/connected_apps/clients/:client_id',
  }),
  update: endpoint<ConnectedAppReply>()({
    name: 'connectedApps.clients.update',
    method: 'PUT',
    path: '/connected_apps/clients/:client_id',
    body: SETTINGS,
  }),
  delete: endpoint<{ readonly client_id: string }>()({
    name: 'connectedApps.clients.delete',
    method: 'DELETE',
    path: '/connected_apps/clients/:client_id',
  }),
  rotateStart: endpoint<{
    /** The next secret is shown here, and never again. */
    readonly connected_app: BackendConnectedApp & { readonly next_client_secret: string };
  }>()({
    name: 'connectedApps.clients.secrets.rotateStart',
    method: 'POST',
    path: '/connected_apps/clients/:client_id/secrets/rotate/start',
  }),
  rotateCancel: endpoint<ConnectedAppReply>()({
    name: 'connectedApps.clients.secrets.rotateCancel',
    method: 'POST',
    path: '/connected_apps/clients/:client_id/secrets/rotate/cancel',
  }),
  rotate: endpoint<ConnectedAppReply>()({
    name: 'connectedApps.clients.secrets.rotate',
    method: 'POST',
    path: '/connected_apps/clients/:client_id/secrets/rotate',
  }),
};
