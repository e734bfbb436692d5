import { CONTEXTS } from '#domain/rules/authentication-methods.ts';
import { authorizationError, checkProofKey, checkRequest } from '#server-rules/authorization.ts';
import { checkRedirectUri, scopesFor, scopesOf, withQuery } from '#server-rules/connected-apps.ts';
import { isStorable } from '#server-rules/request-body.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Services } from '#provider/accounts/services.ts';
import { mfaRulesOf } from '#provider/accounts/sessions/factors/policy.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { isTrustedReceiver, requireApp } from '#provider/project/registry/connected-apps.ts';
import { pageQuery, signRequest, storeRequest, type CheckedRequest } from './authorization-requests.ts';
import { readClaims, type RequestedContexts } from './claims-parameter.ts';
import { brokenRule } from '../failures/failure-causes.ts';
import { joinedResources, scopesIn } from '../protocol/form.ts';
import { isOAuthErrorCode, OAuthError } from '../protocol/oauth-error.ts';
import { readIdTokenHint } from '../tokens/read-tokens.ts';
import { audiencesIn, scopesAt } from '../protocol/resources.ts';
import { answerAddress, modeOrQuery, responseModeOf } from './response-modes.ts';

type EndpointServices = Pick<Services, 'db' | 'keys' | 'clock' | 'random' | 'project'>;

/** The refused parameters of OpenID Connect Core, sections 6.1, 6.2 and 7.2.1, with their errors. */
const UNSUPPORTED = ['request', 'request_uri', 'registration'] as const;

/** Parameters for the page's appearance and the expected user. They have no influence on the decision. */
const HINTS = ['login_hint', 'ui_locales', 'claims_locales', 'acr_values', 'display'] as const;

/** The default scopes of a request. */
const DEFAULT_SCOPE = 'openid email profile';

/** Together with the page's URL and the signature, this fits into the eight kilobytes that proxies allow for a request line. */
const LONGEST = 7 * 1024;

/** The value of a parameter; an empty one counts as absent (RFC 6749, section 3.1). */
const valueOf = (params: URLSearchParams, name: string): string | undefined => (params.get(name) ?? '') || undefined;

/** The app, if the answer can be sent to it. Otherwise refuses, so that a person can read the reason (RFC 6749, section 4.1.2.1). */
async function receiverOf(services: EndpointServices, params: URLSearchParams) {
  const { length } = params.toString();
  if (length > LONGEST) {
    const message = `The authorization request has ${length} characters, and at most ${LONGEST} are allowed. Make state shorter.`;
    throw new Refusal('request_too_large', message);
  }
  for (const name of ['client_id', 'redirect_uri']) {
    if (params.getAll(name).length > 1) throw new Refusal('duplicate_parameter');
    if (!isStorable(params.get(name) ?? '')) throw new Refusal('bad_request', `${name} is not Unicode without NUL.`);
  }
  const client_id = valueOf(params, 'client_id');
  if (client_id === undefined) throw new Refusal('bad_request', 'client_id is missing.');
  const redirect_uri = valueOf(params, 'redirect_uri');
  if (redirect_uri === undefined) throw new Refusal('invalid_redirect_uri', 'redirect_uri is missing.');
  const client = await requireApp(services, client_id);
  checkRedirectUri(client, redirect_uri);
  return { client, redirect_uri };
}

/** The values of the parameters. A repeated one is ambiguous (RFC 6749, section 3.1), except `resource` (`form.ts`). */
function parametersIn(params: URLSearchParams): Readonly<Partial<Record<string, string>>> {
  const names = [...new Set(params.keys())].filter((name) => name !== 'resource');
  const twice = names.some((name) => params.getAll(name).length > 1);
  if (twice) throw new OAuthError('invalid_request', 'A parameter is there more than once.');
  const entries = [...params].filter(([, value]) => value !== '');
  const strange = entries.some(([name, value]) => !isStorable(name) || !isStorable(value));
  if (strange) throw new OAuthError('invalid_request', 'A parameter is not Unicode without NUL.');
  return { ...Object.fromEntries(entries), resource: joinedResources(params.getAll('resource')) };
}

/**
 * The scopes of the request without those that the project does not have (OpenID Connect Core, section 3.1.2.1). An agent does not know
 * which scopes agents can have, so it gets the remaining ones (RFC 6749, section 3.3). Any other app is registered with its scopes, so a
 * request for others is its mistake.
 */
