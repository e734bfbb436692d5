import type { AuthenticationReply, IntermediateReply } from '#application/api/index.ts';
import { joins } from '#domain/rules/delegates.ts';
import { FACTORS, withFactor, type NewFactor } from '#domain/rules/factors.ts';
import { JWT_REPEATED_MS } from '#domain/rules/lifetimes.ts';
import { hasTwo, isActive, lacksProof } from '#server-rules/mfa-policy.ts';
import { missingProfile } from '#server-rules/profile.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { Caller } from './answers.ts';
import {
  beginStep,
  dropStep,
  endRecovery,
  forgetTrustedDevice,
  lackOf,
  trustDevice,
  trustedBrowser,
} from './second-factor.ts';
import { markedFactor } from './fresh.ts';
import { endOf, isLive } from './lifetime.ts';
import { readProfile } from './profile.ts';
import { readUser } from './user-rows.ts';
import type { ServerState } from './state.ts';
import type { IntermediateSession, LiveSession } from './tables.ts';

/** The reply of every authenticate call, without the fields that the transport adds. */
export type SignedIn = Required<
  Pick<AuthenticationReply, 'user_id' | 'user' | 'session' | 'session_token' | 'session_jwt'>
>;

/** The outcome of a login: a session, or its missing step. */
export type LoginOutcome = SignedIn | IntermediateReply;

export interface SignInProof {
  readonly user_id: string;
  readonly factor: NewFactor;
  readonly minutes: number;
  readonly caller: Caller;
  /** The family of the app's tokens from which the session is created, if any. */
  readonly family_id?: string | null;
}

/** The live session of the token or JWT that the caller presents. */
export function sessionOf(state: ServerState, { session: secret }: Pick<Caller, 'session'>): LiveSession | undefined {
  const [head, id = '', stamp = ''] = (secret ?? '').split('.');
  const live =
    head === 'jwt' ? state.sessions.get(id) : [...state.sessions.values()].find(({ token }) => token === secret);
  if (live === undefined || !isLive(state, live)) return undefined;
  if (head !== 'jwt') return live;
  return stamp.startsWith(`${live.generation}-`) ? { ...live, of_jwt: true } : undefined;
}

/** Refuses a session that lacks the user's second factor. */
export function requireSecondFactor(state: ServerState, userId: string, session: LiveSession | undefined): void {
  if (!provesSecondFactor(state, userId, session)) throw new Refusal('mfa_required');
}

/** True if the session's factors are enough for a change of the user's account. */
export function provesSecondFactor(state: ServerState, userId: string, session: LiveSession | undefined): boolean {
  const { mfa: rules } = state.settings;
  const factors = session?.user_id === userId ? session.authentication_factors : [];
  const user = { ...readUser(state, userId), mfa_policy: null };
  return !lacksProof(isActive(rules) ? rules : undefined, user, factors);
}

/**
 * Starts a session, or adds the factor to the presented live session of the same user, or to the login that lacked it. Issues a new token
 * in each case. If the factors are not enough for the policy, the result is the missing step.
 */
export function logIn(state: ServerState, { factor, caller, ...login }: SignInProof): LoginOutcome {
  const { user_id, family_id = null } = login;
  const { step } = caller;
  // An app's proof does not continue a login of the user, and creates no trusted browser.
  const intermediate = family_id === null && step.login?.user_id === user_id ? step.login : undefined;
  const callerSession = sessionOf(state, caller);
  const before =
    callerSession !== undefined && joins(callerSession, login)
      ? callerSession
      : intermediate && state.sessions.get(intermediate.session_id);
  const minutes = intermediate?.minutes ?? login.minutes;
  const priorFactors = before?.authentication_factors ?? intermediate?.factors ?? [];
  const begunId = before?.session_id ?? intermediate?.session_id;
  const marked =
    begunId === undefined ? factor : markedFactor(state, factor, priorFactors, { user_id, session_id: begunId });
  let factors = withFactor(priorFactors, marked, state.now());
  if (intermediate !== undefined) dropStep(state, intermediate);
  const session_id = begunId ?? state.id('session');
  const missing = lackOf(state, user_id, factors);
  const trusted = family_id === null ? trustedBrowser(state, user_id, step.trustedToken) : undefined;
  if (missing !== null) {
    if (family_id !== null) throw new Refusal('mfa_required');
    if (trusted === undefined || missing.enrol.length > 0) {
      return beginStep(state, { user_id, factors, minutes, session_id, challenge: step.challenge });
    }
    factors = withFactor(factors, FACTORS.trustedDevice(trusted), state.now());
  }
  endRecovery(state, user_id, factors, factor);
  const asksNobody = before !== undefined || family_id !== null || factor.type === 'impersonated';
  if (!asksNobody && readProfile(state, user_id, missingProfile) !== null) {
    return beginStep(state, { user_id, factors, minutes, session_id, challenge: step.challenge });
  }
  return enter(state, { user_id, factors, minutes, session_id, before, family_id, trusted, caller });
}

