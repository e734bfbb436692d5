import type { ScreenOf } from '#domain/screens/screen.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { PasswordCreate } from './PasswordCreate.tsx';
import { Passwordless } from './Passwordless.tsx';
import { PasswordLogin } from './PasswordLogin.tsx';

interface Props {
  readonly screen: ScreenOf<'PasswordCreateOrLogin'>;
  readonly state: ScreenState;
}

export function PasswordCreateOrLogin({ screen, state }: Props) {
  if (screen.userType === 'passwordless')
    return <Passwordless email={screen.email} message={screen.message} state={state} />;
  if (screen.userType === 'password') return <PasswordLogin email={screen.email} state={state} />;
  return <PasswordCreate email={screen.email} state={state} />;
}
