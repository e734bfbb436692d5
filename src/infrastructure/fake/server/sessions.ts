import { sessions } from '../../../application/api/index.ts';
import { isImpersonated } from '../../../domain/rules/factors.ts';
import { listedSession } from '../../../domain/rules/listed-session.ts';
import { checkDuration } from '../../../domain/rules/lifetimes.ts';
import { Refusal } from '../../../domain/rules/refusal.ts';
import type { Answers } from './answers.ts';
import { keep, requireOwnSession, requireProvenSession, requireSession } from './sign-in.ts';
import type { ServerState } from './state.ts';
import type { LiveSession } from './tables.ts';

const liveSessions = (state: ServerState, userId: string): LiveSession[] =>
  [...state.sessions.values()].filter(
    ({ user_id, expires_at }) => user_id === userId && Date.parse(expires_at) > state.now(),
  );

/** Confirming, extending and ending a session. */
export function answerSessions(answers: Answers, state: ServerState): void {
  answers
    .to(sessions.authenticate, ({ session_duration_minutes: minutes }, caller) => {
      const live = requireSession(state, caller);
      if (minutes !== undefined) checkDuration(minutes);
      const longer = minutes === undefined || isImpersonated(live) ? 0 : state.in(minutes);
      const expires_at = new Date(Math.max(Date.parse(live.expires_at), longer)).toISOString();
      return keep(state, { ...live, expires_at, last_accessed_at: state.stamp() });
    })
    .to(sessions.list, (_, caller) => {
      const { session_id: current, user_id } = requireOwnSession(state, caller);
      const live = liveSessions(state, user_id).map((session) => listedSession(session, current));
      return { sessions: live.sort((a, b) => b.last_accessed_at.localeCompare(a.last_accessed_at)) };
    })
    .to(sessions.revokeOther, (_, caller, { session_id }) => {
      const { user_id } = requireProvenSession(state, caller);
      const found = liveSessions(state, user_id).find((session) => session.session_id === session_id);
      if (found === undefined) throw new Refusal('live_session_not_found');
      state.sessions.delete(session_id);
      return {};
    })
    .to(sessions.revoke, (_, caller) => {
      state.sessions.delete(requireSession(state, caller).session_id);
      return {};
    });
}
