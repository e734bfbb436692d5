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
} from '../../../../../server-rules/authorization.ts';
import { checkRedirectUri } from '../../../../../server-rules/connected-apps.ts';
import { withoutAdditions } from '../../../../../server-rules/fresh-proof.ts';
import { lastProof } from '../../../../../src/domain/rules/authentication-methods.ts';
import type { AuthenticationFactor } from '../../../../../src/domain/sessions/session.ts';
import { factorIdsOf, scopesAtAll, type Provenance } from '../../../../../server-rules/provenance.ts';
import { Refusal } from '../../../../../src/domain/rules/refusal.ts';
import { auditRepeated } from '../../../base/audit/budgets.ts';
import { actorIn, audit, entryOf } from '../../../base/audit/record.ts';
import type { Db } from '../../../base/db/database.ts';
import { transaction } from '../../../base/db/statements/transaction.ts';
import type { ConnectedAppSettings } from '../../../project/settings/access.ts';
import { takeForUser } from '../../../base/security/limits.ts';
import { checkHeld, gateFor, holdSession, type AdmittedSession } from '../../../accounts/sessions/reading/admission.ts';
import type { Caller, CurrentSession } from '../../../accounts/sessions/reading/current.ts';
import { additionsIn } from '../../../accounts/sessions/factors/fresh.ts';
import { requireEnough } from '../../../accounts/sessions/factors/policy.ts';
import { requireSecondFactor } from '../../../accounts/sessions/factors/second-factor.ts';
import type { Services, SessionServices } from '../../../accounts/services.ts';
import { checkNotLockedOut, lockUser } from '../../../accounts/users/lock.ts';
import { readUserWithRoles } from '../../../accounts/users/read-user.ts';
import { isTrustedReceiver, requireApp } from '../../../project/registry/connected-apps.ts';
import type { OpenedRequest, Submission } from './authorization-requests.ts';
import { issueCode } from '../grants/codes.ts';
import { extendGrant, findGrant } from '../grants/grants.ts';
import { grantedAudiences, shownResources } from '../protocol/resources.ts';
import { answerAddress, modeOrQuery } from './response-modes.ts';
import { issuerOf } from '../../../project/issuer.ts';

type Request = OpenedRequest<Submission>;

/** Who grants an app access: a user in a session, or one for whom the app's own server vouches. */
export interface Grantor {
  readonly user_id: string;
  /** Null for a user without a session. Nobody knows then when they logged in, or by which factors. */
  readonly session: AdmittedSession | null;
}

/** Nobody logged in for what the app's own server vouches for. */
const provenanceOf = (session: CurrentSession | null): Provenance => ({
  session_id: session?.session_id ?? null,
  factor_ids: session === null ? [] : factorIdsOf(session),
});

export const inSession = (session: AdmittedSession): Grantor => ({ user_id: session.user_id, session });

/**
 * The app, after its redirect URI is checked: nothing is sent to a redirect URI before that (RFC 9700, section 4.11). A link to the page
 * itself is not the request that an app pushed (RFC 9126): the authorization endpoint signs that one.
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
 * What the user granted the app. Nothing where an agent's addresses or keys changed later: whoever gets its answers now is not known to be
 * who got them when the user allowed it.
 */
async function grantBefore(db: Db, user_id: string, { client_id, agent }: ConnectedAppSettings) {
  const found = await findGrant(db, user_id, client_id);
  return found !== undefined && agent !== undefined && found.updated_at < agent.changed_at ? undefined : found;
}

/** The input of the rules: the app, the user's roles, the APIs that the user granted before, and the scopes at those of the request. */
export async function authorizing(
  { project, db, clock }: Pick<Services, 'project' | 'db' | 'clock'>,
  client: ConnectedAppSettings,
  {
    user_id,
    session,
    arrival,
    body,
  }: Grantor & Pick<Request, 'arrival'> & { readonly body: Pick<Submission, 'audiences'> },
) {
  const user = await readUserWithRoles(project, db, user_id);
  const before = await grantBefore(db, user.user_id, client);
  const audiences = audiencesOf({ project }, body);
  // What was granted for one API was not for another one.
  const granted = before === undefined ? [] : scopesAtAll(before.scopes, before.audiences, audiences);
  const previousAudiences = before === undefined ? [] : grantedAudiences({ project }, before.audiences);
  const knownResources = audiences.every((audience) => previousAudiences.includes(audience));
  const factored = session ?? { authentication_factors: [] };
  const who = { user, user_id, roles: user.roles, session: factored };
  return { project, client, ...who, granted, knownResources, arrival, now: clock.now() };
}

/** The same for the request of a page, with the login methods that are no login for it. */
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

/** Locks the user, and refuses a session that has ended meanwhile. */
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

/** What the token endpoint will check of the request that redeems the code. */
type CodeBinding = Pick<Submission, 'redirect_uri' | 'code_challenge' | 'nonce' | 'dpop_jkt' | 'audiences'>;

interface CodeUse {
  /** When the code expires, in milliseconds. Default: soon. */
  readonly endsAt?: number;
  /** Runs in the transaction that makes the code; if it throws, nothing was granted. */
  readonly within?: (tx: Db, code: string) => Promise<void>;
}

/** What was added to the account lately is no login that an app may rely on. Null where there is no other. */
async function loginAt(services: Pick<Services, 'clock'>, tx: Db, session: CurrentSession): Promise<Date | null> {
  const additions = await additionsIn(services, tx, session);
  const isOld = (factor: AuthenticationFactor) =>
    withoutAdditions({ authentication_factors: [factor] }, additions).authentication_factors.length > 0;
  const authentication_factors = session.authentication_factors.map((factor) =>
    isOld(factor) ? factor : { ...factor, recently_added: true },
  );
  return lastProof({ authentication_factors, started_at: session.started_at });
}

/** Issues a code, bound to everything that the token endpoint will check. */
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
    // Such an app can renew its access alone, which makes it as powerful as a login factor.
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
    // An app that has what it asks for may ask again at will.
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

/** The authorization response for an error that the page does not show; null for any other. */
const errorForApp = (error: unknown, prompt: string | undefined) =>
  isSilent(prompt) || isForApp(error) ? authorizationError(error) : null;

/** An error that is meant for the app is not thrown here: the submission reports it. */
function judgedForPage(body: Submission, by: AuthorizationGrounds): Pick<JudgedRequest, 'asks' | 'results'> {
  try {
    return judgeRequest(body, by);
  } catch (error) {
    if (errorForApp(error, body.prompt) !== null) return { asks: false, results: [] };
    throw error;
  }
}

/** What a consent page shows. With `prompt=none` the user is not asked: the submission reports any obstacle to the app. */
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
 * Whether an error leads the browser to the app though nobody decided anything (RFC 9700, section 4.11.2): to an agent that nobody checked
 * only if the user let it in before.
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
 * Scopes that cannot be granted are left out; if none remains, there is no code. An invalid request is refused here,
 * where a person can read the reason, unless `prompt=none` says that no person is there.
 *
 * @param by finds who grants the access. If it refuses, the app is told of that too.
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
  // Nothing was granted, and nothing is written down.
  if (!('code' in answer)) by.caller.trail.isWritten = true;
  const { state, redirect_uri, response_mode } = body;
  // RFC 9207: tells the app which server answered.
  const issuer = issuerOf(services.project, by.caller.origin);
  const place = { redirect_uri, mode: modeOrQuery(response_mode, { client, redirect_uri }), issuer };
  const target = await answerAddress(services, place, { ...answer, state, iss: issuer });
  return { redirect_uri: target, ...('code' in answer ? { authorization_code: answer.code } : {}) };
}
