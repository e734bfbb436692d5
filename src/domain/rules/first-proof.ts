import { ownOf, type Delegable } from './delegates.ts';

/** An address, and the session that added it. */
interface Contact {
  readonly user_id: string;
  readonly added_in: string | null;
}

/**
 * The session that requested a message to the address, when it is that of the address's sign-up: the user's own session which the sign-up
 * with a password for this very address began. Only such an address has a session before it is verified, so the ids tell.
 *
 * Whoever verifies the address in it signed up with it, and what they added in it is theirs. No other session shows that, as a
 * stranger who signed up with the address can make its owner log in by a link to another address of the user, or by any factor of
 * the user. Nor does a login by the address in a browser that has this session: the stranger may have left it there.
 */
export function signUpSession<S extends Delegable & { readonly user_id: string; readonly session_id: string }>(
  contact: Contact,
  session: S | undefined,
): S | undefined {
  const own = ownOf(contact, session);
  return own?.session_id === contact.added_in ? own : undefined;
}
