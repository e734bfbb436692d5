import type { ScopeAccess } from '#domain/consent/scope-access.ts';
import type { Shape } from '#domain/shape.ts';
import type { User } from '#domain/users/user.ts';
import { endpoint } from './endpoint.ts';

/** One requested scope, and whether the user may grant it. */
export interface ScopeResult {
  readonly scope: string;
  readonly is_grantable: boolean;
  readonly description: string;
  /** What the scope allows; servers may leave it out. */
  readonly access?: ScopeAccess;
}

/** The app that requests authorization. */
export interface ConnectedAppClient {
  readonly client_id: string;
  readonly client_type: string;
  readonly client_name: string;
  readonly client_description: string;
  readonly client_logo_url?: string | null;
  /** Whether the project's operator vouches for the app; servers may leave it out. */
  readonly client_verified?: boolean;
  /** How an app that no operator registered became known: by a metadata document, or by registering itself; absent for any other app. */
  readonly client_origin?: 'document' | 'registration';
  /** The host of the document. */
  readonly client_host?: string;
  /** True if no user of the project has given the app access before; absent without `client_origin`. */
  readonly client_is_new?: boolean;
}

/** An API that an app requests access to, in addition to the project's own (RFC 8707). */
export interface RequestedResource {
  /** Its address. */
  readonly resource: string;
  readonly name: string;
}

/** The device that requests access. */
export interface DeviceOrigin {
  /** The code that the device shows, such as `WDJB-MJHT`. */
  readonly user_code: string;
  /** The user agent of the device's program; empty if there is none. */
  readonly program: string;
  /** The device's network address; empty if the server does not know it. */
  readonly network: string;
  /** Whether the user's browser is in the same network. */
  readonly is_same_network: boolean;
}

const REQUEST = {
  client_id: 'string',
  redirect_uri: 'string',
  response_type: 'string',
  scopes: 'string[]',
  prompt: 'string?',
  /** Seconds, as a string from the query. */
  max_age: 'string?',
  /** The value that the authorization endpoint added to the page's query. It overrides the other parameters. */
  authorization_request: 'string?',
} as const satisfies Shape;

/** The project as the authorization server of connected apps (specification, sections 4 and 7). */
export const idp = {
  authorizeStart: endpoint<{
    readonly user_id: string;
    readonly user: User;
    readonly client: ConnectedAppClient;
    readonly consent_required: boolean;
    readonly scope_results: ScopeResult[];
    /** Absent if the request is only for the project's own API. */
    readonly resources?: RequestedResource[];
  }>()({
    name: 'idp.authorizeStart',
    method: 'POST',
    path: '/idp/oauth/authorize/start',
    body: REQUEST,
  }),
  authorizeSubmit: endpoint<{ readonly redirect_uri: string; readonly authorization_code?: string }>()({
    name: 'idp.authorizeSubmit',
    method: 'POST',
    path: '/idp/oauth/authorize/submit',
    body: {
      ...REQUEST,
      state: 'string?',
      nonce: 'string?',
      code_challenge: 'string?',
      code_challenge_method: 'string?',
      /** The user's choice; no effect if no consent is required. */
      consent_granted: 'boolean?',
    },
  }),
  /** The request of a device that shows a code (RFC 8628). */
  deviceStart: endpoint<{
    readonly user_id: string;
    readonly user: User;
    readonly client: ConnectedAppClient;
    readonly scope_results: ScopeResult[];
    /** Absent if the request is only for the project's own API. */
    readonly resources?: RequestedResource[];
    readonly device: DeviceOrigin;
  }>()({
    name: 'idp.deviceStart',
    method: 'POST',
    path: '/idp/oauth/device/start',
    body: { user_code: 'string' },
  }),
  deviceSubmit: endpoint<{ readonly granted: boolean }>()({
    name: 'idp.deviceSubmit',
    method: 'POST',
    path: '/idp/oauth/device/submit',
    spends: true,
    body: { user_code: 'string', consent_granted: 'boolean' },
  }),
  /** `redirect_uri` is empty if the app named no page: the logout then ends here. */
  logoutStart: endpoint<{ readonly consent_required: boolean; readonly redirect_uri: string }>()({
    name: 'idp.logoutStart',
    method: 'POST',
    path: '/oauth/logout/start',
    body: { client_id: 'string?', post_logout_redirect_uri: 'string?', state: 'string?', id_token_hint: 'string?' },
  }),
};
