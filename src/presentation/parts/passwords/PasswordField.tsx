import { useState, type RefObject } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { TextField } from '../../components/TextField.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

interface Props {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly label: string;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly invalid: boolean;
  readonly describedBy: string;
  /** The password is being sent: it can be neither edited nor revealed. */
  readonly waiting: boolean;
  /** The number of suggested passwords that were put into the field. Each of them is revealed. */
  readonly reveals?: number;
  readonly onEdit: (password: string) => void;
}

/**
 * A password field whose text can be revealed. Only the input element contains the password: it is in no state and no attribute, and
 * disappears with the field. It has no name: if a form is submitted before its script has loaded, a browser that does not support the form
 * method `dialog` would send the named fields in a URL.
 */
export function PasswordField({
  field,
  label,
  autoComplete,
  invalid,
  describedBy,
  waiting,
  reveals = 0,
  onEdit,
}: Props) {
  const { id: widget, t } = useWidget();
  const [isShown, setShown] = useState(false);
  const [revealed, setRevealed] = useState(reveals);
  const id = `${widget}-${autoComplete}`;
  if (revealed !== reveals) {
    setRevealed(reveals);
    setShown(true);
  }
  if (waiting && isShown) setShown(false);

  useBeforePaint(() => {
    const input = field.current;
    return () => {
      if (input === null) return;
      input.value = '';
      input.type = 'password';
    };
  }, [field]);

  return (
    <>
      <label data-part="label" htmlFor={id}>
        {label}
      </label>
      <div data-part="password">
        <TextField
          field={field}
          id={id}
          data-focus=""
          invalid={invalid}
          type={isShown ? 'text' : 'password'}
          dir="ltr"
          required
          autoComplete={autoComplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          aria-describedby={describedBy}
          readOnly={waiting}
          onText={onEdit}
        />
        <button
          type="button"
          data-part="reveal"
          aria-label={t('password.show')}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown && !waiting)}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7S2 12 2 12m10-3a3 3 0 1 1 0 6 3 3 0 0 1 0-6" />
            {!isShown && <path d="M4 20 20 4" />}
          </svg>
        </button>
      </div>
    </>
  );
}
