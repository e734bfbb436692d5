import { couldBeAnother, LISTED_SCOPES, scopeResults, type AppRequest, type JudgedScope } from './connected-apps.ts';
import { lastLogin, type SessionFactors } from './factors.ts';
import { MINUTE_MS } from './lifetimes.ts';
import { checkChallenge } from './proof-key.ts';
import { Refusal, type RefusalType } from './refusal.ts';

/** What an app asks for at the authorization endpoint, as far as the rules read it. */
export interface AuthorizationRequest {
  readonly redirect_uri: string;
  readonly response_type: string;
  readonly scopes: readonly string[];
  readonly prompt?: string | undefined;
  readonly max_age?: string | undefined;
}

/** The request as the consent page hands it in. */
export interface AuthorizationSubmission extends AuthorizationRequest {
  readonly code_challenge?: string | undefined;
  readonly code_challenge_method?: string | undefined;
  /** The user's choice; read only where the user must consent. */
  readonly consent_granted?: boolean | undefined;
}

/** Who is asked, and what is known of them. */
export interface AuthorizationGrounds extends AppRequest {
  readonly project: AppRequest['project'] & { readonly allow_loopback: boolean };
  readonly session: SessionFactors;
  /** What the user granted the app before. */
  readonly granted: readonly string[];
  readonly now: number;
}

export interface JudgedRequest {
  readonly results: readonly JudgedScope[];
  readonly grantable: readonly string[];
  /** Whether the user must consent. */
  readonly asks: boolean;
}

/** OpenID Connect Core, section 3.1.2.1. */
export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
type Prompt = (typeof PROMPTS)[number];

/** A login is fresh for so long: the page that asks comes right after it, and has to be read. */
const FRESH_MS = 5 * MINUTE_MS;

/** True when no page may be shown, not even for an error. */
export function isSilent(prompt: string | undefined): boolean {
  return (prompt ?? '').split(' ').includes('none');
}

/** What the app wants the user to be asked. Refuses an unknown word, and `none` beside another. */
function promptsIn(prompt: string | undefined): ReadonlySet<Prompt> {
  const words = (prompt ?? '').split(' ').filter((word) => word !== '');
  const prompts = words.map((word) => {
    const known = PROMPTS.find((each) => each === word);
    if (known === undefined) throw new Refusal('invalid_prompt');
    return known;
  });
  if (prompts.includes('none') && prompts.length > 1) throw new Refusal('invalid_prompt');
  return new Set(prompts);
}

/** How old the login may be, by `prompt` and `max_age`; null for any. Less than the time to read a page is not held to. */
function loginAgeMs(prompts: ReadonlySet<Prompt>, maxAge: string | undefined): number | null {
  if (maxAge !== undefined && !/^\d{1,9}$/u.test(maxAge)) throw new Refusal('invalid_max_age');
  if (prompts.has('login')) return FRESH_MS;
  return maxAge === undefined ? null : Math.max(FRESH_MS, Number(maxAge) * 1000);
}

function isFresh(now: number, session: SessionFactors, ageMs: number): boolean {
  const login = lastLogin(session);
  return login !== null && now - login.getTime() < ageMs;
}

/** The requested scopes, and whether the user must consent. Refuses an invalid request. */
export function judgeRequest(request: AuthorizationRequest, by: AuthorizationGrounds): JudgedRequest {
  if (request.response_type !== 'code') throw new Refusal('unsupported_response_type');
  const prompts = promptsIn(request.prompt);
  const results = scopeResults(by, request.scopes);
  const age = loginAgeMs(prompts, request.max_age);
  if (age !== null && !isFresh(by.now, by.session, age)) throw new Refusal('login_required');
  const grantable = results.filter(({ is_grantable }) => is_grantable).map(({ scope }) => scope);
  const before = grantable.length > 0 && grantable.every((scope) => by.granted.includes(scope));
  const { project, client } = by;
  const trusted = client.first_party && !(client.asks_for_offline_access && grantable.includes('offline_access'));
  const known = !couldBeAnother(project, client, request.redirect_uri) && (trusted || before);
  const asks = prompts.has('consent') || prompts.has('select_account') || !known;
  return { results, grantable, asks };
}

/**
 * The scopes of the code, or null when the user had to consent and did not. Refuses a request that cannot be granted.
 * Whether the user must consent is judged again for the submission, from the request and what is stored. Pages of this wire
 * submit `consent_granted: false` where the start of the flow required no consent.
 */
export function scopesToGrant(
  submission: AuthorizationSubmission,
  { client }: Pick<AuthorizationGrounds, 'client'>,
  { results, grantable, asks }: JudgedRequest,
): readonly string[] | null {
  const { code_challenge_method: method = 'S256' } = submission;
  // RFC 7636, section 4.4.1. One that is absent means plain there; OAuth 2.1 knows only S256.
  if (method !== 'S256') throw new Refusal('unsupported_code_challenge_method');
  checkChallenge(submission.code_challenge, client.client_type === 'public' || client.pkce_required === true);
  if (asks && isSilent(submission.prompt)) throw new Refusal('consent_required');
  if (asks && submission.consent_granted !== true) return null;
  if (grantable.length === 0 && results.length > 0) throw new Refusal('invalid_scope');
  return grantable;
}

/** True when the app can renew its access alone, which makes it as powerful as a login factor. */
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
  mfa_required: 'interaction_required',
  consent_required: 'consent_required',
};

/**
 * The refusal as an authorization response, or null for one that is not the app's to know. Only for an app and a redirect
 * URI that were checked.
 */
export function authorizationError(
  thrown: unknown,
): { readonly error: string; readonly error_description: string } | null {
  const error = thrown instanceof Refusal ? ERRORS[thrown.type] : undefined;
  return error === undefined ? null : { error, error_description: (thrown as Refusal).message };
}
