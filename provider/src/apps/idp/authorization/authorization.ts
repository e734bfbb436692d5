import {
  authorizationError,
  isForApp,
  isLasting,
  isSilent,
  judgeRequest,
  scopesToGrant,
  wantsFreshLogin,
  type AuthorizationGrounds,
  type JudgedRequest,
} from '#server-rules/authorization.ts';
import { checkRedirectUri } from '#server-rules/connected-apps.ts';
import { withoutAdditions } from '#server-rules/fresh-proof.ts';
import { lastProof } from '#domain/rules/authentication-methods.ts';
import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import { factorIdsOf, scopesAtAll, type Provenance } from '#server-rules/provenance.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { auditRepeated } from '#provider/base/audit/budgets.ts';
import { actorIn, audit, entryOf } from '#provider/base/audit/record.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { takeForUser } from '#provider/base/security/limits.ts';
import {
  checkHeld,
  gateFor,
  holdSession,
  type AdmittedSession,
} from '#provider/accounts/sessions/reading/admission.ts';
import type { Caller, CurrentSession } from '#provider/accounts/sessions/reading/current.ts';
import { additionsIn } from '#provider/accounts/sessions/factors/fresh.ts';
import { requireEnough } from '#provider/accounts/sessions/factors/policy.ts';
import { requireSecondFactor } from '#provider/accounts/sessions/factors/second-factor.ts';
import type { Services, SessionServices } from '#provider/accounts/services.ts';
import { checkNotLockedOut, lockUser } from '#provider/accounts/users/lock.ts';
import { readUserWithRoles } from '#provider/accounts/users/read-user.ts';
import { isTrustedReceiver, requireApp } from '#provider/project/registry/connected-apps.ts';
import type { OpenedRequest, Submission } from './authorization-requests.ts';
import { issueCode } from '../grants/codes.ts';
import { extendGrant, findGrant } from '../grants/grants.ts';
import { grantedAudiences, shownResources } from '../protocol/resources.ts';
import { answerAddress, modeOrQuery } from './response-modes.ts';
import { issuerOf } from '#provider/project/issuer.ts';

type Request = OpenedRequest<Submission>;

/** Who grants an app access: a user in a session, or one that the app's own server vouches for. */
export interface Grantor {
  readonly user_id: string;
  /** Null for a user without a session. Then it is unknown when and with which factors they logged in. */
  readonly session: AdmittedSession | null;
}

/** If the app's own server vouches for the user, nobody logged in for the grant. */
const provenanceOf = (session: CurrentSession | null): Provenance => ({
  session_id: session?.session_id ?? null,
  factor_ids: session === null ? [] : factorIdsOf(session),
});

export const inSession = (session: AdmittedSession): Grantor => ({ user_id: session.user_id, session });

/**
 * Finds the app and checks its redirect URI. Before that, nothing is sent to a redirect URI (RFC 9700, section 4.11). If the app must push
 * its requests (RFC 9126), a direct link to the page is refused: it has no text signed by the authorization endpoint.
 */
async function clientFor(
  services: Pick<Services, 'db' | 'project'>,
  { body: { client_id, redirect_uri }, arrival }: Request,
): Promise<ConnectedAppSettings> {
  const client = await requireApp(services, client_id);
  checkRedirectUri(client, redirect_uri);
  if (client.require_pushed_authorization_requests === true && arrival === null) {
    throw new Refusal('authorization_request_required');
  }
  return client;
}

/** The APIs of the tokens. */
const audiencesOf = (
  { project }: Pick<Services, 'project'>,
  { audiences }: Pick<Submission, 'audiences'>,
): readonly string[] => audiences ?? [project.project_id];

/**
 * What the user granted the app. If an agent's redirect URIs or keys changed later, nothing: other people may get its answers now than when
 * the user allowed it.
 */
async function grantBefore(db: Db, user_id: string, { client_id, agent }: ConnectedAppSettings) {
  const found = await findGrant(db, user_id, client_id);
  return found !== undefined && agent !== undefined && found.updated_at < agent.changed_at ? undefined : found;
}

type AuthorizingUser = Grantor & Pick<Request, 'arrival'> & { readonly body: Pick<Submission, 'audiences'> };

