import { sessions } from '../../../application/api/index.ts';
import { isImpersonated } from '../../../domain/rules/factors.ts';
import { checkDuration } from '../../../domain/rules/lifetimes.ts';
import type { Answers } from './answers.ts';
import { keep, requireSession } from './sign-in.ts';
import type { ServerState } from './state.ts';

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
    .to(sessions.revoke, (_, caller) => {
      state.sessions.delete(requireSession(state, caller).session_id);
      return {};
    });
}
