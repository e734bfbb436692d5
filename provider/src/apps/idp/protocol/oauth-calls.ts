import type { Shape } from '#domain/shape.ts';
import type { AgentMetadata } from '#provider/project/registry/agent-metadata.ts';
import { PATHS } from './paths.ts';

/** The tokens of a client (RFC 6749, section 5.1). */
export interface TokenReply {
  readonly access_token: string;
  /** `Bearer`, or `DPoP` for a token that is bound to a key; `bearer` for a token of an M2M client. */
  readonly token_type: string;
  /** Seconds. */
  readonly expires_in: number;
  /** The scopes, separated by spaces. */
  readonly scope: string;
  /** For the scope `offline_access`. */
  readonly refresh_token?: string;
  /** For the scope `openid`. */
  readonly id_token?: string;
}

/** A stored authorization request (RFC 9126, section 2.2). */
export interface PushedReply {
  readonly request_uri: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** The codes for a device and its user (RFC 8628, section 3.2). */
export interface DeviceReply {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  /** Seconds. */
  readonly expires_in: number;
  /** The seconds between two polls. */
  readonly interval: number;
}

/** A token and its claims (RFC 7662, section 2.2). */
export interface IntrospectionReply {
  readonly active: boolean;
  readonly [claim: string]: unknown;
}

/** The claims of a user (OpenID Connect Core, section 5.3.2). */
export interface UserInfoReply {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** Public keys (RFC 7517). */
export interface KeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/** A registration (RFC 7591, section 3.2.1). */
export interface RegistrationReply extends AgentMetadata {
  readonly client_id: string;
  /** Seconds since 1970. */
  readonly client_id_issued_at: number;
  /** Shown once. */
  readonly client_secret?: string;
  /** Zero: it does not expire. */
  readonly client_secret_expires_at?: number;
  /** Shown once. */
  readonly registration_access_token?: string;
  readonly registration_client_uri: string;
}

/** A reply without fields. */
export interface EmptyReply {
  readonly [field: string]: never;
}

/** How the caller of an endpoint authenticates. */
export type OAuthCaller = 'client' | 'access token' | 'registration token' | 'initial token' | 'nobody';

/** The metadata of a registration, before its check. */
type RegistrationBody = Partial<AgentMetadata>;

/** The same with the id of the client, and its secret if it has one (RFC 7592, section 2.2). */
type RegistrationChange = RegistrationBody & { readonly client_id: string; readonly client_secret?: string };

/** An endpoint of this authorization server that programs call. `path` is relative to `/oauth2`. */
export interface OAuthCall<Form extends Shape = Shape, Reply = unknown, Json = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly caller: OAuthCaller;
  /** The parameters of the form. */
  readonly form: Form;
  readonly status: 200 | 201 | 204;
  /** A type-level member. It is never set. */
  readonly types?: { readonly reply: Reply; readonly json: Json };
}

type Definition<Form extends Shape> = Pick<OAuthCall, 'method' | 'path' | 'caller'> &
  Partial<Pick<OAuthCall, 'status'>> & { readonly form?: Form };

const call =
  <Reply extends object, Json = null>() =>
  <const Form extends Shape = {}>({ form, ...definition }: Definition<Form>): OAuthCall<Form, Reply, Json> => ({
    status: 200,
    ...definition,
    form: form ?? ({} as Form),
  });

/** The fields with which a client authenticates, if it does not use the `Authorization` header. */
const CLIENT = {
  client_id: 'string?',
  client_secret: 'string?',
  client_assertion: 'string?',
  client_assertion_type: 'string?',
} as const satisfies Shape;

const TOKEN = { ...CLIENT, token: 'string', token_type_hint: 'string?' } as const satisfies Shape;

/** An authorization request, or the `request_uri` of one that the app pushed. */
const AUTHORIZATION = {
  client_id: 'string?',
  response_type: 'string?',
  redirect_uri: 'string?',
  request_uri: 'string?',
  response_mode: 'string?',
  scope: 'string?',
  state: 'string?',
  nonce: 'string?',
  prompt: 'string?',
  max_age: 'string?',
  code_challenge: 'string?',
  code_challenge_method: 'string?',
  login_hint: 'string?',
  id_token_hint: 'string?',
  acr_values: 'string?',
  claims: 'string?',
  claims_locales: 'string?',
  display: 'string?',
  registration: 'string?',
  request: 'string?',
  ui_locales: 'string?',
  dpop_jkt: 'string?',
  resource: 'string?',
} as const satisfies Shape;

/** The endpoints that programs call. Browsers navigate to the others (`oauthPages`). */
export const oauthCalls = {
  /** Tokens for an authorization code, a refresh token or a device code. */
  token: call<TokenReply>()({
    method: 'POST',
    path: PATHS.token,
    caller: 'client',
    form: {
      ...CLIENT,
      grant_type: 'string',
      code: 'string?',
      redirect_uri: 'string?',
      code_verifier: 'string?',
      refresh_token: 'string?',
      device_code: 'string?',
      scope: 'string?',
      resource: 'string?',
    },
  }),
  /** Stores an authorization request for ninety seconds and one visit (RFC 9126). */
  par: call<PushedReply>()({
    method: 'POST',
    path: PATHS.par,
    caller: 'client',
    status: 201,
    form: { ...CLIENT, ...AUTHORIZATION, redirect_uri: 'string' },
  }),
  /** Codes for a device without a browser (RFC 8628). */
  deviceAuthorization: call<DeviceReply>()({
    method: 'POST',
    path: PATHS.deviceAuthorization,
    caller: 'client',
    form: { ...CLIENT, scope: 'string?', resource: 'string?' },
  }),
  /** Ends a token (RFC 7009). An unknown token counts as revoked. */
  revoke: call<EmptyReply>()({ method: 'POST', path: PATHS.revoke, caller: 'client', form: TOKEN }),
  /** The claims of a live token (RFC 7662). A client that accepts `application/token-introspection+jwt` gets a JWT (RFC 9701). */
  introspect: call<IntrospectionReply>()({ method: 'POST', path: PATHS.introspect, caller: 'client', form: TOKEN }),
  /** The claims of the user of an access token. */
  userinfo: call<UserInfoReply>()({ method: 'GET', path: PATHS.userinfo, caller: 'access token' }),
  /** The same for a program that sends the token in a form. */
  postedUserinfo: call<UserInfoReply>()({
    method: 'POST',
    path: PATHS.userinfo,
    caller: 'access token',
    form: { access_token: 'string?' },
  }),
  /** The keys of ID tokens and access tokens. */
  jwks: call<KeySet>()({ method: 'GET', path: PATHS.jwks, caller: 'nobody' }),
  /** Registers an agent (RFC 7591), if the project allows it. */
  register: call<RegistrationReply, RegistrationBody>()({
    method: 'POST',
    path: PATHS.register,
    caller: 'initial token',
    status: 201,
  }),
  /** The registration of an agent (RFC 7592). */
  readRegistration: call<RegistrationReply>()({
    method: 'GET',
    path: `${PATHS.register}/:client`,
    caller: 'registration token',
  }),
  /** Replaces the metadata of an agent. */
  updateRegistration: call<RegistrationReply, RegistrationChange>()({
    method: 'PUT',
    path: `${PATHS.register}/:client`,
    caller: 'registration token',
  }),
  /** Removes an agent with its grants, tokens and sessions. */
  deleteRegistration: call<EmptyReply>()({
    method: 'DELETE',
    path: `${PATHS.register}/:client`,
    caller: 'registration token',
    status: 204,
  }),
} as const;

/** A page of this server to which an app sends browsers, and the parameters of its address or form. */
interface OAuthPage {
  readonly path: string;
  readonly query: Shape;
}

/** The pages. A path that is neither a page nor a call is a compile error. */
export const oauthPages = {
  /** Where a sign-in to an app begins. Leads to the page with the widget, or back to the app. */
  authorize: { path: PATHS.authorize, query: AUTHORIZATION },
  /** Where an app logs its user out. */
  logout: {
    path: PATHS.logout,
    query: {
      client_id: 'string?',
      id_token_hint: 'string?',
      post_logout_redirect_uri: 'string?',
      state: 'string?',
      ui_locales: 'string?',
    },
  },
  /** Where the user of a device enters its code. */
  device: { path: PATHS.device, query: { user_code: 'string?' } },
  /** Posts the answer of an authorization to an app that wants it in a form. */
  formPost: { path: PATHS.formPost, query: { answer: 'string', state: 'string?' } },
} as const satisfies Readonly<Record<Exclude<keyof typeof PATHS, keyof typeof oauthCalls>, OAuthPage>>;

type Calls = typeof oauthCalls;
export type OAuthCallName = keyof Calls;
export type OAuthReply<Name extends OAuthCallName> = NonNullable<Calls[Name]['types']>['reply'];

type FormOf<C> = C extends { readonly form: infer Form } ? keyof Form & string : never;
/** The parameters that this server reads. */
export type FormField = FormOf<Calls[OAuthCallName]>;
/** The parameters of the pages. */
export type PageParameter = {
  [Name in keyof typeof oauthPages]: keyof (typeof oauthPages)[Name]['query'] & string;
}[keyof typeof oauthPages];

/** The endpoints that also have a path of the public backend SDK, with replies in the format of the backend API. */
export const PROJECT_CALLS = ['token', 'introspect', 'revoke'] as const satisfies readonly OAuthCallName[];
