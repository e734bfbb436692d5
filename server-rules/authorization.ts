import { contextOf, CONTEXTS } from '#domain/rules/authentication-methods.ts';
import {
  couldBeAnother,
  LISTED_SCOPES,
  scopeResults,
  type AppRequest,
  type ConnectedApp,
  type JudgedScope,
} from './connected-apps.ts';
import { lastLogin, type SessionFactors } from '#domain/rules/factors.ts';
import { withoutAdditions, type Additions } from './fresh-proof.ts';
import { checkChallenge } from './proof-key.ts';
import { Refusal, type RefusalType } from '#domain/rules/refusal.ts';

/** The parameters of an app's authorization request that the rules read. */
export interface AuthorizationRequest {
  readonly redirect_uri: string;
  readonly response_type: string;
  readonly scopes: readonly string[];
  readonly prompt?: string | undefined;
  readonly max_age?: string | undefined;
  /** The authentication context that the login must have; absent for any. */
  readonly acr?: string | undefined;
}

/** RFC 7636, section 4.3. */
export interface ProofKeyParameters {
  readonly code_challenge?: string | undefined;
  readonly code_challenge_method?: string | undefined;
}

/** The request as the consent page submits it. */
export interface AuthorizationSubmission extends AuthorizationRequest, ProofKeyParameters {
  /** The user's choice; read only if the user must consent. */
  readonly consent_granted?: boolean | undefined;
}

/** How the authorization endpoint received a request, before it sent the browser to the page. */
export interface RequestArrival {
  /** The time in milliseconds. A later login was made for this request. */
  readonly at: number;
  /** The user whose account the app requests (OpenID Connect Core, sections 3.1.2.1 and 5.5.1). */
  readonly subject?: string | undefined;
}

/** The asked user, and their login. */
export interface AuthorizationGrounds extends AppRequest {
  readonly user_id: string;
  /** Null for a request that the app sent to the page itself. */
  readonly arrival: RequestArrival | null;
  readonly project: AppRequest['project'] & { readonly allow_loopback: boolean };
  readonly session: SessionFactors;
  /** The login methods that do not count as a login for this request, because they are new; absent if none are known. */
  readonly additions?: Additions;
  /** The user's earlier grant to the app. */
  readonly granted: readonly string[];
  /** Whether the app had access to all APIs of the request before. Absent for a request without APIs besides the project's own. */
  readonly knownResources?: boolean;
  readonly now: number;
}

export interface JudgedRequest {
  readonly results: readonly JudgedScope[];
  readonly grantable: readonly string[];
  /** Whether the user must consent. */
  readonly asks: boolean;
}

/** OpenID Connect Core, section 3.1.2.1; `create` is that of Initiating User Registration 1.0. */
export const PROMPTS = ['none', 'login', 'consent', 'select_account', 'create'] as const;
type Prompt = (typeof PROMPTS)[number];

/** True if no page may be shown, not even for an error. */
export function isSilent(prompt: string | undefined): boolean {
  return (prompt ?? '').split(' ').includes('none');
}

/** The prompts that the app requests. Refuses an unknown prompt, and `none` together with another. */
function promptsIn(prompt: string | undefined): ReadonlySet<Prompt> {
  const words = (prompt ?? '').split(' ').filter((word) => word !== '');
  const prompts = words.map((word) => {
    const match = PROMPTS.find((each) => each === word);
    if (match === undefined) throw new Refusal('invalid_prompt');
    return match;
  });
  if (prompts.includes('none') && prompts.length > 1) throw new Refusal('invalid_prompt');
  return new Set(prompts);
}

/** The app's conditions on the login and the user. */
interface WantedInteraction {
  readonly prompts: ReadonlySet<Prompt>;
  /** The maximum age of the login: zero for a login of this request, null for any. */
  readonly loginAgeMs: number | null;
}

/** True for a request that depends on when the user logged in. */
export const wantsFreshLogin = ({ prompt, max_age }: Pick<AuthorizationRequest, 'prompt' | 'max_age'>): boolean =>
  max_age !== undefined || (prompt ?? '').split(' ').includes('login');

/** Refuses requests that are invalid for every user. */
export function checkRequest({
  response_type,
  prompt,
  max_age,
}: Pick<AuthorizationRequest, 'response_type' | 'prompt' | 'max_age'>): WantedInteraction {
  if (response_type !== 'code') throw new Refusal('unsupported_response_type');
  const prompts = promptsIn(prompt);
  if (max_age !== undefined && !/^\d{1,9}$/u.test(max_age)) throw new Refusal('invalid_max_age');
  if (prompts.has('login')) return { prompts, loginAgeMs: 0 };
  return { prompts, loginAgeMs: max_age === undefined ? null : Number(max_age) * 1000 };
}

/** When the user last logged in, in milliseconds. */
const loginOf = (session: SessionFactors): number | null => lastLogin(session)?.getTime() ?? null;

/** True if a login is newer than the request, so that it was made for it. */
const isForRequest = (login: number | null, arrival: RequestArrival | null): boolean =>
  login !== null && arrival !== null && login > arrival.at;

/**
 * Refuses a login that is older than the app allows, or of another user than it requests. A login that is newer than the request was made
 * for it, however long the user then reads the page. A login with a new method does not count, because whoever has a stolen session can add
 * one.
 */
