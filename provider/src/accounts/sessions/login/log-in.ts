import { mergeClaims } from '../rows/custom-claims.ts';
import type { NewFactor } from '#domain/rules/factors.ts';
import { SESSION_DURATION_MINUTES } from '#domain/sessions/session.ts';
import { actorOf, auditRow, entryOf } from '#provider/base/audit/record.ts';
import { withWrites, type WriteStatement } from '#provider/base/db/statements/with-writes.ts';
import type { Db } from '#provider/base/db/database.ts';
import { networkOfLogin } from '#provider/base/security/known-networks.ts';
import { newId, sessionToken } from '#provider/base/security/secrets.ts';
import type { Services } from '../../services.ts';
import { checkNotLockedOut } from '../../users/lock.ts';
import { keepInSession, storeAccounts } from '../../social-accounts/pending.ts';
import { readWholeUser } from '../../users/read-user.ts';
import type { CurrentSession } from '../reading/current.ts';
import { lifetimeOf, storedEnd } from '../rows/lifetime.ts';
import { applyLoginHook, letIn } from './let-in.ts';
import type { Login } from './login.ts';
import { beginLogin, checkProfile, trustIfAsked, type BegunLogin, type LoginOutcome } from './login-policy.ts';
import { lacksSecondFactor } from '../factors/second-factor.ts';
import { addClaims, authenticated, insertToken } from '../rows/store.ts';
import type { SessionRow } from '../tables.ts';

/** What a flow has proved. It logs its user in with this, in the transaction that spends the proof. */
export type LoginProof = Pick<Login, 'user' | 'factor' | 'presented' | 'family_id' | 'newSessionId' | 'earlier'>;

/** The last step of every flow: logs in and makes the reply. */
export type LoginCompletion<R> = (tx: Db, proof: LoginProof) => Promise<R>;

/** The completion of flows of the client's API, which result in a session. */
export function withSessionFor(
  services: Pick<Services, 'clock' | 'random' | 'keys' | 'dev' | 'project' | 'warn'>,
  login: Pick<Login, 'minutes' | 'caller'>,
): LoginCompletion<LoginOutcome> {
  return async (tx, proof) => logIn(services, tx, { ...proof, ...login });
}

/**
 * Logs in the user of the factor. The factor is added to the live session that the same user presented, or to their login that lacked a
 * factor; otherwise a new session starts. A session that an app made from its tokens accepts only factors of this app. An impersonator's
 * session accepts none. Token and JWT are replaced in either case: earlier ones are invalid after the login.
 *
 * Every way to log in ends here, so that none bypasses what the project requires. If the login lacks something, the reply contains the missing step
 * instead of a session.
 */
export async function logIn(
  services: Pick<Services, 'clock' | 'random' | 'keys' | 'dev' | 'project' | 'warn'>,
  tx: Db,
  login: Login,
): Promise<LoginOutcome> {
  const { user, caller } = login;
  caller.trail.about = user.user_id;
  checkNotLockedOut(user);
  await letIn(services, tx, login);
  const attempt = await beginLogin(services, tx, login);
  return 'mfa' in attempt ? attempt : enterWith(services, tx, attempt);
}

/** Logs in with enough factors. A login that joins a live session lacks no profile, and no hook decides about it. */
export async function enterWith(
  services: Pick<Services, 'clock' | 'random' | 'keys' | 'dev' | 'project' | 'warn'>,
  tx: Db,
  login: BegunLogin,
): Promise<LoginOutcome> {
  const { user, caller, presented } = login;
  const { user_id } = user;
  const lacking = presented === undefined ? await checkProfile(services, tx, login) : null;
  if (lacking !== null) return lacking;
  const fullLogin = presented === undefined ? await applyLoginHook(services, tx, login) : login;
  if ('mfa' in fullLogin) return fullLogin;
  const joined = presented === undefined ? undefined : await addFactors(services, tx, presented, fullLogin);
  // The session ended meanwhile, for example by a first verification of an address. Its factors no longer count.
  if (presented !== undefined && joined === undefined) return logIn(services, tx, withoutEarlier(login));
  await caller.session.proof.useIn(tx);
  const session = joined ?? (await newSession(services, tx, fullLogin));
  const waits = fullLogin.accounts.length > 0 && (await lacksSecondFactor(services, tx, user_id, session));
  if (!waits) await storeAccounts(services, tx, session, fullLogin.accounts);
  const row = loginRow(services, login, session.session_id);
  const token = sessionToken(services.keys.codeKey, session.session_id, session.generation);
  const writing = withWrites(tx, [
    ...(joined === undefined
      ? [insertSession(tx, session), oldestSessions(tx, user_id, MOST_SESSIONS - 1)]
      : [tokensBefore(tx, joined)]),
    insertToken(tx, session, token),
    ...networkOfLogin(services, tx, { ...caller, user_id, factor: login.factor }),
    ...(row === null ? [] : [tx.insertInto('audit_log').values(row)]),
    ...(isProvenNow(session, caller) && presented?.proof_jkt !== session.proof_jkt
      ? [tx.insertInto('audit_log').values(bindingRow(services, login, session.session_id))]
      : []),
  ]);
  const wholeUser = await readWholeUser(writing, user_id);
  if (waits) await keepInSession(tx, session.session_id, fullLogin.accounts);
  const reply = await authenticated(services, tx, session, {
    token,
    user: wholeUser,
    provenUntil: isProvenNow(session, caller) ? Infinity : presented?.proven_until,
  });
  return { ...reply, ...(await trustIfAsked(services, tx, { fullLogin, session_id: session.session_id })) };
}