/** The input of the rules: the app, the user's roles, the APIs that the user has already granted, and the scopes at the requested APIs. */
export async function authorizing(
  { project, db, clock }: Pick<Services, 'project' | 'db' | 'clock'>,
  client: ConnectedAppSettings,
  { user_id, session, arrival, body }: AuthorizingUser,
) {
  const user = await readUserWithRoles(project, db, user_id);
  const before = await grantBefore(db, user.user_id, client);
  const audiences = audiencesOf({ project }, body);
  // A grant for one API does not cover another.
  const granted = before === undefined ? [] : scopesAtAll(before.scopes, before.audiences, audiences);
  const previousAudiences = before === undefined ? [] : grantedAudiences({ project }, before.audiences);
  const knownResources = audiences.every((audience) => previousAudiences.includes(audience));
  const factored = session ?? { authentication_factors: [] };
  const who = { user, user_id, roles: user.roles, session: factored };
  return { project, client, ...who, granted, knownResources, arrival, now: clock.now() };
}

/** The same for a request from the page, including the login methods that do not count as a login for it. */
async function authorizingPage(
  services: Pick<Services, 'project' | 'db' | 'clock'>,
  client: ConnectedAppSettings,
  { session, ...grantor }: Grantor,
  request: Request,
): Promise<AuthorizationGrounds & Awaited<ReturnType<typeof authorizing>>> {
  const by = await authorizing(services, client, { ...grantor, session, ...request });
  if (session === null || !wantsFreshLogin(request.body)) return by;
  return { ...by, additions: await additionsIn(services, services.db, session) };
}

/** Locks the user. Refuses if the session has ended meanwhile. */
async function hold(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  { user_id, session }: Grantor,
): Promise<CurrentSession | null> {
  if (session !== null) return (await holdSession(services, tx, session)).session;
  const user = await lockUser(tx, user_id);
  if (user === undefined) throw new Refusal('user_not_found');
  checkNotLockedOut(user);
  return null;
}

/** The values that the token endpoint compares with the request that redeems the code. */
type CodeBinding = Pick<Submission, 'redirect_uri' | 'code_challenge' | 'nonce' | 'dpop_jkt' | 'audiences'>;

interface CodeUse {
  /** When the code expires, in milliseconds. Default: soon. */
  readonly endsAt?: number;
  /** Runs in the transaction that makes the code. If it throws, nothing is granted. */
  readonly within?: (tx: Db, code: string) => Promise<void>;
}

/** When the user logged in. Recently added login methods do not count, because apps must not rely on them. Null if there is no other. */
async function loginAt(services: Pick<Services, 'clock'>, tx: Db, session: CurrentSession): Promise<Date | null> {
  const additions = await additionsIn(services, tx, session);
  const isOld = (factor: AuthenticationFactor) =>
    withoutAdditions({ authentication_factors: [factor] }, additions).authentication_factors.length > 0;
  const authentication_factors = session.authentication_factors.map((factor) =>
    isOld(factor) ? factor : { ...factor, recently_added: true },
  );
  return lastProof({ authentication_factors, started_at: session.started_at });
}

/** Issues a code, bound to all values that the token endpoint will check. */
export async function grant(
  services: SessionServices & Pick<Services, 'limits'>,
  { caller, ...grantor }: Grantor & { readonly caller: Caller },
  client: ConnectedAppSettings,
  body: CodeBinding,
  { scopes, isNew }: { readonly scopes: readonly string[]; readonly isNew: boolean },
  { endsAt, within = async () => undefined }: CodeUse = {},
): Promise<string> {
  const { user_id } = grantor;
  if (grantor.session !== null) await takeForUser(services, 'codes', user_id, services.limits.codesPerUser);
  return transaction(services.db, async (tx) => {
    const session = await hold(services, tx, grantor);
    const authentication_factors = session?.authentication_factors ?? [];
    await requireEnough(services, tx, { user_id, authentication_factors });
    // Such an app can renew its access without the user, so it is as powerful as a login factor.
    if (isLasting(scopes)) {
      if (session === null) await requireSecondFactor(services, tx, user_id, undefined);
      else await checkHeld(services, tx, gateFor(caller, 'lasting'), session);
    }
    const actor = session === null ? ({ kind: 'user', id: user_id } as const) : actorIn(session);
    const audiences = audiencesOf(services, body);
    const resources = shownResources(services, audiences).map(({ resource }) => resource);
    const details = { client_id: client.client_id, scopes, ...(resources.length === 0 ? {} : { resources }) };
    const session_id = session?.session_id ?? null;
    const entry = entryOf(caller, { user_id, actor, details });
    // An app may repeat a request for what it already has as often as it likes.
    if (entry !== null) await (isNew ? audit : auditRepeated)(services, tx, entry);
    const provenance = provenanceOf(session);
    const request = {
      grant_id: await extendGrant(services, tx, { user_id, client, scopes, audiences, provenance }),
      session_id,
      redirect_uri: body.redirect_uri,
      code_challenge: body.code_challenge ?? null,
      nonce: body.nonce ?? null,
      dpop_jkt: body.dpop_jkt ?? null,
      scopes,
      audiences,
      auth_time: session === null ? null : await loginAt(services, tx, session),
      factors: session?.authentication_factors ?? null,
    };
    const code = await issueCode(services, tx, request, endsAt);
    await within(tx, code);
    return code;
  });
}

