import type { Shape } from '#domain/shape.ts';
import type { ConnectedAppType } from '#server-rules/connected-apps.ts';
import { endpoint } from '#application/api/endpoint.ts';
import type { ScopeResult } from '#application/api/idp.ts';
import type { BackendUser } from './reply.ts';

/** The app, in the form of a consent page. */
export interface ConnectedAppPublic {
  readonly client_id: string;
  readonly client_name: string;
  readonly client_description: string;
  readonly client_type: ConnectedAppType;
  readonly logo_url?: string;
}

const REQUEST = {
  client_id: 'string',
  redirect_uri: 'string',
  response_type: 'string',
  scopes: 'string[]',
  prompt: 'string?',
  /** Seconds, as a string from the query. */
  max_age: 'string?',
  /** The value that the authorization endpoint added to the page's query. */
  authorization_request: 'string?',
  user_id: 'string?',
  session_token: 'string?',
  session_jwt: 'string?',
} as const satisfies Shape;

/**
 * For a consent page that the app's own server renders. Exactly one of `user_id`, `session_token` and `session_jwt` names the user.
 */
export const idp = {
  authorizeStart: endpoint<{
    readonly user_id: string;
    readonly user: BackendUser;
    readonly client: ConnectedAppPublic;
    readonly consent_required: boolean;
    readonly scope_results: readonly ScopeResult[];
  }>()({
    name: 'idp.oauth.authorizeStart',
    method: 'POST',
    path: '/idp/oauth/authorize/start',
    body: REQUEST,
  }),
  authorize: endpoint<{ readonly redirect_uri: string; readonly authorization_code?: string }>()({
    name: 'idp.oauth.authorize',
    method: 'POST',
    path: '/idp/oauth/authorize',
    body: {
      ...REQUEST,
      /** The user's choice; no effect if no consent is required. */
      consent_granted: 'boolean?',
      state: 'string?',
      nonce: 'string?',
      code_challenge: 'string?',
      code_challenge_method: 'string?',
    },
  }),
};