/** The login with only its factor, without a session or login to add it to. */
const withoutEarlier = (login: Login): Login => ({
  ...login,
  presented: undefined,
  earlier: undefined,
  caller: { ...login.caller, step: login.caller.step.anew() },
});

/** Whether the key of the session has proved this request. */
const isProvenNow = ({ proof_jkt }: SessionRow, { session }: Login['caller']): boolean =>
  proof_jkt !== null && proof_jkt === session.proof.key;

/** The audit entry for binding a session to the key of its page. */
function bindingRow(
  services: Pick<Services, 'clock' | 'keys'>,
  { caller, factor, user: { user_id } }: Login,
  session_id: string,
) {
  const actor = caller.trail.by ?? actorOf(factor, user_id);
  const { address, trail } = caller;
  const entry = { event: 'session_bound', user_id, actor, address, request_id: trail.requestId } as const;
  return auditRow(services, { ...entry, details: { session_id } });
}

/** The audit entry of the login; null if the request writes none. */
export function loginRow(
  services: Pick<Services, 'clock' | 'keys'>,
  { caller, factor, user: { user_id } }: Pick<Login, 'caller' | 'factor' | 'user'>,
  session_id: string | null,
) {
  const actor = actorOf(factor, user_id);
  const entry = entryOf(caller, { user_id, actor, method: methodOf(factor), details: { session_id } });
  return entry === null ? null : auditRow(services, entry);
}

/** Such as `otp:email`; only the type if the delivery method adds nothing. */
function methodOf({ type, delivery_method }: NewFactor): string {
  return ['otp', 'magic_link', 'oauth'].includes(type) ? `${type}:${delivery_method.replace(/^oauth_/u, '')}` : type;
}

async function newSession(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  login: BegunLogin,
): Promise<SessionRow> {
  const { user, factors, custom_claims, caller, newSessionId } = login;
  const { clock, random } = services;
  const now = clock.now();
  const family_id = login.family_id ?? null;
  const minutes = login.minutes ?? SESSION_DURATION_MINUTES;
  const { end } = await lifetimeOf(services, tx, { started_at: new Date(now), family_id }, minutes);
  return {
    session_id: newSessionId ?? newId(random, 'session', now),
    user_id: user.user_id,
    started_at: new Date(now),
    last_accessed_at: new Date(now),
    expires_at: end,
    attributes: { ip_address: caller.address, user_agent: caller.userAgent },
    authentication_factors: factors,
    generation: 1,
    family_id,
    custom_claims: custom_claims === undefined ? {} : mergeClaims({}, custom_claims),
    bound_key: null,
    trial_key: null,
    proof_jkt: caller.session.proof.key,
    trusted_device_id: login.trusted_device_id,
  };
}

function insertSession(tx: Db, session: SessionRow): WriteStatement {
  return tx.insertInto('sessions').values({
    ...session,
    bound_key: null,
    trial_key: null,
    attributes: JSON.stringify(session.attributes),
    authentication_factors: JSON.stringify(session.authentication_factors),
    custom_claims: JSON.stringify(session.custom_claims),
  });
}

/** The most sessions of a user. A login beyond that ends the least recently used ones. */
const MOST_SESSIONS = 200;

function oldestSessions(tx: Db, userId: string, limit: number): WriteStatement {
  return tx
    .deleteFrom('sessions')
    .where('session_id', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('session_id')
        .where('user_id', '=', userId)
        .orderBy('last_accessed_at', 'desc')
        .orderBy('session_id')
        .offset(limit),
    );
}

/** The tokens of the session before this login. */
function tokensBefore(tx: Db, { session_id, generation }: SessionRow): WriteStatement {
  return tx.deleteFrom('session_tokens').where('session_id', '=', session_id).where('generation', '<', generation);
}

/** Undefined if the session ended meanwhile. Its factors cannot have changed, because every login locks the user first. */
async function addFactors(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  session: CurrentSession,
  { factors, minutes, custom_claims: claims, caller, trusted_device_id }: BegunLogin,
): Promise<SessionRow | undefined> {
  const now = services.clock.now();
  const lifetime = await lifetimeOf(services, tx, session, minutes);
  const joined = await tx
    .updateTable('sessions')
    .set({
      last_accessed_at: new Date(now),
      expires_at: storedEnd(lifetime),
      authentication_factors: JSON.stringify(factors),
      generation: session.generation + 1,
      // A bound session keeps its key.
      proof_jkt: session.proof_jkt ?? caller.session.proof.key,
      trusted_device_id: trusted_device_id ?? session.trusted_device_id,
    })
    .where('session_id', '=', session.session_id)
    .where('generation', '=', session.generation)
    .returningAll()
    .executeTakeFirst();
  return joined === undefined || claims === undefined ? joined : addClaims(tx, joined, claims);
}
