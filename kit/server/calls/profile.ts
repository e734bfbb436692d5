import { profile } from '../../../src/application/api/index.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { requireLogin, requireSession } from '../state/admission.ts';
import type { Answers } from '../state/answers.ts';
import { readProfile, saveProfile } from '../state/profile.ts';
import { dropStep, stepOf } from '../state/second-factor.ts';
import { resumeLogin } from '../state/sign-in.ts';
import type { ServerState } from '../state/state.ts';
import { readUser } from '../state/user-rows.ts';

/** The fields and terms that the project asks for. */
export function answerProfile(answers: Answers, state: ServerState): void {
  answers
    .to(profile.complete, (body, caller) => {
      const login = requireLogin(state, caller);
      const rules = state.settings.profile;
      if (rules === null || stepOf(state, login).profile === undefined) throw new Refusal('mfa_factor_not_allowed');
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
