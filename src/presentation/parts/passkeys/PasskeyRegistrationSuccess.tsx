import { useReducer, useRef } from 'react';
import { IDLE_ROWS, reduceRows, rowsAmong } from '#domain/passkeys/passkey-list.ts';
import type { WebauthnRegistration } from '#domain/users/user.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { NoPasskeyUser } from './NoPasskeyUser.tsx';
import { PasskeyList } from './PasskeyList.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import type { ScreenProps } from '../parts.ts';

/** Presses within this time, in milliseconds, count as one. */
const ONE_PRESS_MS = 1_000;
const NONE: readonly WebauthnRegistration[] = [];

/** The list of passkeys after a registration. It also shows after a skipped registration, without the success message. */
export function PasskeyRegistrationSuccess({
  screen: { created },
  state: { passkeys, error },
}: ScreenProps<'PasskeyRegistrationSuccess'>) {
  const { model, t } = useWidget();
  const [state, dispatch] = useReducer(reduceRows, IDLE_ROWS);
  const lastPressAt = useRef(Number.NEGATIVE_INFINITY);
  if (passkeys === null) return <NoPasskeyUser />;
  const rows = rowsAmong(state, passkeys ?? NONE);
  if (rows !== state) dispatch({ type: 'closed' });
  const editing = rows.name === 'editing';
  const done = (): void => {
    const now = model.clock.now();
    if (Math.abs(now - lastPressAt.current) < ONE_PRESS_MS) return;
    lastPressAt.current = now;
    model.send({ type: 'passkey/done' });
  };
  return (
    <ScreenFrame mark={created ? 'tick' : null} title={created ? t('passkeys.success.title') : t('passkeys.list')}>
      {passkeys === undefined ? (
        <p data-part="text">{t('loading')}</p>
      ) : (
        <PasskeyList
          {...{ passkeys, rows, dispatch }}
          onRename={(id, name) => model.send({ type: 'passkey/renamed', id, name })}
          onDelete={(id) => model.send({ type: 'passkey/deleted', id })}
          heading={created ? t('passkeys.list') : null}
        />
      )}
      <ErrorBanner error={error} />
      <div data-part="actions">
        <Button look="secondary" off={editing} onPress={() => model.send({ type: 'passkey/anotherRequested' })}>
          {t('passkeys.another')}
        </Button>
        <Button look="primary" off={editing} onPress={done}>
          {t('passkeys.done')}
        </Button>
      </div>
    </ScreenFrame>
  );
}
