import type { Handler, Hono } from 'hono';
import { Refusal } from '#domain/rules/refusal.ts';
import { MOST_VALUES } from '#domain/rules/session-cookies.ts';
import { isForOffer, newChallenge, proveSession, registerKey } from '#provider/accounts/sessions/device-binding.ts';
import { findLive, findSignedIn, type CurrentSession, type SignedIn } from '#provider/accounts/sessions/rows/find.ts';
import { lackOf } from '#provider/accounts/sessions/factors/policy.ts';
import { authenticated, renew } from '#provider/accounts/sessions/rows/store.ts';
import type { SessionRow } from '#provider/accounts/sessions/tables.ts';
import { remoteAddress } from '#provider/base/http/arrival.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { BOUND_PATHS, boundOrigins, ownOrigin } from './bound-addresses.ts';
import { furtherCalls, type BoundInstructions } from './further-calls.ts';
import type { SessionServices } from '#provider/accounts/services.ts';
import { SessionCookies } from './session-cookies.ts';

/** A structured string (RFC 9651). Some browsers send it with quotes and some without. */
const textOf = (value: string | undefined): string | null => value?.replaceAll(/^"|"$/gu, '') ?? null;

/**
 * The two URLs that a browser itself calls to bind a session and to prove it again, and the file with which the domain permits that for all
 * its hosts (W3C Device Bound Session Credentials, sections 8.7 and 9).
 */
export function mountDeviceBound(app: Hono<AppEnv>, services: SessionServices): void {
  app.post(BOUND_PATHS.register, async (context) => answer(context, services, register));
  app.post(BOUND_PATHS.refresh, async (context) => answer(context, services, refresh));
  app.get(furtherCalls.bindingOrigins.path, bindingOrigins(services));
}

function bindingOrigins({ project }: SessionServices): Handler<AppEnv> {
  return (context) => {
    context.set('pattern', furtherCalls.bindingOrigins.path);
    if (project.session_cookies.device_bound !== 'site') throw new Refusal('route_not_found');
    return context.json({ registering_origins: [ownOrigin(project, context)] });
  };
}

interface BoundCall {
  readonly context: AppContext;
  readonly services: SessionServices;
  readonly cookies: SessionCookies;
  /** The proof in `Secure-Session-Response`. */
  readonly jwt: string | null;
}

type BoundHandler = (call: BoundCall) => Promise<Response>;

async function answer(context: AppContext, services: SessionServices, handler: BoundHandler): Promise<Response> {
  context.set('pattern', context.req.path);
  const { sender, isSilent } = senderOf(context);
  const cookies = SessionCookies.of(services, context, isSilent);
  if (cookies === null) throw new Refusal('route_not_found');
  context.header('Cache-Control', 'no-store');
  // If a script sets a header, its request has another mode. So no script can bind a session to a key that it made.
  const isBrowser = sender.mode === undefined || sender.mode === 'no-cors';
  const isOwn = sender.origin !== undefined && boundOrigins(services.project, context).includes(sender.origin);
  if (!isSilent && !(isBrowser && isOwn)) throw new Refusal('unregistered_origin');
  cookies.removeForeign();
  const jwt = textOf(context.req.header('secure-session-response'));
  return handler({ context, services, cookies, jwt });
}

/** How a browser describes the sender of the request. */
function senderOf({ req }: AppContext) {
  const [origin, mode, site] = ['origin', 'sec-fetch-mode', 'sec-fetch-site'].map((name) => req.header(name));
  const isDescribed = origin !== undefined || mode !== undefined || site !== undefined;
  const isNamed = ['secure-session-response', 'sec-secure-session-id'].some((name) => req.header(name) !== undefined);
  // Chromium 150 does this itself. A form cannot set a header, and in every browser a script that sets one has an origin.
  return { sender: { origin, mode }, isSilent: !isDescribed && isNamed };
}

/**
 * The live session of the request's token cookie, proved or not, that passes this test. If there are very many cookies, the last ones
 * count: cookies that a sibling host adds only for this path come before the browser's own (RFC 6265, section 5.4).
 */
async function sessionOf(
  { services, cookies }: BoundCall,
  accepts: (found: SignedIn) => boolean,
): Promise<SignedIn | undefined> {
  for (const token of cookies.secrets.tokens.slice(-MOST_VALUES)) {
    // oxlint-disable-next-line no-await-in-loop -- at most three, and almost always one
    const found = await findSignedIn(services, token);
    if (found !== undefined && accepts(found)) return found;
  }
  return undefined;
}