/** The authorization response, if the app gets the error instead of the page; else null. */
const errorForApp = (error: unknown, prompt: string | undefined) =>
  isSilent(prompt) || isForApp(error) ? authorizationError(error) : null;

/** Does not throw errors that are meant for the app: the submission reports them. */
function judgedForPage(body: Submission, by: AuthorizationGrounds): Pick<JudgedRequest, 'asks' | 'results'> {
  try {
    return judgeRequest(body, by);
  } catch (error) {
    if (errorForApp(error, body.prompt) !== null) return { asks: false, results: [] };
    throw error;
  }
}

/** The data of a consent page. With `prompt=none` the user is not asked, and the submission reports any problem to the app. */
export async function startAuthorization(
  services: Pick<Services, 'db' | 'project' | 'clock'>,
  request: Request,
  grantor: Grantor,
) {
  const { body } = request;
  const client = await clientFor(services, request);
  const by = await authorizingPage(services, client, grantor, request);
  const { asks, results } = judgedForPage(body, by);
  const resources = shownResources(services, audiencesOf(services, body));
  const consent_required = asks && !isSilent(body.prompt);
  const resourceFields = resources.length === 0 ? {} : { resources: [...resources] };
  return { user: by.user, client, consent_required, scope_results: [...results], ...resourceFields };
}

/** The fields of the authorization response (RFC 6749, section 4.1.2). */
async function issueResponse(
  services: SessionServices & Pick<Services, 'limits'>,
  grantor: Grantor & { readonly caller: Caller },
  client: ConnectedAppSettings,
  request: Request,
) {
  const { body } = request;
  const by = await authorizingPage(services, client, grantor, request);
  const scopes = scopesToGrant(body, by, judgeRequest(body, by));
  if (scopes === null) return { error: 'access_denied' };
  const isNew = !by.knownResources || scopes.some((scope) => !by.granted.includes(scope));
  return { code: await grant(services, grantor, client, body, { scopes, isNew }) };
}

/**
 * Whether an error may redirect the browser to the app without a user's decision (RFC 9700, section 4.11.2). An agent that nobody checked
 * gets such redirects only if the user has granted it access before.
 */
async function mayReturn(
  services: Pick<Services, 'db'>,
  client: ConnectedAppSettings,
  redirectUri: string,
  grantor: () => Promise<Grantor>,
): Promise<boolean> {
  if (isTrustedReceiver(client, redirectUri)) return true;
  try {
    const { user_id } = await grantor();
    return (await grantBefore(services.db, user_id, client)) !== undefined;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * Answers the user's choice. Scopes that cannot be granted are left out; if none remains, there is no code. An invalid request is refused
 * here, where a person can read the reason, unless `prompt=none` says that no person is there.
 *
 * @param by finds who grants the access. If it refuses, the app gets that error, too.
 */
export async function submitAuthorization(
  services: SessionServices & Pick<Services, 'limits'>,
  request: Request,
  by: { readonly caller: Caller; readonly grantor: () => Promise<Grantor> },
) {
  const { body } = request;
  const client = await clientFor(services, request);
  const answering = async () =>
    issueResponse(services, { ...(await by.grantor()), caller: by.caller }, client, request);
  const answer = await answering().catch(async (error: unknown) => {
    const forApp = errorForApp(error, body.prompt);
    if (forApp === null || !(await mayReturn(services, client, body.redirect_uri, by.grantor))) throw error;
    return forApp;
  });
  // Nothing was granted, so nothing is written to the audit log.
  if (!('code' in answer)) by.caller.trail.isWritten = true;
  const { state, redirect_uri, response_mode } = body;
  // RFC 9207: tells the app which server answered.
  const issuer = issuerOf(services.project, by.caller.origin);
  const place = { redirect_uri, mode: modeOrQuery(response_mode, { client, redirect_uri }), issuer };
  const target = await answerAddress(services, place, { ...answer, state, iss: issuer });
  return { redirect_uri: target, ...('code' in answer ? { authorization_code: answer.code } : {}) };
}
