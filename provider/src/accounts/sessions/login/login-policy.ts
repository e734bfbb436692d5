import type { IntermediateReply } from '#application/api/index.ts';
import { isDelegated, joins } from '#domain/rules/delegates.ts';
import { FACTORS, isImpersonated, stamped, withFactor, type NewFactor } from '#domain/rules/factors.ts';
import { namesMethod, withAdditionMark } from '#server-rules/fresh-proof.ts';
import { hasTwo, missingFactors, showsBoth, type ActiveMfaRules } from '#server-rules/mfa-policy.ts';
import { cannotAsk, missingProfile, profileStep } from '#server-rules/profile.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import type { Db } from '#provider/base/db/database.ts';
import { networkKey } from '#provider/base/security/known-networks.ts';
import { newId } from '#provider/base/security/secrets.ts';
import { readProfile } from '../../users/profile.ts';
import { cancelRecovery, isOfAll, waitingRecovery } from '../../recovery/store.ts';
import type { HookDecision } from '../../hooks/decision.ts';
import type { Services } from '../../services.ts';
import type { PendingAccount } from '../../social-accounts/tables.ts';
import { readWholeUser } from '../../users/read-user.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { holdSession, type AdmittedSession } from '../reading/admission.ts';
import type { Caller, CurrentSession } from '../reading/current.ts';
import { mergeClaims } from '../rows/custom-claims.ts';
import { hasSecond, isInDispute, settleDisputes } from '../factors/disputes.ts';
import { findLive, isBound } from '../rows/find.ts';
import { additionsIn } from '../factors/fresh.ts';
import { beginStep, endStep, intermediateReply, stepFrom, type IntermediateSession } from '../factors/intermediate.ts';
import type { Login } from './login.ts';
import { lackOf, mfaRulesOf, mfaUser, withLiveTrust } from '../factors/policy.ts';
import type { AuthenticatedReply } from '../rows/store.ts';
import { forgetTrustedDevice, trustDevice, touchTrustedDevice } from '../factors/trusted-devices.ts';

/** A login ends with a session, or with the step that is still missing. */
export type LoginOutcome = AuthenticatedReply | IntermediateReply;

/** A login with enough factors. */
export interface BegunLogin extends Login {
  /** The live session that continues. */
  readonly presented: CurrentSession | undefined;
  /** All factors of the session. */
  readonly factors: readonly AuthenticationFactor[];
  /** The social accounts that waited for the second factor of this login. */
  readonly accounts: readonly PendingAccount[];
  /** The browser of the login, if the user trusts it. */
  readonly trusted_device_id: string | null;
  /** What the hook decided about this login in an earlier step; null if it has not been called. */
  readonly decision: HookDecision | null;
}

type PolicyServices = Pick<Services, 'clock' | 'random' | 'project' | 'keys'>;

/**
 * Combines the factors of the login with those of the session or login it is added to. If the policy requires more, returns the missing
 * step.
 */
export async function beginLogin(
  services: PolicyServices,
  tx: Db,
  login: Login,
): Promise<BegunLogin | IntermediateReply> {
  const { presented, user, family_id } = login;
  const now = services.clock.now();
  const goesOn = joins(presented, { user_id: user.user_id, family_id }) ? presented : undefined;
  const rules = mfaRulesOf(services);
  if (rules === undefined) {
    const before = goesOn?.authentication_factors ?? [];
    const marked = await markedFactor(services, tx, login, { before, session: goesOn });
    const factors = withFactor(before, marked, now);
    const whole = { ...login, presented: goesOn, factors, accounts: [], trusted_device_id: null, decision: null };
    await settleRecovery(services, tx, whole, false);
    return whole;
  }
  const step = isByUser(login) ? await login.caller.step.findIn(tx, user.user_id) : undefined;
  const resumed = step?.session_id ? await findLive(services, tx, step.session_id) : undefined;
  const continued = goesOn ?? (resumed && (await ifProven(tx, resumed, login)));
  const before = [login.earlier ?? [], continued?.authentication_factors ?? [], step?.factors ?? []].flat();
  const live = await withLiveTrust(services, tx, user.user_id, withoutRepeats(before));
  const session = continued ?? (step && { session_id: step.new_session_id, started_at: new Date(now) });
  const factors = withFactor(live, await markedFactor(services, tx, login, { before: live, session }), now);
  if (step !== undefined) await endStep(tx, step);
  const whole = {
    ...login,
    presented: continued,
    minutes: step === undefined ? login.minutes : step.minutes,
    custom_claims: claimsOf(step, login),
    newSessionId: step?.new_session_id ?? login.newSessionId,
    factors,
    accounts: step?.pending_accounts ?? [],
    trusted_device_id: await trustedBrowser(services, tx, rules, login),
    decision: step?.hook_decision ?? null,
  };
  return checkFactors(services, tx, rules, whole);
}

