import { formError, type AccountPage, type ChangeInProgress } from '#domain/account/account.ts';
import type { Intent } from '#domain/screens/event.ts';
import type { PendingSubmit } from '#domain/screens/submits.ts';
import type { ScreenState, WidgetState } from '#domain/screens/widget-state.ts';
import { LentWidget } from '../LentWidget.tsx';
import type { Elements } from '../../elements.ts';

/** The name of a change in the components of other parts. */
function nameOf(change: ChangeInProgress | null): PendingSubmit | null {
  if (change === null) return null;
  switch (change.kind) {
    case 'sendCode':
      return 'otp/resendRequested';
    case 'sendText':
      return 'phone/requested';
    case 'enterCode':
      return 'otp/codeEntered';
    default:
      return 'password/createRequested';
  }
}

/** The widget's state in the form that components of other parts expect. */
export function lentState<State extends ScreenState>(state: State, page: AccountPage): State {
  const pending = nameOf(page.at === 'working' ? page.doing : null);
  return { ...state, pending, error: 'way' in page ? null : formError(page), failed: nameOf(page.failed) };
}

/** The account page's event for an intent of another part; null for an intent with the same meaning here. */
function translated(intent: Intent, { account }: WidgetState): Intent | null {
  switch (intent.type) {
    case 'otp/codeEdited':
      return { type: 'account/edited' };
    case 'phone/requested': {
      const { country, national, method, edit } = intent;
      return { type: 'account/asked', change: { kind: 'sendText', country, national, method, edit } };
    }
    case 'passkey/renamed':
      return { type: 'account/asked', change: { kind: 'renamePasskey', id: intent.id, name: intent.name } };
    case 'passkey/deleted':
      return { type: 'account/asked', change: { kind: 'remove', what: 'passkey', id: intent.id } };
    default:
  }
  const task = 'task' in account ? account.task : null;
  if (task?.kind !== 'enterCode') return null;
  const { otp } = task;
  if (intent.type === 'otp/codeEntered') {
    return { type: 'account/asked', change: { kind: 'enterCode', code: intent.code, otp } };
  }
  if (intent.type !== 'otp/resendRequested') return null;
  const { type: method, destination, phone } = otp;
  return { type: 'account/asked', change: { kind: 'sendCode', method, destination, ...(phone && { phone }) } };
}

interface Props {
  /** Called with each intent before it becomes a change of the account. */
  readonly onIntent?: (intent: Intent) => void;
  readonly children: Elements;
}

const stateOf = (state: WidgetState): WidgetState =>
  'task' in state.account ? lentState(state, state.account) : state;

/** Lets components of other parts work here: their intents become changes of the account. */
export function Borrowed({ onIntent, children }: Props) {
  return (
    <LentWidget stateOf={stateOf} translated={translated} onIntent={onIntent}>
      {children}
    </LentWidget>
  );
}
