import { changesBy, readEntry, requireComplete, requireFields, type ProfileRules } from '#server-rules/profile.ts';
import { profile, type BodyFor } from '#application/api/index.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { requireLogin, requireSession } from '../state/admission.ts';
import type { Answers } from '../state/answers.ts';
import { ownerOf, readProfile } from '../state/profile.ts';
import { dropStep, stepOf } from '../state/second-factor.ts';
import { resumeLogin } from '../state/sign-in.ts';
import type { ServerState } from '../state/state.ts';
import { change, readUser } from '../state/user-rows.ts';

/** Stores what the user entered and accepted. In a login, nothing required may be missing afterwards. */
function saveProfile(
  state: ServerState,
  userId: string,
  { rules, body, isWhole }: { rules: ProfileRules; body: BodyFor<typeof profile.update>; isWhole: boolean },
): void {
  const entry = readEntry(rules, body);
  requireFields(rules, entry);
  const after = changesBy(rules, entry, ownerOf(state, userId), state.stamp());
  if (isWhole) requireComplete(rules, after);
  change(state, userId, { name: after.name, untrusted_metadata: after.untrusted_metadata });
  state.acceptedTerms.set(userId, after.accepted_terms);
}

/** The fields and terms that the project asks for. */
export function answerProfile(answers: Answers, state: ServerState): void {
  answers
    .to(profile.complete, (body, caller) => {
      const login = requireLogin(state, caller);
      const rules = state.settings.profile;
      if (rules === null || stepOf(state, login).profile === undefined) throw new Refusal('mfa_factor_not_allowed');
      if (body.user_id !== login.user_id) {
        throw new Refusal('intermediate_session_not_found');
      }
      saveProfile(state, login.user_id, { rules, body, isWhole: true });
      dropStep(state, login);
      return resumeLogin(state, login, caller);
    })
    .to(profile.get, (_, caller) => ({ profile: readProfile(state, requireSession(state, caller).user_id) }))
    .to(profile.update, (body, caller) => {
      const { user_id } = requireSession(state, caller);
      const rules = state.settings.profile;
      if (rules === null) throw new Refusal('route_not_found');
      saveProfile(state, user_id, { rules, body, isWhole: false });
      return { profile: readProfile(state, user_id), __user: readUser(state, user_id) };
    });
}
