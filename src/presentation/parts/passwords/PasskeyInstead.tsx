import { productsOf, type LoginConfig } from '#domain/widget/widget-config.ts';
import type { PendingSubmit } from '#domain/screens/submits.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';

interface Props {
  readonly email: string;
  readonly pending: PendingSubmit | null;
}

/** Whether the host enables the sign-up with a passkey. */
export const hasPasskeySignUp = (config: LoginConfig): boolean =>
  config.passkeyOptions?.signUp === true && productsOf(config).includes('passkeys');

/** The button for a sign-up with a passkey and without a password. */
export function PasskeyInstead({ email, pending }: Props) {
  const { model, t } = useWidget();
  return (
    <Button
      look="secondary"
      busy={pending === 'passkey/createRequested'}
      off={pending !== null}
      onPress={() => model.send({ type: 'passkey/createRequested', email })}
    >
      {t('passwordNew.passkey')}
    </Button>
  );
}
