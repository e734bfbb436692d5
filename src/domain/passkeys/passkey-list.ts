import type { WebauthnRegistration } from '../users/user.ts';

/** A requested change to one passkey that the server has not answered yet. */
export type PasskeyChange =
  | { readonly kind: 'rename'; readonly id: string; readonly name: string }
  | { readonly kind: 'delete'; readonly id: string };

/** The passkeys as they will be if the server accepts every change. Changes are applied in the order of their requests. */
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

/** The name of a passkey after an edit. An empty name keeps the old one; there is no length limit (section 5). */
export function editedName(before: string, input: string): string {
  const name = input.trim();
  return name === '' ? before : name;
}

/** The row that is being edited or deleted: at most one at a time (specification, section 4). */
export type RowState =
  | { readonly name: 'idle' }
  | { readonly name: 'editing'; readonly id: string }
  | { readonly name: 'deleting'; readonly id: string };

export type RowEvent =
  | { readonly type: 'editOpened'; readonly id: string }
  | { readonly type: 'deleteOpened'; readonly id: string }
  /** The change was saved or cancelled. */
  | { readonly type: 'closed' };

export const IDLE_ROWS: RowState = { name: 'idle' };

/** The state after the event. While one row is open, no other opens. */
export function reduceRows(state: RowState, event: RowEvent): RowState {
  if (event.type === 'closed') return IDLE_ROWS;
  if (state.name !== 'idle') return state;
  return { name: event.type === 'editOpened' ? 'editing' : 'deleting', id: event.id };
}

/** Closes the open row when its passkey is gone, for example because another tab deleted it. */
export function rowsAmong(state: RowState, passkeys: readonly WebauthnRegistration[]): RowState {
  const isThere = state.name !== 'idle' && passkeys.some((each) => each.webauthn_registration_id === state.id);
  return isThere ? state : IDLE_ROWS;
}
