import type { WidgetState } from '../../domain/screens/widget-state.ts';
import type { LateScreens } from '../hooks/useLateScreens.ts';
import { Main } from './Main.tsx';

interface Props {
  readonly state: WidgetState;
  /** Null only while the first screen shows. */
  readonly late: LateScreens | null;
}

/** The component for the screen that the state names. */
export function CurrentScreen({ state, late }: Props) {
  const { screen } = state;
  if (screen.name === 'Main') return <Main screen={screen} state={state} />;
  if (late === null) return null;
  switch (screen.name) {
    case 'EmailConfirmation':
      return <late.EmailConfirmation screen={screen} state={state} />;
    case 'OTPAuthenticate':
      return <late.OTPAuthenticate screen={screen} state={state} />;
    case 'OTPConfirmation':
      return <late.OTPConfirmation />;
    case 'AuthenticateFlowComplete':
      return <late.AuthenticateFlowComplete />;
  }
}