/** Goes on with a login whose profile is complete now. */
export function resumeLogin(state: ServerState, login: IntermediateSession, caller: Caller): LoginOutcome {
  const { user_id, factors, minutes, session_id } = login;
  if (lackOf(state, user_id, factors) !== null) {
    return beginStep(state, { user_id, factors, minutes, session_id, challenge: caller.step.challenge });
  }
  const trusted = trustedBrowser(state, user_id, caller.step.trustedToken);
  return enter(state, { user_id, factors, minutes, session_id, before: undefined, family_id: null, trusted, caller });
}

interface CompleteLogin extends Pick<IntermediateSession, 'user_id' | 'factors' | 'minutes' | 'session_id'> {
  /** The session that continues, if any. */
  readonly before: LiveSession | undefined;
  readonly family_id: string | null;
  /** The id of the trusted browser of the login, if the user trusts it. */
  readonly trusted: string | undefined;
  readonly caller: Caller;
}

/** Starts the session of a login that lacks nothing, or continues it. */
function enter(state: ServerState, { user_id, factors, minutes, session_id, ...login }: CompleteLogin): LoginOutcome {
  const { before, family_id, trusted, caller } = login;
  const { step } = caller;
  const now = state.stamp();
  const { mfa: rules } = state.settings;
  const isTrusted =
    step.trusts && family_id === null && factors.length > 1 && isActive(rules) && hasTwo(rules, factors);
  const device = isTrusted ? trustDevice(state, user_id, caller.userAgent) : undefined;
  if (device !== undefined && trusted !== undefined) forgetTrustedDevice(state, user_id, trusted);
  const trust = device === undefined ? {} : { trusted_device_token: device.token };
  const trusted_device_id = device?.device_id ?? trusted ?? before?.trusted_device_id;
  const token = `session-token-${state.next()}`;
  if (before !== undefined) {
    const { generation } = before;
    const expires_at = endOf(state, before, minutes);
    const more = { token, generation: generation + 1, last_accessed_at: now, expires_at, trusted_device_id };
    return { ...keep(state, { ...before, ...more, authentication_factors: factors }), ...trust };
  }
  const started = { started_at: now, family_id };
  const session = keep(state, {
    ...started,
    session_id,
    user_id,
    last_accessed_at: now,
    expires_at: endOf(state, started, minutes),
    attributes: { ip_address: '127.0.0.1', user_agent: caller.userAgent },
    authentication_factors: factors,
    token,
    generation: 1,
    trusted_device_id,
  });
  return { ...session, ...trust };
}

/** The id of the session that the login started, or will start with its second factor. */
export function sessionIdOf(state: ServerState, outcome: LoginOutcome): string {
  if (outcome.session !== null) return outcome.session.session_id;
  return state.intermediates.get(outcome.intermediate_session_token)?.session_id ?? '';
}

/** Stores the session, and returns the reply of an authenticate call. */
export function keep(state: ServerState, found: LiveSession): SignedIn {
  const { of_jwt: _, ...live } = found;
  const user = readUser(state, live.user_id);
  const { token, generation: _generation, family_id: __, trusted_device_id: ___, ...fields } = live;
  const session: Session = {
    ...fields,
    authentication_factors: [...fields.authentication_factors],
    custom_claims: {},
    roles: user.roles,
  };
  state.sessions.set(session.session_id, live);
  return { user_id: user.user_id, user, session, session_token: token, session_jwt: jwtOf(state, live, session) };
}

/** The JWT of the last half minute if a new one would have the same content, else a new one. */
function jwtOf(state: ServerState, { token, generation }: LiveSession, session: Session): string {
  const content = JSON.stringify([{ ...session, last_accessed_at: null }, token, generation]);
  const at = state.now();
  const entry = state.jwts.get(content);
  if (entry !== undefined && at >= entry.at && at - entry.at < JWT_REPEATED_MS) return entry.jwt;
  const jwt = `jwt.${session.session_id}.${generation}-${state.next()}`;
  state.jwts.set(content, { jwt, at });
  return jwt;
}