async function register(call: BoundCall): Promise<Response> {
  const { services, context, jwt } = call;
  const { db, project } = services;
  if (jwt === null || project.session_cookies.device_bound === 'off') throw new Refusal('unauthorized_credentials');
  const isOffered = ({ session }: SignedIn): boolean =>
    session.bound_key === null && isForOffer(services, session, jwt);
  const found = await sessionOf(call, isOffered);
  if (found === undefined) throw new Refusal('unauthorized_credentials');
  const audience = ownOrigin(project, context) + BOUND_PATHS.register;
  const row = await registerKey(services, found.session, { jwt, audience });
  if (row === undefined) throw new Refusal('unauthorized_credentials');
  const { token, user } = found;
  return instructions(call, await authenticated(services, db, row, { token, user, provenUntil: undefined }));
}

async function refresh(call: BoundCall): Promise<Response> {
  const { services, context, jwt } = call;
  const { db, project } = services;
  const id = textOf(context.req.header('sec-secure-session-id'));
  const isNamed = ({ session }: SignedIn): boolean => session.session_id === id && hasKey(session);
  const found = await sessionOf(call, isNamed);
  if (found === undefined) return (await hasNewToken(call, id)) ? later() : stopRefresh(call, id);
  const { session } = found;
  // A login adds the second factor, and starts another session if this one has no proof.
  if ((await lackOf(services, db, session, found.user)) !== null) return later();
  const audience = ownOrigin(project, context) + BOUND_PATHS.refresh;
  const from = { address: remoteAddress(context), request_id: context.get('requestId') };
  const reply = async (current: CurrentSession) => renew(services, { ...found, session: current }, {});
  const renewed = jwt === null ? null : await proveSession(services, session, { jwt, audience }, { from, reply });
  if (renewed === null) {
    challengeNext(call, session.session_id);
    return context.body(null, 403);
  }
  if (renewed !== undefined) return instructions(call, renewed);
  return (await isLive(call, id)) ? later() : stopRefresh(call, id);
}

const hasKey = ({ bound_key, trial_key }: SessionRow): boolean => (bound_key ?? trial_key) !== null;

/** Whether the session with this id is live and has a key. */
async function isLive({ services }: BoundCall, id: string | null): Promise<boolean> {
  const session = id === null ? undefined : await findLive(services, services.db, id);
  return session !== undefined && hasKey(session);
}

/**
 * Whether a login may have replaced the token of the named session, and its reply has not reached the browser yet. Then the token names no
 * session.
 */
async function hasNewToken(call: BoundCall, id: string | null): Promise<boolean> {
  const isSent = call.cookies.secrets.tokens.length > 0;
  return isSent && (await sessionOf(call, () => true)) === undefined && (await isLive(call, id));
}

/** The browser keeps its key, and asks again with a later request. */
function later(): never {
  throw new Refusal('service_unavailable', 'The session cannot be proved at the moment. Please try again.', 1);
}

/** Ends the browser's part: it deletes the key, and stops asking. */
function stopRefresh({ context }: Pick<BoundCall, 'context'>, id: string | null): Response {
  return context.json({ session_identifier: id ?? '', continue: false } satisfies BoundInstructions);
}

/** Gives the browser the challenge for its next proof, so that the next proof needs only one request (section 9.2). */
function challengeNext({ context, services }: BoundCall, sessionId: string): void {
  context.header('Secure-Session-Challenge', `"${newChallenge(services, 'refresh', sessionId)}";id="${sessionId}"`);
}

/** Sets the JWT's cookie, and tells the browser which cookie it must renew, and for which requests (section 9.6). */
function instructions(call: BoundCall, reply: Awaited<ReturnType<typeof authenticated>>) {
  const { context, cookies } = call;
  const { project } = call.services;
  const { device_bound } = project.session_cookies;
  const { session, session_jwt = '' } = reply;
  if (session.device_bound === true) cookies.setProof(session_jwt);
  else cookies.setTrial(session_jwt);
  challengeNext(call, session.session_id);
  const [, siteOrigin] = boundOrigins(project, context);
  const scope = device_bound === 'site' ? { origin: siteOrigin, include_site: true } : { include_site: false };
  return context.json({
    session_identifier: session.session_id,
    refresh_url: BOUND_PATHS.refresh,
    scope,
    credentials: [{ type: 'cookie', ...cookies.proofCookie }],
    // A link from another site waits as well. Other requests from such a site have no cookie, so they do not wait.
    allowed_refresh_initiators: ['*'],
  } satisfies BoundInstructions);
}