/** The claims of both steps. If both set the same claim, the second step wins. */
function claimsOf(
  step: Pick<IntermediateSession, 'custom_claims'> | undefined,
  { custom_claims: latest }: Pick<Login, 'custom_claims'>,
): Login['custom_claims'] {
  const earlier = step?.custom_claims ?? undefined;
  return earlier === undefined || latest === undefined ? (latest ?? earlier) : { ...earlier, ...latest };
}

/** The factor as the session stores it. It is marked if its method cannot vouch for others, because it is new or a link disputes it. */
async function markedFactor(
  services: PolicyServices,
  tx: Db,
  { user: { user_id }, factor, newSessionId }: Login,
  {
    before,
    session,
  }: {
    readonly before: readonly AuthenticationFactor[];
    readonly session: Pick<CurrentSession, 'session_id' | 'started_at'> | undefined;
  },
): Promise<NewFactor> {
  if (!namesMethod(factor)) return factor;
  const now = services.clock.now();
  const of = session ?? { session_id: newSessionId ?? '', started_at: new Date(now) };
  const additions = await additionsIn(services, tx, { user_id, session_id: of.session_id, started_at: of.started_at });
  const proof = stamped(factor, now);
  if (await isInDispute(services, tx, user_id, { factor: proof, before })) return { ...factor, recently_added: true };
  return withAdditionMark(factor, before, additions, now);
}

/**
 * False for a proof of an app or an impersonator, whose session is marked as theirs. Such a proof cannot continue a user's login that lacks
 * a factor, and cannot make a browser trusted.
 */
function isByUser({ family_id, factor }: Pick<Login, 'family_id' | 'factor'>): boolean {
  return family_id === undefined && !isImpersonated({ authentication_factors: withFactor([], factor, 0) });
}

/** The browser of the login, if the user trusts it. Recorded even if both factors are proved, so that the session's browser is known. */
export async function trustedBrowser(
  services: PolicyServices,
  tx: Db,
  rules: ActiveMfaRules,
  login: Pick<Login, 'user' | 'caller' | 'factor' | 'family_id'>,
): Promise<string | null> {
  const token = rules.trusted_devices === null || !isByUser(login) ? undefined : login.caller.step.trustedToken;
  return token === undefined ? null : ((await touchTrustedDevice(services, tx, login.user.user_id, token)) ?? null);
}

/** A bound session continues only in the browser that proves it. Otherwise a new session starts, with a separate key. */
async function ifProven(tx: Db, session: CurrentSession, { caller }: Login): Promise<CurrentSession | undefined> {
  if (!isBound(session)) return session;
  const current = await caller.session.findIn(tx);
  return current?.session_id === session.session_id ? current : undefined;
}

/** Removes duplicates: a continuing session and the login that lacked a factor share some factors. */
function withoutRepeats(factors: readonly AuthenticationFactor[]): readonly AuthenticationFactor[] {
  const texts = factors.map((factor) => JSON.stringify(factor));
  return factors.filter((_, at) => texts.indexOf(texts[at] ?? '') === at);
}

/** The login if its factors are enough for the policy, and for what the hook decided; otherwise the missing step. */
export async function checkFactors(
  services: PolicyServices,
  tx: Db,
  rules: ActiveMfaRules,
  login: BegunLogin,
): Promise<BegunLogin | IntermediateReply> {
  const { user, caller, decision } = login;
  const { user_id } = user;
  // A hook that requires a factor wants a proof, not an earlier trust.
  const isForced = decision?.require_factor === true;
  const factors = isForced ? login.factors.filter(({ type }) => type !== 'trusted_device') : login.factors;
  const device_id = isForced ? null : login.trusted_device_id;
  const whole = await readWholeUser(tx, user_id);
  const missing = whole === undefined ? null : missingFactors(rules, mfaUser(services, whole, decision), factors);
  if (missing === null) {
    await settleRecovery(services, tx, login, showsBoth(rules, factors, login.factor));
    return login;
  }
  // An app's page or server has no user to ask for another factor.
  if (login.family_id !== undefined) throw new Refusal('mfa_required');
  if (device_id !== null && missing.enrol.length === 0 && !missing.opensEnrolment) {
    return { ...login, factors: withFactor(factors, FACTORS.trustedDevice(device_id), services.clock.now()) };
  }
  // Before anything is used up. After one of two factors, nobody learns what the account lacks.
  const { profile } = services.project;
  const asksNobody = login.presented !== undefined || !isByUser(login) || caller.step.asksProfile;
  if (profile !== null && !asksNobody && (await readProfile(services, tx, user_id, missingProfile)) !== null) {
    throw cannotAsk(profile, null);
  }
  const intermediate = await beginStep(services, tx, stepRow(services, { ...login, factors }));
  if (caller.trail.event === 'login') caller.trail.event = 'first_factor';
  const step = await stepFrom(services, tx, rules, { user_id, missing, expires_at: intermediate.expires_at, factors });
  return intermediateReply(user_id, intermediate.token, step);
}

