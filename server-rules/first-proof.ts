import { ownOf, type Delegable } from '#domain/rules/delegates.ts';

/** An address, and the session that added it. */
interface Contact {
  readonly user_id: string;
  readonly added_in: string | null;
}

/**
 * The session that requested a message to the address, if it is the session of the address's sign-up: the user's own session, which started
 * at the sign-up with a password for this exact address. Only such an address has a session before it is verified, so comparing the ids is
 * enough.
 *
 * The user who verifies the address in that session signed up with it, and owns everything that was added in it. Other sessions do not
 * prove this, because a stranger who signed up with the address can make its owner log in by a link to another address of the user, or by
 * any factor of the user. A login by the address in a browser with this session does not prove it either, because the stranger may have
 * left the session there.
 */
export function signUpSession<S extends Delegable & { readonly user_id: string; readonly session_id: string }>(
  contact: Contact,
  session: S | undefined,
): S | undefined {
  const own = ownOf(contact, session);
  return own?.session_id === contact.added_in ? own : undefined;
}
