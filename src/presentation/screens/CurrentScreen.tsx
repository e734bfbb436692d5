import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { AuthenticateFlowComplete } from './AuthenticateFlowComplete.tsx';
import { EmailConfirmation } from './EmailConfirmation.tsx';
import { Main } from './Main.tsx';
import { OTPAuthenticate } from './OTPAuthenticate.tsx';
import { OTPConfirmation } from './OTPConfirmation.tsx';

/** The component for the screen that the state names. */
export function CurrentScreen({ state }: { readonly state: WidgetState }) {
  const { screen } = state;
  switch (screen.name) {
    case 'Main':
      return <Main screen={screen} state={state} />;
    case 'EmailConfirmation':
      return <EmailConfirmation screen={screen} state={state} />;
    case 'OTPAuthenticate':
      return <OTPAuthenticate screen={screen} state={state} />;
    case 'OTPConfirmation':
      return <OTPConfirmation />;
    case 'AuthenticateFlowComplete':
      return <AuthenticateFlowComplete />;
  }
}
