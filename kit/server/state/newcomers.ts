import { CONTACT_KINDS, type ContactKind } from '#server-rules/contacts.ts';
import { admits, arrivalOf, isOpenToAll, type Visitor } from '#server-rules/sign-ups.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { findContact, findOrCreateContact, type KnownContact } from './people.ts';
import type { ServerState } from './state.ts';

/** Where sign-up is not open to everybody, no reply says whether there is such a user. */
export const hidesUsers = ({ settings }: ServerState): boolean => !isOpenToAll(settings.signUp);

const visitorBy = (kind: ContactKind, value: string): Visitor => ({ email: kind === 'email' ? value : null });

/** Whether the user of the contact has come in, or may. */
export function isWelcome(state: ServerState, { kind, value, user_id, user }: KnownContact): boolean {
  if (!hidesUsers(state) || state.cameIn.has(user_id)) return true;
  const is_invited = [...state.links.values()].some(
    (link) => link.user_id === user_id && link.purpose === 'invite' && link.expiresAt > state.now(),
  );
  const stored = { arrival: 'alone', status: user.status, is_invited } as const;
  return admits(state.settings.signUp, arrivalOf(stored, visitorBy(kind, value).email));
}

/** Refuses the first login of a user whom the project does not let in. */
export function checkWelcome(state: ServerState, contact: KnownContact | undefined): void {
  if (contact?.verified === false && !isWelcome(state, contact)) throw new Refusal('sign_up_refused');
}

/**
 * The contact of a user who may log in by it. A new one is made where the project lets everybody with such a contact in.
 *
 * @param status of a new user; null where no user is to be made
 */
export function findWelcome(
  state: ServerState,
  kind: ContactKind,
  value: string,
  status: 'active' | 'pending' | null,
): KnownContact | undefined {
  const arrival = visitorBy(kind, value);
  const contact = findContact(state, kind, value);
  if (contact !== undefined) return isWelcome(state, contact) ? contact : undefined;
  if (status === null || !admits(state.settings.signUp, arrival)) return undefined;
  return findOrCreateContact(state, kind, value, { arrival, status });
}

/** The ids in the reply about a contact where replies hide users: the same for each request. */
export function decoyIds(state: ServerState, kind: ContactKind, value: string) {
  const { idKind, keyOf } = CONTACT_KINDS[kind];
  const key = keyOf(value);
  return { user_id: state.addedId('user', 'decoy', key), method_id: state.addedId(idKind, 'decoy', key) };
}
