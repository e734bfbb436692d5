import type { ScreenOf } from '../../../domain/screens/screen.ts';
import type { WidgetState } from '../../../domain/screens/widget-state.ts';
import { PasscodeEntry } from './Passcode.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

interface Props {
  readonly screen: ScreenOf<'OTPAuthenticate'>;
  readonly state: WidgetState;
}

export function OTPAuthenticate({ screen: { otp }, state }: Props) {
  const { model, t } = useWidget();
  return (
    <ScreenFrame title={t('otp.title')} onBack={() => model.send({ type: 'back' })}>
      <PasscodeEntry otp={otp} state={state} />
    </ScreenFrame>
  );
}
