import { sessions } from '../../../application/api/index.ts';
import type { Answers } from './answers.ts';
import { checkDuration, isImpersonated, keep, requireSession } from './sign-in.ts';
import type { ServerState } from './state.ts';

/** Confirming, extending and ending a session. */
export function answerSessions(answers: Answers, state: ServerState): void {
  answers
    .to(sessions.authenticate, ({ session_duration_minutes: minutes }, caller) => {
      if (minutes) checkDuration(minutes);
      const { session, token } = requireSession(state, caller);
      const wanted =
        minutes && !isImpersonated(session) ? new Date(state.in(minutes)).toISOString() : session.expires_at;
      const expires_at = wanted > session.expires_at ? wanted : session.expires_at;
      return keep(state, { session: { ...session, expires_at, last_accessed_at: state.stamp() }, token });
    })
    .to(sessions.revoke, (_, caller) => {
      state.sessions.delete(requireSession(state, caller).session.session_id);
      return {};
    });
}
