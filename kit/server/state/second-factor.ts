import type { IntermediateReply } from '#application/api/index.ts';
import { SECOND_FACTOR } from '#application/api/authenticated.ts';
import type { NewFactor } from '#domain/rules/factors.ts';
import {
  INTERMEDIATE_MINUTES,
  isActive,
  mfaStep,
  missingFactors,
  showsBoth,
  type ActiveMfaRules,
} from '#server-rules/mfa-policy.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { missingProfile, profileStep } from '#server-rules/profile.ts';
import { checkBody } from '#server-rules/request-body.ts';
import type { MfaFactor, MfaStep } from '#domain/sessions/mfa.ts';
import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import { isRecord, type Infer } from '#domain/shape.ts';
import { readProfile } from './profile.ts';
import { readUser } from './user-rows.ts';
import type { ServerState } from './state.ts';
import type { IntermediateSession, TrustedDeviceRow } from './tables.ts';

/** The parts of a request about the second factor. */
export interface SecondStep {
  /** Whether the request has an intermediate token, valid or not. */
  readonly isPresented: boolean;
  /** The login that lacks a factor, if this browser began it. */
  readonly login: IntermediateSession | undefined;
  readonly challenge: string | null;
  readonly trustedToken: string | undefined;
  readonly trusts: boolean;
}

type ProofOfBoth = [factors: readonly AuthenticationFactor[], last: NewFactor];

const rulesOf = ({ settings: { mfa } }: ServerState): ActiveMfaRules | null => (isActive(mfa) ? mfa : null);

/** Reads the fields of a body; none in a project whose logins lack nothing after their first factor. */
export async function secondStepOf(state: ServerState, json: unknown): Promise<SecondStep> {
  const mayLack = rulesOf(state) !== null || state.settings.profile !== null;
  const body = mayLack && isRecord(json) ? json : {};
  const fields = checkBody({ body: SECOND_FACTOR, list: false }, body) as Infer<typeof SECOND_FACTOR>;
  const { intermediate_session_token: token, mfa_code_verifier: verifier } = fields;
  const intermediate = token === undefined ? undefined : state.live(state.intermediates, token);
  const isOwn = intermediate !== undefined && (await state.matches(intermediate.challenge, verifier));
  return {
    isPresented: token !== undefined,
    login: isOwn ? intermediate : undefined,
    challenge: fields.mfa_code_challenge ?? null,
    trustedToken: fields.trusted_device_token,
    trusts: fields.trust_device === true,
  };
}

/** The missing factors of a user; null if their factors are enough. */
export function lackOf(state: ServerState, userId: string, factors: readonly AuthenticationFactor[]) {
  const rules = rulesOf(state);
  const user = readUser(state, userId);
  return rules === null ? null : missingFactors(rules, { ...user, mfa_policy: null }, factors);
}

/** The step in the wire's form. */
export function stepOf(state: ServerState, login: IntermediateSession): MfaStep {
  const rules = rulesOf(state);
  const factors = lackOf(state, login.user_id, login.factors);
  const expires_at = new Date(login.expiresAt);
  if (rules !== null && factors !== null) {
    const recovery_at = state.live(state.recoveries, login.user_id)?.available_at ?? null;
    return mfaStep(rules, factors, { expires_at, recovery_at });
  }
  // A session that continues is not asked. A login whose profile is complete by now goes on without an answer.
  const continues = state.sessions.has(login.session_id);
  if (state.settings.profile === null || continues) throw new Refusal('intermediate_session_not_found');
  const missing = readProfile(state, login.user_id, missingProfile) ?? { fields: [], terms: [] };
  return profileStep(login.user_id, missing, expires_at);
}

/** The login that the request continues; undefined if it presents none. */
export function presentedLogin({ isPresented, login }: SecondStep): IntermediateSession | undefined {
  if (isPresented && login === undefined) throw new Refusal('intermediate_session_not_found');
  return login;
}

/** Refuses a factor that the step does not list. In a session, every factor can be proved. */
export function requireListed(
  state: ServerState,
  login: IntermediateSession | undefined,
  list: 'factors' | 'enrol',
  factor: MfaFactor,
): void {
  if (login !== undefined && !stepOf(state, login)[list].includes(factor)) throw new Refusal('mfa_factor_not_allowed');
}

/** Stores a login that lacks a factor, and returns the fields of its reply. */
export function beginStep(state: ServerState, fields: Omit<IntermediateSession, 'expiresAt'>): IntermediateReply {
  const login = { ...fields, expiresAt: state.in(INTERMEDIATE_MINUTES) };
  const token = `intermediate-token-${state.next()}`;
  state.intermediates.set(token, login);
  const none = { user: null, session: null, session_token: '', session_jwt: '' } as const;
  return { user_id: login.user_id, ...none, intermediate_session_token: token, mfa: stepOf(state, login) };
}

/** The id of a trusted browser of the user; undefined for another browser. */
export function trustedBrowser(state: ServerState, userId: string, token: string | undefined) {
  const device = token === undefined ? undefined : state.live(state.trustedDevices, token);
  const isAllowed = (rulesOf(state)?.trusted_devices ?? null) !== null;
  if (!isAllowed || device?.user_id !== userId) return undefined;
  device.last_used_at = state.stamp();
  return device.device_id;
}

/** Ends the trust in one of the user's browsers. False if there is no such browser. */
export function forgetTrustedDevice({ trustedDevices }: ServerState, userId: string, deviceId: string): boolean {
  const found = [...trustedDevices].find(([, each]) => each.user_id === userId && each.device_id === deviceId);
  return found !== undefined && trustedDevices.delete(found[0]);
}

/** Stops the recovery of a user who has just logged in with two factors. */
export function endRecovery(state: ServerState, userId: string, ...proof: ProofOfBoth): void {
  const rules = rulesOf(state);
  if (rules !== null && showsBoth(rules, ...proof)) state.recoveries.delete(userId);
}

/** Trusts the browser, if the project allows it. */
export function trustDevice(
  state: ServerState,
  user_id: string,
  user_agent: string,
): { readonly device_id: string; readonly token: string } | undefined {
  const days = rulesOf(state)?.trusted_devices?.days;
  if (days === undefined) return undefined;
  const token = `trusted-device-token-${state.next()}`;
  const at = state.stamp();
  const device: TrustedDeviceRow = {
    device_id: state.id('trusted-device'),
    user_id,
    user_agent,
    created_at: at,
    last_used_at: at,
    expiresAt: state.in(days * 24 * 60),
  };
  state.trustedDevices.set(token, device);
  return { device_id: device.device_id, token };
}

/** Ends a login that was completed. */
export function dropStep({ intermediates }: ServerState, login: IntermediateSession): void {
  for (const [token, each] of intermediates) if (each === login) intermediates.delete(token);
}
