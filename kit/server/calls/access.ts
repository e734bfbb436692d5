import { impersonation, sessions } from '#application/api/index.ts';
import { FACTORS } from '#domain/rules/factors.ts';
import { checkDuration, IMPERSONATION_MINUTES, OPERATOR_TOKEN_MINUTES } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { ATTESTED_MINUTES } from '#domain/sessions/session.ts';
import type { Answers } from '../state/answers.ts';
import { endSession } from '../state/ending.ts';
import { endOfFamily } from '../state/lifetime.ts';
import { checkWelcome } from '../state/newcomers.ts';
import { confirmContact, findContact, findOrCreateContact } from '../state/people.ts';
import { logIn, sessionOf } from '../state/sign-in.ts';
import type { ServerState } from '../state/state.ts';

/** Creates a token with which an administrator can start one session as the user. */
export function impersonationToken(state: ServerState, user: string, by: string): string {
  const user_id = user.includes('@') ? findContact(state, 'email', user)?.user_id : state.users.get(user)?.user_id;
  if (user_id === undefined) throw new Refusal('user_not_found');
  const token = `impersonation-token-${state.next()}`;
  state.impersonations.set(token, { user_id, by, expiresAt: state.in(OPERATOR_TOKEN_MINUTES) });
  return token;
}

/** Creates a token in which the issuer of a trusted-auth-token profile confirms the user's address. */
export function trustedToken(state: ServerState, profile_id: string, email: string): string {
  const token = `trusted-token-${state.next()}`;
  state.trustedTokens.set(token, { profile_id, email, expiresAt: state.in(OPERATOR_TOKEN_MINUTES) });
  return token;
}

/** Sessions without a login: for an administrator, a trusted issuer and a connected app. */
export function answerAccess(answers: Answers, state: ServerState): void {
  answers
    .to(impersonation.authenticate, ({ impersonation_token: token }, caller) => {
      const found = state.live(state.impersonations, token);
      if (found === undefined) throw new Refusal('unable_to_auth_impersonation_token');
      state.impersonations.delete(token);
      const { user_id, by } = found;
      const factor = FACTORS.impersonated({
        impersonator_id: by,
        impersonator_email_address: by.includes('@') ? by : '',
      });
      return logIn(state, { user_id, factor, minutes: IMPERSONATION_MINUTES, caller: { ...caller, session: null } });
    })
    .to(sessions.attest, ({ profile_id, token, session_duration_minutes, session_token, session_jwt }, caller) => {
      const minutes = session_duration_minutes ?? ATTESTED_MINUTES;
      checkDuration(minutes);
      if (!state.settings.trustedProfiles.includes(profile_id)) {
        throw new Refusal('trusted_auth_token_profile_not_found');
      }
      const found = state.live(state.trustedTokens, token);
      if (found?.profile_id !== profile_id) throw new Refusal('invalid_trusted_auth_token');
      const { email } = found;
      const contact = findOrCreateContact(state, 'email', email, { arrival: { email }, status: 'pending' });
      checkWelcome(state, contact);
      state.trustedTokens.delete(token);
      const { method_id, user_id } = contact;
      confirmContact(state, 'email', method_id);
      const before = sessionOf(state, { session: session_token ?? session_jwt ?? null });
      if (before !== undefined) endSession(state, before.session_id);
      const factor = FACTORS.trustedToken(profile_id, token);
      return logIn(state, { user_id, factor, minutes, caller: { ...caller, session: null } });
    })
    .to(sessions.exchangeAccessToken, ({ access_token, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      const found = state.live(state.accessTokens, access_token);
      if (found === undefined) throw new Refusal('invalid_access_token');
      if (!found.scopes.includes('full_access')) throw new Refusal('insufficient_scope');
      if ((endOfFamily(state, found.family_id) ?? 0) <= state.now()) throw new Refusal('invalid_access_token');
      const { user_id, client_id, family_id } = found;
      return logIn(state, { user_id, factor: FACTORS.exchanged(client_id), minutes, caller, family_id });
    });
}
