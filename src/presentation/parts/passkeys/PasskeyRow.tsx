import { useRef } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import type { RowEvent, RowState } from '#domain/passkeys/passkey-list.ts';
import type { WebauthnRegistration } from '#domain/users/user.ts';
import { onEscape } from '../../hooks/escape.ts';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';
import { PasskeyDetails } from './PasskeyDetails.tsx';
import { PasskeyName } from './PasskeyName.tsx';
import { RowIcon } from './RowIcon.tsx';

interface Props {
  readonly passkey: WebauthnRegistration;
  /** The open row, if any. While another row is open, this row hides its actions. */
  readonly rows: RowState;
  readonly dispatch: (event: RowEvent) => void;
  readonly onRename: (name: string) => void;
  readonly onDelete: () => void;
}

/** One passkey: its name and its actions (specification, sections 2 and 4). */
export function PasskeyRow({ passkey, rows, dispatch, onRename, onDelete }: Props) {
  const { t, announce } = useWidget();
  const { webauthn_registration_id: id, name } = passkey;
  const open = rows.name !== 'idle' && rows.id === id ? rows.name : null;
  const row = useRef<HTMLLIElement>(null);
  const before = useRef(open);
  const warning = useOwnId();

  useBeforePaint(() => {
    const from = before.current;
    before.current = open;
    if (from === open) return;
    const next = open ?? `was-${from}`;
    row.current?.querySelector<HTMLElement>(`[data-focus-on~="${next}"]`)?.focus();
  }, [open]);

  useBeforePaint(() => {
    const element = row.current;
    if (open !== 'deleting' || element === null) return undefined;
    const leave = (event: KeyboardEvent): void => onEscape(event, () => dispatch({ type: 'closed' }));
    element.addEventListener('keydown', leave);
    return () => element.removeEventListener('keydown', leave);
  }, [open, dispatch]);

  const rename = (next: string): void => {
    dispatch({ type: 'closed' });
    if (next === name) return;
    onRename(next);
    announce(t('passkeys.renamed'));
  };

  const displayName = name.trim() === '' ? t('passkeys.unnamed') : name;
  if (open === 'editing') {
    return (
      <li ref={row} data-part="passkey" data-state="editing">
        <PasskeyName name={name} onClose={rename} />
      </li>
    );
  }
  return (
    <li ref={row} data-part="passkey" data-state={open ?? 'idle'}>
      <div data-part="row">
        <div data-part="passkey-text">
          <span data-part="passkey-name">
            <bdi>{displayName}</bdi>
          </span>
          <PasskeyDetails passkey={passkey} />
        </div>
        {rows.name === 'idle' && (
          <>
            <button
              type="button"
              data-part="icon-button"
              data-focus-on="was-editing"
              aria-label={t('passkeys.edit', { name: displayName })}
              onClick={() => dispatch({ type: 'editOpened', id })}
            >
              <RowIcon name="edit" />
            </button>
            <button
              type="button"
              data-part="icon-button"
              data-look="danger"
              data-focus-on="was-deleting"
              aria-label={t('passkeys.delete', { name: displayName })}
              onClick={() => dispatch({ type: 'deleteOpened', id })}
            >
              <RowIcon name="delete" />
            </button>
          </>
        )}
      </div>
      {open === 'deleting' && (
        <fieldset data-part="warning" data-focus-on="deleting" tabIndex={-1} aria-labelledby={warning}>
          <p id={warning} data-part="text">
            {t('passkeys.delete.warning')}
          </p>
          <div data-part="choices">
            <Button look="danger" onPress={onDelete}>
              {t('passkeys.delete.confirm')}
            </Button>
            <Button look="secondary" onPress={() => dispatch({ type: 'closed' })}>
              {t('passkeys.delete.cancel')}
            </Button>
          </div>
        </fieldset>
      )}
    </li>
  );
}
