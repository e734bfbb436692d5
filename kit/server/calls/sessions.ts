import { ownSessions, sessions } from '#application/api/index.ts';
import { isDelegated } from '#domain/rules/delegates.ts';
import { isImpersonated } from '#domain/rules/factors.ts';
import { listedSession, placeOf, sessionPage, type SessionPage } from '#domain/rules/listed-session.ts';
import { checkDuration } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { requireSession } from '../state/admission.ts';
import type { Answers, Caller } from '../state/answers.ts';
import { endOtherSessions, endSession } from '../state/ending.ts';
import { endOf, isLive } from '../state/lifetime.ts';
import { trustedDevicesOf } from './mfa.ts';
import { beginStep, forgetTrustedDevice, lackOf } from '../state/second-factor.ts';
import { keep } from '../state/sign-in.ts';
import type { ServerState } from '../state/state.ts';
import type { LiveSession } from '../state/tables.ts';

export const liveSessions = (state: ServerState, userId: string): LiveSession[] =>
  [...state.sessions.values()].filter((session) => session.user_id === userId && isLive(state, session));

/** The session, with whether the user trusts its browser. */
export function withTrust(state: ServerState, session: LiveSession) {
  const devices = trustedDevicesOf(state, session.user_id);
  return { ...session, device_trusted: devices.some(({ device_id }) => device_id === session.trusted_device_id) };
}

/** A page of the list, most recently used first. */
function listed(state: ServerState, { session_id: current, user_id }: LiveSession, cursor?: string): SessionPage {
  const place = cursor === undefined ? null : placeOf(cursor);
  const at = ({ last_accessed_at }: LiveSession): number => Date.parse(last_accessed_at);
  const isAfter = (session: LiveSession): boolean =>
    place === null ||
    at(session) < place.last_accessed_at ||
    (at(session) === place.last_accessed_at && session.session_id > place.session_id);
  const rows = liveSessions(state, user_id)
    .filter(isAfter)
    .sort((a, b) => at(b) - at(a) || (a.session_id < b.session_id ? -1 : 1));
  return sessionPage(rows.map((session) => listedSession(withTrust(state, session), current)));
}

/** The missing step of a live session: the policy was raised, or the user was given a role. The same session continues after it. */
function stepUp(state: ServerState, live: LiveSession, { step }: Caller): object {
  if (isDelegated(live)) throw new Refusal('mfa_required');
  const { user_id, session_id, authentication_factors: factors } = live;
  return beginStep(state, { user_id, factors, minutes: 0, session_id, challenge: step.challenge });
}

/** Confirming, extending and ending a session. */
export function answerSessions(answers: Answers, state: ServerState): void {
  answers
    .to(sessions.authenticate, ({ session_duration_minutes: minutes }, caller) => {
      const live = requireSession(state, caller);
      if (minutes !== undefined) checkDuration(minutes);
      if (lackOf(state, live.user_id, live.authentication_factors) !== null) return stepUp(state, live, caller);
      const isFixed = isImpersonated(live) || live.of_jwt;
      const expires_at = endOf(state, live, isFixed ? null : (minutes ?? null));
      const reply = keep(state, { ...live, expires_at, last_accessed_at: state.stamp() });
      return live.of_jwt ? { ...reply, session_token: '', session_jwt: '' } : reply;
    })
    .to(ownSessions.list, (_, caller) => listed(state, requireSession(state, caller)))
    .to(ownSessions.listAfter, (_, caller, { cursor }) => listed(state, requireSession(state, caller), cursor))
    .to(ownSessions.revokeOthers, (_, caller) => {
      const { user_id, session_id } = requireSession(state, caller);
      endOtherSessions(state, user_id, session_id);
      return {};
    })
    .to(ownSessions.revokeOther, (_, caller, { session_id }) => {
      const here = requireSession(state, caller);
      const { user_id } = here;
      const found = liveSessions(state, user_id).find((session) => session.session_id === session_id);
      if (found === undefined) throw new Refusal('live_session_not_found');
      endSession(state, session_id);
      const { trusted_device_id: device } = found;
      if (device !== undefined && session_id !== here.session_id) forgetTrustedDevice(state, user_id, device);
      return {};
    })
    .to(sessions.revoke, (_, caller) => {
      endSession(state, requireSession(state, caller).session_id);
      return {};
    });
}
