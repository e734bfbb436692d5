import { isImpersonated, type Factored } from './factors.ts';
import { Refusal } from './refusal.ts';

/** A session, and which app's tokens it was made from; null for one that a login made. */
export interface Delegable extends Factored {
  readonly family_id: string | null;
}

/**
 * Calls whose effect would outlive the session: factors, and what others may do in the user's name. Neither somebody who
 * acts for the user nor a connected app can make them.
 */
const REFUSED: ReadonlySet<string> = new Set([
  'users.deleteEmail',
  'users.deletePhoneNumber',
  'users.deleteTOTP',
  'users.deleteCryptoWallet',
  'users.deleteOAuthRegistration',
  'users.deleteWebauthnRegistration',
  'users.deleteBiometricRegistration',
  'users.revokeConnectedApp',
  'magicLinks.sendSecondary',
  'otps.emailSendSecondary',
  'otps.smsSendSecondary',
  'otps.whatsappSendSecondary',
  'passwords.resetBySession',
  'totps.create',
  'totps.recoveryCodes',
  'webauthn.registerStart',
  'webauthn.register',
  'webauthn.update',
  'cryptoWallets.authenticateStartSecondary',
  'idp.authorizeSubmit',
]);

/** Sessions in which somebody else acts for the user: a login of the user's own starts another one. */
export function isDelegated(session: Delegable): boolean {
  return isImpersonated(session) || session.family_id !== null;
}

/** The refusal of what only the user's own sessions can do. */
export function delegateRefusal(session: Factored): Refusal {
  const who = isImpersonated(session) ? 'while impersonating a user' : 'in a session that a connected app made';
  return new Refusal('unauthorized_action', `This is not allowed ${who}.`);
}

/** True for a call that may be refused to who presents a session: those that ask first can spare the look-up. */
export function isRefusedToDelegates({ name }: { readonly name: string }): boolean {
  return REFUSED.has(name);
}

/** A session in which somebody else acts for the user cannot make what outlives it. */
export function checkDelegate(endpoint: { readonly name: string }, session: Delegable | undefined): void {
  if (session === undefined || !isRefusedToDelegates(endpoint) || !isDelegated(session)) return;
  // An app may give up what it was granted: its session ends with that.
  if (!isImpersonated(session) && endpoint.name === 'users.revokeConnectedApp') return;
  throw delegateRefusal(session);
}

/**
 * True when a login goes on in the session that was presented: one of the same user, and one that an app made of its
 * tokens takes only what that app brings, one of an impersonator nothing.
 */
export function joins(
  session: (Delegable & { readonly user_id: string }) | undefined,
  login: { readonly user_id: string; readonly family_id?: string | null | undefined },
): boolean {
  return (
    session?.user_id === login.user_id && !isImpersonated(session) && session.family_id === (login.family_id ?? null)
  );
}

/** True when the presented session is the user's own: neither an impersonator's nor one that an app made. */
export function isOwn(session: (Delegable & { readonly user_id: string }) | undefined, userId: string): boolean {
  return session?.user_id === userId && !isDelegated(session);
}