function scopeOf({ project }: Pick<Services, 'project'>, client: ConnectedAppSettings, text: string): string {
  const projectScopes = new Set(scopesOf(project));
  const requested = scopesIn(text).filter((scope) => projectScopes.has(scope));
  const allowed = scopesFor(project, client);
  const scopes = requested.filter((scope) => allowed.includes(scope));
  const forbiddenScope = requested.find((scope) => !allowed.includes(scope));
  if (forbiddenScope !== undefined && (client.agent === undefined || scopes.length === 0)) {
    throw new OAuthError('invalid_scope', `The app cannot ask for the scope ${forbiddenScope}.`);
  }
  if (scopes.length === 0) throw new OAuthError('invalid_scope', 'The project has no such scope.');
  const isAdded = wantsRefresh(client, scopes) && allowed.includes('offline_access');
  return [...new Set([...scopes, ...(isAdded ? ['offline_access'] : [])])].join(' ');
}

/**
 * True for an agent that listed the grant type `refresh_token` and requests no ID token. Such agents get `offline_access`: only OpenID
 * Connect has this scope (Core, section 11), and clients of the Model Context Protocol do not send it. The user sees it and decides.
 */
const wantsRefresh = ({ agent }: ConnectedAppSettings, scopes: readonly string[]): boolean =>
  agent?.refreshes === true && !scopes.includes('openid');

/** The user whose account the app requires, if it names one. */
async function subjectOf(
  services: EndpointServices,
  client: ConnectedAppSettings,
  request: { readonly hint: string | undefined; readonly subject: string | undefined },
): Promise<string | undefined> {
  if (request.hint === undefined) return request.subject;
  const hint = await readIdTokenHint(services, request.hint);
  const isOther = request.subject !== undefined && hint?.user_id !== request.subject;
  if (hint === null || hint.client_id !== client.client_id || isOther) {
    throw new OAuthError('invalid_request', 'id_token_hint is not an ID token that this server gave to the app.');
  }
  return hint.user_id;
}

/**
 * The context that the login must have, by the `claims` parameter or else by `acr_values`; undefined for any. A two-factor login also
 * satisfies a request for one factor, so a request that accepts both requires nothing.
 *
 * @throws OAuthError for an essential `acr` that no login here has (OpenID Connect Core, section 5.5.1.1)
 */
function contextFor(
  services: Pick<Services, 'project'>,
  claimed: RequestedContexts | undefined,
  acrValues: string | undefined,
): string | undefined {
  const contexts = mfaRulesOf(services) === undefined ? [] : Object.values<string>(CONTEXTS);
  const values = (claimed?.values ?? scopesIn(acrValues ?? '')).filter((value) => contexts.includes(value));
  if (claimed?.essential === true && values.length === 0) {
    throw new OAuthError('unmet_authentication_requirements', 'No login here has such an acr.');
  }
  return values.length > 0 && !values.includes(CONTEXTS.one) ? CONTEXTS.two : undefined;
}

async function checked(
  services: EndpointServices,
  client: ConnectedAppSettings,
  parameters: Readonly<Partial<Record<string, string>>>,
  { channel, issuer, redirect_uri }: RequestSource & { readonly redirect_uri: string },
): Promise<Omit<CheckedRequest, 'client_id' | 'redirect_uri'>> {
  for (const name of UNSUPPORTED) {
    if (parameters[name] !== undefined) throw new OAuthError(`${name}_not_supported`, `${name} is not supported.`);
  }
  if (channel === 'front' && client.require_pushed_authorization_requests === true) {
    throw new OAuthError('invalid_request', 'The app must push its requests (RFC 9126).', { rule: 'pushed_request' });
  }
  const { response_type, prompt, max_age, state, nonce } = parameters;
  if (response_type === undefined) throw new OAuthError('invalid_request', 'response_type is missing.');
  const response_mode = responseModeOf(parameters['response_mode'], { client, redirect_uri });
  checkRequest({ response_type, prompt, max_age });
  const { code_challenge, code_challenge_method } = parameters;
  checkProofKey({ code_challenge, code_challenge_method }, client);
  const { dpop_jkt } = parameters;
  if (dpop_jkt !== undefined && !/^[\w-]{43}$/u.test(dpop_jkt)) {
    throw new OAuthError('invalid_request', 'dpop_jkt must be the SHA-256 thumbprint of a key.');
  }
  const claims = readClaims(parameters['claims']);
  const audiences = audiencesIn(services, { client, issuer, resource: parameters['resource'] });
  const requestScope = scopeOf(services, client, [parameters['scope'] ?? DEFAULT_SCOPE, ...claims.scopes].join(' '));
  const scope = scopesAt(services, audiences, scopesIn(requestScope)).join(' ');
  if (scope === '') throw new OAuthError('invalid_scope', 'The API has no such scope.');
  const subject = await subjectOf(services, client, { hint: parameters['id_token_hint'], subject: claims.subject });
  const proof = { code_challenge, code_challenge_method, dpop_jkt };
  const acr = contextFor(services, claims.acr, parameters['acr_values']);
  const at = services.clock.now();
  return { response_type, response_mode, scope, prompt, max_age, state, nonce, ...proof, at, subject, audiences, acr };
}