/**
 * The missing step of a login with enough factors whose user has not filled in or accepted what the project asks for; null if nothing is
 * missing. An app and an operator cannot answer for the user, so their sessions lack nothing.
 */
export async function checkProfile(
  services: PolicyServices,
  tx: Db,
  login: BegunLogin,
): Promise<IntermediateReply | null> {
  const { profile: rules } = services.project;
  if (rules === null || !isByUser(login)) return null;
  const { user, caller } = login;
  const { user_id } = user;
  const missing = await readProfile(services, tx, user_id, missingProfile);
  if (missing === null) return null;
  if (!caller.step.asksProfile) throw cannotAsk(rules, missing);
  const { token, expires_at } = await beginStep(services, tx, stepRow(services, login));
  if (caller.trail.event === 'login') caller.trail.event = 'first_factor';
  return intermediateReply(user_id, token, profileStep(user_id, missing, expires_at));
}

/**
 * Updates a pending recovery after a complete login. A user who shows two factors has not lost them. A factor that a link disputes may be
 * an intruder's, so it needs an older one that vouches for it.
 */
async function settleRecovery(services: PolicyServices, tx: Db, login: BegunLogin, showsTwo: boolean): Promise<void> {
  const { user, factors: authentication_factors } = login;
  if (!showsTwo && !hasSecond(authentication_factors)) return;
  const recovery = await waitingRecovery(services, tx, user.user_id);
  if (recovery === undefined) return;
  if (!isOfAll(recovery)) {
    await settleDisputes(services, tx, user, { recovery, session: { authentication_factors } });
  } else if (showsTwo) {
    await cancelRecovery(services, tx, user, recovery.recovery_id);
  }
}

function stepRow(services: Pick<Services, 'random' | 'keys'>, login: Omit<BegunLogin, 'factor' | 'trusted_device_id'>) {
  const { user, caller, minutes, custom_claims, presented, newSessionId, factors, accounts, decision } = login;
  const { user_id } = user;
  // Refused here, where the caller sets them. In the next step nobody could correct them.
  if (custom_claims !== undefined) mergeClaims(presented?.custom_claims ?? {}, custom_claims);
  return {
    user_id,
    factors,
    pending_accounts: accounts,
    hook_decision: decision,
    minutes,
    custom_claims: custom_claims ?? null,
    session_id: presented?.session_id ?? null,
    new_session_id: newSessionId ?? newId(services.random, 'session'),
    network: networkKey(services, caller.address),
    ...caller.step.bindingFor(user_id),
  } satisfies Omit<IntermediateSession, 'token_hash' | 'created_at' | 'expires_at'>;
}

/** The token of a newly trusted browser, if the user asked for it, the login has two factors and the project allows it. */
export async function trustIfAsked(
  services: PolicyServices,
  tx: Db,
  { fullLogin, session_id }: { readonly fullLogin: BegunLogin; readonly session_id: string },
): Promise<{ readonly trusted_device_token?: string }> {
  const { caller, user, factors, trusted_device_id: before } = fullLogin;
  const rules = mfaRulesOf(services);
  const days = rules?.trusted_devices?.days;
  if (rules === undefined || days === undefined || !caller.step.trustsDevice || !isByUser(fullLogin)) return {};
  // Two proofs of one mailbox must not earn trust: it would count as a second factor once the project accepts one that the user has.
  if (factors.length < 2 || factors.some(({ type }) => type === 'trusted_device') || !hasTwo(rules, factors)) return {};
  // A browser has one token. The earlier one would stay valid without a session that shows it.
  if (before !== null) await forgetTrustedDevice(tx, user.user_id, before);
  const { device_id, token } = await trustDevice(services, tx, user.user_id, days, caller);
  await tx.updateTable('sessions').set({ trusted_device_id: device_id }).where('session_id', '=', session_id).execute();
  return { trusted_device_token: token };
}

/** The step that a live session lacks, because the policy was raised or the user got a role. The session continues with it. */
export async function stepUp(
  services: PolicyServices & Pick<Services, 'db'>,
  session: AdmittedSession,
  caller: Caller,
): Promise<IntermediateReply> {
  if (isDelegated(session)) throw new Refusal('mfa_required');
  return transaction(services.db, async (tx) => {
    const lock = await holdSession(services, tx, session);
    const { user_id, authentication_factors: factors } = lock.session;
    const rules = mfaRulesOf(services);
    const missing = await lackOf(services, tx, lock.session);
    // The second factor was proved meanwhile, or the policy was turned off.
    if (rules === undefined || missing === null) throw new Refusal('mfa_required');
    const begins = {
      user: lock.user,
      caller,
      minutes: null,
      presented: lock.session,
      factors,
      accounts: [],
      decision: null,
    };
    const row = stepRow(services, begins);
    const intermediate = await beginStep(services, tx, row);
    const step = await stepFrom(services, tx, rules, {
      user_id,
      missing,
      expires_at: intermediate.expires_at,
      factors,
    });
    return intermediateReply(user_id, intermediate.token, step);
  });
}
