import { useEffect, useRef } from 'react';
import type { AuthError } from '#domain/errors.ts';
import { isRecord } from '#domain/shape.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import type { ScreenProps } from '../parts.ts';

/** "User Rejected Request" (EIP-1193, section "Provider Errors"); Solana's wallets use the same code. */
const USER_REJECTED = 4001;
/** The maximum number of errors to follow along `cause`: the client's, the wallet port's and the wallet's. */
const DEPTH = 3;

/** True when the person declined in the wallet, which is not an error. Reading the wallet's error object may itself throw. */
function hasDeclined(error: unknown): boolean {
  let one = error;
  try {
    for (let depth = 0; depth < DEPTH && isRecord(one); depth += 1) {
      if (one['code'] === USER_REJECTED) return true;
      one = one['cause'];
    }
  } catch {
    // A getter or proxy of the wallet's error threw: the error counts as not declined.
  }
  return false;
}

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