/** Whether the client pushed the request (RFC 9126), or a browser sent it. */
type RequestChannel = 'pushed' | 'front';

interface RequestSource {
  readonly channel: RequestChannel;
  /** The address of this server. */
  readonly issuer: string;
}

/** A request as it arrived. */
export interface ArrivedRequest {
  readonly params: URLSearchParams;
  readonly channel: RequestChannel;
}

/** Checks a request that the client pushes in the same way as a browser's visit. Throws an OAuthError for every problem. */
export async function checkPushed(services: EndpointServices, params: URLSearchParams, issuer: string): Promise<void> {
  try {
    const { client, redirect_uri } = await receiverOf(services, params);
    await checked(services, client, parametersIn(params), { channel: 'pushed', issuer, redirect_uri });
  } catch (error) {
    if (error instanceof OAuthError || !(error instanceof Refusal)) throw error;
    const fields = authorizationError(error);
    const code = fields?.error ?? '';
    const rule = brokenRule(error, { client: undefined, isForm: false }) ?? 'request';
    throw new OAuthError(isOAuthErrorCode(code) ? code : 'invalid_request', error.message, { rule });
  }
}

/** An error as the fields of the authorization response; null if the error is not for the app. */
function fieldsOf(error: unknown): Readonly<Record<string, string>> | null {
  if (error instanceof OAuthError) return { error: error.error, error_description: error.message };
  return authorizationError(error);
}

interface AuthorizationPlace {
  /** The project's page. */
  readonly page: string;
  /** Tells the app which server answered (RFC 9207). */
  readonly issuer: string;
  /** Called with every error that is sent to the app. */
  readonly onError: (error: unknown) => Promise<void>;
}

/**
 * Answers a request to the authorization endpoint with the next URL for the browser: the page that asks the user, or the app if the request
 * is invalid (RFC 6749, section 4.1.2.1). Throws a Refusal if the app or its redirect URI is unknown. Throws the error itself if the app is
 * an unchecked agent.
 */
export async function authorizationTarget(
  services: EndpointServices,
  { params, channel }: ArrivedRequest,
  { page, issuer, onError }: AuthorizationPlace,
): Promise<string> {
  const { client, redirect_uri } = await receiverOf(services, params);
  try {
    const parameters = parametersIn(params);
    const { client_id } = client;
    const request = {
      client_id,
      redirect_uri,
      ...(await checked(services, client, parameters, { channel, issuer, redirect_uri })),
    };
    const hints = Object.fromEntries(HINTS.map((name) => [name, parameters[name]]));
    const rest = channel === 'pushed' ? await storeRequest(services, request) : await signRequest(services, request);
    return withQuery(page, { ...pageQuery(request), ...hints, authorization_request: rest });
  } catch (error) {
    const fields = fieldsOf(error);
    if (fields === null || !isTrustedReceiver(client, redirect_uri)) throw error;
    await onError(error);
    const only = (name: string): string | undefined =>
      params.getAll(name).length === 1 ? valueOf(params, name) : undefined;
    const place = { redirect_uri, mode: modeOrQuery(only('response_mode'), { client, redirect_uri }), issuer };
    return answerAddress(services, place, { ...fields, state: only('state'), iss: issuer });
  }
}