function checkLogin(
  { prompts, loginAgeMs }: WantedInteraction,
  { arrival, session, additions, user_id, now }: AuthorizationGrounds,
): void {
  const isRecent = (login: number | null): boolean =>
    isForRequest(login, arrival) ||
    (login !== null && loginAgeMs !== null && loginAgeMs > 0 && now - login <= loginAgeMs);
  const last = loginOf(session);
  if (arrival?.subject !== undefined && arrival.subject !== user_id) {
    throw new Refusal(isForRequest(last, arrival) ? 'account_mismatch' : 'login_required');
  }
  if (loginAgeMs === null) return;
  const sessionFactors = additions === undefined ? session : withoutAdditions(session, additions);
  if (isRecent(loginOf(sessionFactors))) return;
  if (isRecent(last)) throw new Refusal('login_required', NEW_METHOD, undefined, { reason: 'new_method' });
  // Without the arrival, a login for this request cannot be recognized, and the user would be asked again and again.
  const isEndless = arrival === null && last !== null && !prompts.has('none');
  throw new Refusal(isEndless ? 'authorization_request_required' : 'login_required');
}

export const NEW_METHOD = 'This way to log in is new on your account. Log out, then log in by one that you had before.';

/** Refuses a login of one factor if the app requires two: the user proves another one in their session, and continues. */
function checkContext({ acr }: Pick<AuthorizationRequest, 'acr'>, session: SessionFactors): void {
  if (acr === CONTEXTS.two && contextOf(session) !== CONTEXTS.two) throw new Refusal('mfa_required');
}

/** The requested scopes, and whether the user must consent. Refuses an invalid request. */
export function judgeRequest(request: AuthorizationRequest, by: AuthorizationGrounds): JudgedRequest {
  const interaction = checkRequest(request);
  const { prompts } = interaction;
  const results = scopeResults(by, request.scopes);
  if (results.length === 0 && request.scopes.length > 0) throw new Refusal('invalid_scope');
  checkLogin(interaction, by);
  checkContext(request, by.session);
  const grantable = results.filter(({ is_grantable }) => is_grantable).map(({ scope }) => scope);
  const had = by.knownResources !== false && grantable.every((scope) => by.granted.includes(scope));
  const before = grantable.length > 0 && had;
  const { project, client } = by;
  const trusted = client.first_party && !(client.asks_for_offline_access && grantable.includes('offline_access'));
  const isKnown = !couldBeAnother(project, client, request.redirect_uri) && (trusted || before);
  // A user who wants a new account sees that another one is logged in, and can use a new one.
  const isTaken = prompts.has('create') && !isForRequest(loginOf(by.session), by.arrival);
  const asks = prompts.has('consent') || prompts.has('select_account') || isTaken || !isKnown;
  return { results, grantable, asks };
}

/** Refuses methods other than S256, and a request without a challenge by a client that needs one. */
export function checkProofKey(
  { code_challenge, code_challenge_method: method = 'S256' }: ProofKeyParameters,
  client: Pick<ConnectedApp, 'client_type' | 'pkce_required'>,
): void {
  // RFC 7636, section 4.4.1: without the parameter, the method is plain. OAuth 2.1 has only S256.
  if (method !== 'S256') throw new Refusal('unsupported_code_challenge_method');
  checkChallenge(code_challenge, client.client_type === 'public' || client.pkce_required !== false);
}

/**
 * The scopes of the code, or null if the user had to consent and did not. Refuses a request that cannot be granted. Whether the user must
 * consent is decided again for the submission, from the request and the stored data. Pages of this wire submit `consent_granted: false` if
 * the start of the flow required no consent.
 */
export function scopesToGrant(
  submission: AuthorizationSubmission,
  { client }: Pick<AuthorizationGrounds, 'client'>,
  { results, grantable, asks }: JudgedRequest,
): readonly string[] | null {
  checkProofKey(submission, client);
  if (asks && isSilent(submission.prompt)) throw new Refusal('consent_required');
  if (asks && submission.consent_granted !== true) return null;
  if (grantable.length === 0 && results.length > 0) throw new Refusal('invalid_scope');
  return grantable;
}

/** True if the app can renew its access alone, which makes it as powerful as a login factor. */
export function isLasting(scopes: readonly string[]): boolean {
  return scopes.some((scope) => LISTED_SCOPES.has(scope));
}

/** RFC 6749, section 4.1.2.1, and OpenID Connect Core, section 3.1.2.6. */
const ERRORS: Partial<Record<RefusalType, string>> = {
  unsupported_response_type: 'unsupported_response_type',
  invalid_scope: 'invalid_scope',
  invalid_prompt: 'invalid_request',
  invalid_max_age: 'invalid_request',
  unsupported_code_challenge_method: 'invalid_request',
  pkce_code_challenge_required: 'invalid_request',
  invalid_code_challenge: 'invalid_request',
  user_unauthenticated: 'login_required',
  unauthorized_credentials: 'login_required',
  login_required: 'login_required',
  account_mismatch: 'login_required',
  mfa_required: 'interaction_required',
  consent_required: 'consent_required',
};

/** True for a refusal that the app gets even if a person is present: they did what the app requested, but as another user. */
export function isForApp(error: unknown): boolean {
  return error instanceof Refusal && error.type === 'account_mismatch';
}

/**
 * The refusal as an authorization response, or null for one that must not be reported to the app. Call it only after the app and the
 * redirect URI were checked.
 */
export function authorizationError(
  cause: unknown,
): { readonly error: string; readonly error_description: string } | null {
  const error = cause instanceof Refusal ? ERRORS[cause.type] : undefined;
  return error === undefined ? null : { error, error_description: (cause as Refusal).message };
}
