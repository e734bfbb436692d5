import type { FactorFormState, FactorRequest } from '#domain/sessions/second-factor.ts';
import type { Intent } from '#domain/screens/event.ts';
import type { PendingSubmit } from '#domain/screens/submits.ts';
import type { ScreenState, WidgetState } from '#domain/screens/widget-state.ts';
import { LentWidget } from '../LentWidget.tsx';
import type { Elements } from '../../elements.ts';

/** The name of the form's request in the login's components. */
function nameOf(request: FactorRequest['kind'] | null, { task }: FactorFormState): PendingSubmit | null {
  if (request === null) return null;
  if (request === 'addPhone' && task.kind === 'addPhone') return 'phone/requested';
  return request === 'send' || request === 'addPhone' ? 'otp/resendRequested' : 'otp/codeEntered';
}

/** The widget's state in the form that the login's components expect. */
export function lentState<State extends ScreenState>(state: State, flow: FactorFormState): State {
  const pending = nameOf(flow.at === 'working' ? flow.doing : null, flow);
  return { ...state, pending, error: flow.error, failed: nameOf(flow.failed, flow) };
}

/** Translates an intent of the login's components; null for one with the same meaning here. */
function translated(intent: Intent, { screen }: WidgetState): Intent | null {
  if (screen.name !== 'SecondFactor' || !('task' in screen.flow)) return null;
  const { task } = screen.flow;
  switch (intent.type) {
    case 'otp/codeEdited':
      return { type: 'factor/edited' };
    case 'phone/requested': {
      const { country, national, method: channel, edit } = intent;
      return { type: 'factor/asked', request: { kind: 'addPhone', country, national, channel, edit } };
    }
    case 'otp/codeEntered':
      return task.kind === 'text'
        ? { type: 'factor/asked', request: { kind: 'text', code: intent.code, otp: task.otp } }
        : null;
    case 'otp/resendRequested': {
      if (task.kind !== 'text' || task.otp.type === 'email') return null;
      const { type: channel, phone } = task.otp;
      if (task.phone !== null) return { type: 'factor/asked', request: { kind: 'send', channel, phone: task.phone } };
      const { country = '', national = '' } = phone ?? {};
      return { type: 'factor/asked', request: { kind: 'addPhone', country, national, channel, edit: 0 } };
    }
    default:
      return null;
  }
}

const stateOf = (state: WidgetState): WidgetState => {
  const { screen } = state;
  return screen.name === 'SecondFactor' && 'task' in screen.flow ? lentState(state, screen.flow) : state;
};

/** Lets the login's components work here: their intents become those of the second factor. */
export function Lent({ children }: { readonly children: Elements }) {
  return (
    <LentWidget stateOf={stateOf} translated={translated}>
      {children}
    </LentWidget>
  );
}
