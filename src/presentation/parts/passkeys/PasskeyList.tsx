import { useRef } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import type { PasskeyListProps } from '../parts.ts';
import { PasskeyRow } from './PasskeyRow.tsx';

/** The passkeys of the signed-in user. The focus stays in the list when one is deleted. */
export function PasskeyList({ passkeys, rows, dispatch, onRename, onDelete, heading }: PasskeyListProps) {
  const { t, announce } = useWidget();
  const list = useRef<HTMLElement>(null);
  const deleted = useRef<string | null>(null);
  useBeforePaint(() => {
    if (deleted.current === null || passkeys.some((each) => each.webauthn_registration_id === deleted.current)) return;
    deleted.current = null;
    list.current?.focus();
  }, [passkeys]);
  return (
    <section ref={list} data-part="passkeys" tabIndex={-1} aria-label={t('passkeys.list')}>
      {heading !== null && <h2 data-part="subtitle">{heading}</h2>}
      {passkeys.length === 0 ? (
        <p data-part="text">{t('passkeys.list.empty')}</p>
      ) : (
        <ul>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.webauthn_registration_id}
              passkey={passkey}
              rows={rows}
              dispatch={dispatch}
              onRename={(name) => onRename(passkey.webauthn_registration_id, name)}
              onDelete={() => {
                deleted.current = passkey.webauthn_registration_id;
                dispatch({ type: 'closed' });
                onDelete(passkey.webauthn_registration_id);
                announce(t('passkeys.deleted', { name: passkey.name }));
              }}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
