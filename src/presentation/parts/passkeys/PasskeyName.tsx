import { useRef } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { editedName } from '#domain/passkeys/passkey-list.ts';
import { TextField } from '../../components/TextField.tsx';
import { onEscape } from '../../hooks/escape.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { RowIcon } from './RowIcon.tsx';

interface Props {
  readonly name: string;
  /** Called with the new name, or with the old name when the person cancelled. */
  readonly onClose: (name: string) => void;
}

/** The field for editing a passkey's name. Enter saves, Escape cancels. */
export function PasskeyName({ name, onClose }: Props) {
  const { t } = useWidget();
  const field = useRef<HTMLInputElement>(null);
  useBeforePaint(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <form
      data-part="row"
      onSubmit={(event) => {
        event.preventDefault();
        onClose(editedName(name, field.current?.value ?? name));
      }}
    >
      <TextField
        field={field}
        type="text"
        dir="auto"
        autoComplete="off"
        aria-label={t('passkeys.name')}
        defaultValue={name}
        onKeyDown={(event) => onEscape(event, () => onClose(name))}
      />
      <button type="submit" data-part="icon-button" aria-label={t('passkeys.save')}>
        <RowIcon name="save" />
      </button>
    </form>
  );
}
