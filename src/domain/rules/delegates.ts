import { isImpersonated, type SessionFactors } from './factors.ts';
import { Refusal } from './refusal.ts';

/** A session, and the app that created it with its tokens; null for a session from a login. */
export interface Delegable extends SessionFactors {
  readonly family_id: string | null;
  /**
   * True if a page presented the session's JWT without its token. Apps send JWTs to their servers and logs. A JWT identifies a user for its
   * five minutes, but it must not cause changes that outlast it.
   */
  readonly of_jwt?: boolean;
}

/** True for a session in which an impersonator, a connected app or the holder of a JWT acts for the user. */
export function isDelegated(session: Delegable): boolean {
  return isImpersonated(session) || session.family_id !== null || session.of_jwt === true;
}

/** The error for an impersonator, an app or the holder of a JWT: only the user can do this. */
export function delegateRefusal(session: SessionFactors & Partial<Delegable>): Refusal {
  if (isImpersonated(session)) return refusalFor('while impersonating a user');
  return refusalFor(session.of_jwt ? 'with a session JWT alone' : 'in a session that a connected app made');
}

const refusalFor = (how: string): Refusal => new Refusal('unauthorized_action', `This is not allowed ${how}.`);

/**
 * True if a login continues the presented live session of the same user. A session that an app created from its tokens accepts only factors
 * of this app; an impersonator's session accepts none. A session presented by its JWT alone is not continued: whoever copied the JWT would
 * get a token of the session, with the factors that its user proved.
 */
export function joins(
  session: (Delegable & { readonly user_id: string }) | undefined,
  login: { readonly user_id: string; readonly family_id?: string | null | undefined },
): boolean {
  return (
    session?.user_id === login.user_id &&
    !isImpersonated(session) &&
    session.of_jwt !== true &&
    session.family_id === (login.family_id ?? null)
  );
}

/** The presented session, if it belongs to this user and no impersonator or app acts in it. */
export function ownOf<S extends Delegable & { readonly user_id: string }>(
  { user_id }: { readonly user_id: string },
  session: S | undefined,
): S | undefined {
  return session?.user_id === user_id && !isDelegated(session) ? session : undefined;
}
