import { useEffect, useRef } from 'react';
import type { AuthError } from '#domain/errors.ts';
import { hasDeclined } from './wallet-refusals.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import type { ScreenProps } from '../parts.ts';

/** True for an error of the server. Errors of a wallet are not shown, because their texts do not help a person. */
const isOfServer = (error: AuthError | null): error is AuthError =>
  error !== null && !(error.kind === 'api' && error.error_type === 'unknown_error');

/** The screen after an error. If the user declined in the wallet, the text says so, without an alert. */
export function CryptoError({ screen, state }: ScreenProps<'CryptoError'>) {
  const { announce, model, t } = useWidget();
  const { wallet } = screen;
  const declined = hasDeclined(state.error);
  const reason = useRef<HTMLParagraphElement>(null);
  const heading = t('cryptoError.title');
  useEffect(() => {
    // Comes after the announcement of the heading, which it repeats.
    queueMicrotask(() => {
      const text = reason.current?.textContent;
      if (text) announce(`${heading} ${text}`);
    });
  }, [announce, heading]);
  return (
    <ScreenFrame mark={declined ? null : 'alert'} title={heading} onBack={() => model.send({ type: 'back' })}>
      <p ref={reason} data-part="text">
        {!declined && isOfServer(state.error) ? (
          <ErrorText error={state.error} />
        ) : (
          <span>{t(declined ? 'cryptoDeclined.text' : 'cryptoError.text')}</span>
        )}
      </p>
      <Button look="primary" onPress={() => model.send({ type: 'wallet/chosen', wallet })}>
        {t('cryptoError.again')}
      </Button>
    </ScreenFrame>
  );
}
