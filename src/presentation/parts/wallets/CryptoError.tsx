import type { AuthError } from '../../../domain/errors.ts';
import { hasDeclined } from './wallet-refusals.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import type { ScreenProps } from '../parts.ts';

/** True for an error of the server. Errors of a wallet are not shown, because their texts do not help a person. */
const isOfServer = (error: AuthError | null): error is AuthError =>
  error !== null && !(error.kind === 'api' && error.error_type === 'unknown_error');

/** The screen after an error, or after the user declined in the wallet, which is not presented as an error. */
export function CryptoError({ screen, state }: ScreenProps<'CryptoError'>) {
  const { model, t } = useWidget();
  const { wallet } = screen;
  const declined = hasDeclined(state.error);
  return (
    <ScreenFrame
      mark={declined ? null : 'alert'}
      title={t(declined ? 'cryptoDeclined.title' : 'cryptoError.title')}
      onBack={() => model.send({ type: 'back' })}
    >
      {declined ? (
        <p data-part="text">{t('cryptoDeclined.text')}</p>
      ) : (
        <p data-part="text" data-announce="">
          {isOfServer(state.error) ? <ErrorText error={state.error} /> : t('cryptoError.text')}
        </p>
      )}
      <Button look="primary" onPress={() => model.send({ type: 'wallet/chosen', wallet })}>
        {t('cryptoError.again')}
      </Button>
    </ScreenFrame>
  );
}
