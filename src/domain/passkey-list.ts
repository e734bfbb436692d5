import type { WebauthnRegistration } from './user.ts';

/** What somebody asked for of one of their passkeys, and the server has not answered yet. */
export type PasskeyChange =
  | { readonly kind: 'rename'; readonly id: string; readonly name: string }
  | { readonly kind: 'delete'; readonly id: string };

/** The passkeys as they will be when the server agrees to every change, in the order in which they were asked for. */
export function withChanges(
  passkeys: readonly WebauthnRegistration[],
  changes: readonly PasskeyChange[],
): readonly WebauthnRegistration[] {
  return changes.reduce((list, change) => {
    const isIt = ({ webauthn_registration_id: id }: WebauthnRegistration): boolean => id === change.id;
    if (change.kind === 'delete') return list.filter((passkey) => !isIt(passkey));
    return list.map((passkey) => (isIt(passkey) ? { ...passkey, name: change.name } : passkey));
  }, passkeys);
}

/** What a passkey is called after its name was edited: an empty name keeps the old one (no length rule, section 5). */
export function editedName(before: string, typed: string): string {
  const name = typed.trim();
  return name === '' ? before : name;
}

/** The one row that is being edited or deleted, or none (specification, section 4). */
export type RowState =
  | { readonly name: 'idle' }
  | { readonly name: 'editing'; readonly id: string }
  | { readonly name: 'deleting'; readonly id: string };

export type RowEvent =
  | { readonly type: 'editOpened'; readonly id: string }
  | { readonly type: 'deleteOpened'; readonly id: string }
  /** Saved, deleted or thought better of. */
  | { readonly type: 'closed' };

export const IDLE_ROWS: RowState = { name: 'idle' };

/** The rows after the event. While one is open, no other opens. */
export function reduceRows(state: RowState, event: RowEvent): RowState {
  if (event.type === 'closed') return IDLE_ROWS;
  if (state.name !== 'idle') return state;
  return { name: event.type === 'editOpened' ? 'editing' : 'deleting', id: event.id };
}

/** The rows' state where a row may have gone meanwhile, such as in another tab: nothing is open in what is not there. */
export function rowsAmong(state: RowState, passkeys: readonly WebauthnRegistration[]): RowState {
  const isThere = state.name !== 'idle' && passkeys.some((each) => each.webauthn_registration_id === state.id);
  return isThere ? state : IDLE_ROWS;
}
