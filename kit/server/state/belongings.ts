import { withoutSecondFactor } from '#domain/rules/second-factor.ts';
import type { ServerState } from './state.ts';
import type { LiveSession } from './tables.ts';
import { change, endAdditions, readUser, removeRows } from './user-rows.ts';

/**
 * Ends all access to the user's account, except one session: sessions, tokens, consents and unfinished flows.
 *
 * @param messages which sent links and codes end: all, or only those that add an address or number
 * @param grants which consents and tokens of apps end: all, or only those from other sessions
 */
export function endAccess(
  state: ServerState,
  userId: string,
  keptId: string | null,
  messages: 'all' | 'additions',
  grants: 'all' | 'others' = 'all',
): void {
  const others = (sessionId: string | null): boolean => grants === 'all' || sessionId !== keptId;
  removeRows(state.returns, userId);
  removeRows(state.attachTokens, userId);
  removeRows(state.impersonations, userId);
  removeRows(state.consents, userId, ({ scopes, given_in }) =>
    scopes.some((scope) => others(given_in[scope]?.session_id ?? null)),
  );
  removeRows(state.authorizationCodes, userId, ({ session_id }) => others(session_id));
  removeRows(state.accessTokens, userId, ({ session_id }) => others(session_id));
  removeRows(state.sessions, userId, ({ session_id }) => session_id !== keptId);
  endAdditions(state, userId);
  if (messages === 'additions') return;
  removeRows(state.links, userId);
  removeRows(state.codes, userId);
}

/**
 * Ends all access after a new password. While the user has an unverified address, links and codes that were sent for a login stay
 * valid, so that the address's owner can still use them.
 */
export function endAccessForPassword(state: ServerState, userId: string, keptId: string | null): void {
  const isProven = readUser(state, userId).emails.every(({ verified }) => verified);
  endAccess(state, userId, keptId, isProven ? 'all' : 'additions');
}

/** The data that stays after the first verification: the verified contact, and the session of the sign-up with its additions. */
interface RetainedItems {
  readonly method_id: string;
  readonly session_id?: string | undefined;
}

/** Removes all earlier access and factors, after the first verification of the contact. */
export function endEverythingBut(state: ServerState, userId: string, items: RetainedItems): void {
  endAccess(state, userId, items.session_id ?? null, 'all', items.session_id === undefined ? 'all' : 'others');
  endFactorsBut(state, userId, items);
  const { password } = readUser(state, userId);
  if (password !== null && !isAddedIn(state, items.session_id)(password.password_id)) {
    change(state, userId, { password: { ...password, requires_reset: true } });
  }
}

/** Removes all earlier access and factors, after a reset by a verified address, except the session and the second factor. */
export function endEverythingForReset(
  state: ServerState,
  userId: string,
  emailId: string,
  own: LiveSession | undefined,
): void {
  endAccess(state, userId, own?.session_id ?? null, 'all');
  const totp = state.totps.get(userId);
  const { totps } = readUser(state, userId);
  endFactorsBut(state, userId, { method_id: emailId });
  if (totp?.verified === true) {
    state.totps.set(userId, totp);
    change(state, userId, { totps });
  }
  if (own !== undefined) state.sessions.set(own.session_id, withoutSecondFactor(own));
}

const isAddedIn = (state: ServerState, sessionId: string | undefined) => (id: string) =>
  sessionId !== undefined && state.addedIn.get(id) === sessionId;

function endFactorsBut(state: ServerState, userId: string, { method_id, session_id }: RetainedItems): void {
  const stays = isAddedIn(state, session_id);
  const user = readUser(state, userId);
  removeRows(state.passkeys, userId, (passkey) => !stays(passkey.webauthn_registration_id));
  const totps = user.totps.filter((totp) => stays(totp.totp_id));
  if (totps.length === 0) state.totps.delete(userId);
  change(state, userId, {
    emails: user.emails.filter((each) => each.email_id === method_id || stays(each.email_id)),
    phone_numbers: user.phone_numbers.filter((each) => each.phone_id === method_id || stays(each.phone_id)),
    totps,
    providers: user.providers.filter((each) => stays(each.oauth_user_registration_id)),
    crypto_wallets: user.crypto_wallets.filter((each) => stays(each.crypto_wallet_id)),
    webauthn_registrations: user.webauthn_registrations.filter((each) => stays(each.webauthn_registration_id)),
  });
}
