import { impersonation, sessions, type Endpoint } from '../../../application/api/index.ts';
import type { Answers, Caller } from './answers.ts';
import { confirmEmail, findEmail, findOrCreateEmail } from './people.ts';
import { Refused } from './refused.ts';
import { checkDuration, isImpersonated, logIn, sessionOf } from './sign-in.ts';
import type { ServerState } from './state.ts';

const TOKEN_MINUTES = 5;
const IMPERSONATION_MINUTES = 60;
/** Specification, section 9. */
const ATTESTED_MINUTES = 60;

/** Calls that would outlive the session of who acts for somebody else. */
const REFUSED_TO_IMPERSONATORS =
  /^(?:users\.(?:delete|revoke)|(?:magicLinks|otps|cryptoWallets)\..*Secondary$|passwords\.resetBySession$|totps\.(?:create|recoveryCodes)$|webauthn\.(?:register|update)|idp\.authorizeSubmit$)/u;

/** Refuses what an impersonator may not do. */
export function checkImpersonator(state: ServerState, { name }: Endpoint, caller: Caller): void {
  const session = sessionOf(state, caller)?.session;
  if (session !== undefined && isImpersonated(session) && REFUSED_TO_IMPERSONATORS.test(name)) {
    throw new Refused('unauthorized_action');
  }
}

/** What an administrator hands out: makes a session of the user, once. */
export function impersonationToken(state: ServerState, user: string, by: string): string {
  const user_id = user.includes('@') ? findEmail(state, user)?.user.user_id : state.users.get(user)?.user_id;
  if (user_id === undefined) throw new Refused('user_not_found');
  const token = `impersonation-token-${state.next()}`;
  state.impersonations.set(token, { user_id, by, expiresAt: state.in(TOKEN_MINUTES) });
  return token;
}

/** What the issuer of a trusted-auth-token profile says of whoever has that address. */
export function trustedToken(state: ServerState, profile_id: string, email: string): string {
  const token = `trusted-token-${state.next()}`;
  state.trustedTokens.set(token, { profile_id, email, expiresAt: state.in(TOKEN_MINUTES) });
  return token;
}

/** Sessions by other means than a login: for an administrator, a trusted issuer and a connected app. */
export function answerAccess(answers: Answers, state: ServerState): void {
  answers
    .to(impersonation.authenticate, ({ impersonation_token: token }, caller) => {
      const found = state.impersonations.get(token);
      if (found === undefined || found.expiresAt <= state.now()) {
        throw new Refused('unable_to_auth_impersonation_token');
      }
      state.impersonations.delete(token);
      const { user_id, by } = found;
      const impersonated_factor = { impersonator_id: by, impersonator_email_address: by.includes('@') ? by : '' };
      const factor = { type: 'impersonated', delivery_method: 'impersonation', impersonated_factor };
      return logIn(state, { user_id, factor, minutes: IMPERSONATION_MINUTES, caller: { ...caller, session: null } });
    })
    .to(sessions.attest, ({ profile_id, token, session_duration_minutes, session_token, session_jwt }, caller) => {
      const minutes = session_duration_minutes ?? ATTESTED_MINUTES;
      checkDuration(minutes);
      if (!state.settings.trustedProfiles.includes(profile_id)) {
        throw new Refused('trusted_auth_token_profile_not_found');
      }
      const found = state.trustedTokens.get(token);
      if (found?.profile_id !== profile_id || found.expiresAt <= state.now()) {
        throw new Refused('invalid_trusted_auth_token');
      }
      state.trustedTokens.delete(token);
      const { email_id, user } = findOrCreateEmail(state, found.email, 'pending');
      confirmEmail(state, email_id, null);
      const before = sessionOf(state, { ...caller, session: session_token ?? session_jwt ?? null });
      if (before !== null) state.sessions.delete(before.session.session_id);
      const trusted_auth_token_factor = { profile_id, token_id: token };
      const factor = {
        type: 'trusted_auth_token',
        delivery_method: 'trusted_token_exchange',
        trusted_auth_token_factor,
      };
      return logIn(state, { user_id: user.user_id, factor, minutes, caller: { ...caller, session: null } });
    })
    .to(sessions.exchangeAccessToken, ({ access_token, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      const found = state.accessTokens.get(access_token);
      if (found === undefined || found.expiresAt <= state.now()) throw new Refused('invalid_access_token');
      if (!found.scopes.includes('full_access')) throw new Refused('insufficient_scope');
      const { user_id, client_id } = found;
      const type = 'oauth_access_token_exchange';
      const factor = { type, delivery_method: type, oauth_access_token_exchange_factor: { client_id } };
      return logIn(state, { user_id, factor, minutes, caller });
    });
}
