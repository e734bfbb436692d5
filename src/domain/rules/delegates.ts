import { isImpersonated, type SessionFactors } from './factors.ts';
import { Refusal } from './refusal.ts';

/** A session, and which app's tokens it was made from; null for one that a login made. */
export interface Delegable extends SessionFactors {
  readonly family_id: string | null;
  /**
   * True where a page presented the session's JWT without its token. Apps show JWTs to their servers and logs: for five minutes one says
   * who somebody is, and it changes nothing that outlives that.
   */
  readonly of_jwt?: boolean;
}

/** True for a session in which an impersonator, a connected app or the holder of a JWT acts for the user. */
export function isDelegated(session: Delegable): boolean {
  return isImpersonated(session) || session.family_id !== null || session.of_jwt === true;
}

/** Tells an impersonator, an app or the holder of a JWT that only the user can do this. */
export function delegateRefusal(session: SessionFactors & Partial<Delegable>): Refusal {
  if (isImpersonated(session)) return refusalFor('while impersonating a user');
  return refusalFor(session.of_jwt ? 'with a session JWT alone' : 'in a session that a connected app made');
}

const refusalFor = (how: string): Refusal => new Refusal('unauthorized_action', `This is not allowed ${how}.`);

/** Refuses an impersonator or an app where the effect outlives their session: factors, and what others may do for the user. */
export function requireOwn(session: Delegable): void {
  if (isDelegated(session)) throw delegateRefusal(session);
}

/**
 * True when a login goes on in the live session that was presented: that of the same user. A session that an app made
 * from its tokens takes only factors that this app brings, and one of an impersonator takes none.
 */
export function joins(
  session: (Delegable & { readonly user_id: string }) | undefined,
  login: { readonly user_id: string; readonly family_id?: string | null | undefined },
): boolean {
  return (
    session?.user_id === login.user_id && !isImpersonated(session) && session.family_id === (login.family_id ?? null)
  );
}

/** The presented session when it belongs to this user and neither an impersonator nor an app acts in it. */
export function ownOf<S extends Delegable & { readonly user_id: string }>(
  { user_id }: { readonly user_id: string },
  session: S | undefined,
): S | undefined {
  return session?.user_id === user_id && !isDelegated(session) ? session : undefined;
}
