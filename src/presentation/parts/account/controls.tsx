import { Fragment, useRef, useState, type ReactNode, type RefObject, type SyntheticEvent } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { busySection, type AccountPage, type AccountSection, type AccountTask } from '#domain/account/account.ts';
import { writtenEmail } from '#domain/contacts/international-domain.ts';
import { Button } from '../../components/Button.tsx';
import { FieldFrame } from '../../components/FieldFrame.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { EmailHint } from '../login/EmailHint.tsx';
import type { Elements } from '../../elements.ts';
import { useDrafts } from './drafts.ts';

interface ActionProps {
  /** The visible text. */
  readonly text: string;
  /** The whole name for screen readers, which contains the visible text. */
  readonly label?: string;
  /** The id of the text that distinguishes rows with the same name. */
  readonly describedBy?: string;
  /** The name of the form that the button opens. The focus returns to the button. */
  readonly opens?: string;
  readonly busy?: boolean;
  /** The button removes something, or opens the confirmation for it. */
  readonly danger?: boolean;
  readonly onPress: () => void;
}

/** An email address or a phone number. A long address breaks at its dots and its sign, rather than inside a word. */
export function AddressText({ text }: { readonly text: string }) {
  return (
    <bdi dir="ltr" translate="no">
      {writtenEmail(text)
        .split(/(?=[.@])/u)
        .map((piece, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
          <Fragment key={at}>
            {piece}
            <wbr />
          </Fragment>
        ))}
    </bdi>
  );
}

/** A small button in a row. */
export function Action({ text, label, describedBy, opens, busy = false, danger = false, onPress }: ActionProps) {
  return (
    <button
      type="button"
      data-part="action"
      data-look={danger ? 'danger' : undefined}
      data-opens={opens}
      aria-label={label}
      aria-describedby={describedBy}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={() => busy || onPress()}
    >
      {text}
    </button>
  );
}

/** A button under the content of a section that opens a form. It looks like the section's other buttons. */
export function Opener({ task, children }: { readonly task: AccountTask; readonly children: ReactNode }) {
  const { model } = useWidget();
  return (
    <button
      type="button"
      data-part="button"
      data-look="secondary"
      data-state="idle"
      data-opens={task.kind}
      onClick={() => model.send({ type: 'account/opened', task })}
    >
      <span>{children}</span>
    </button>
  );
}

/** The state of a form's buttons: `busy` while its own section changes, `off` while another one does. */
export const buttonsOf = (page: AccountPage, section: AccountSection) => ({
  busy: busySection(page) === section,
  off: page.at === 'working' && busySection(page) !== section,
});

interface FormProps {
  readonly children: Elements;
  readonly submit: string;
  readonly busy: boolean;
  readonly off?: boolean;
  /** Called when the user closes the form. */
  readonly onCancel?: () => void;
  readonly onSubmit: (fields: (name: string) => string) => void;
  /** The element, for a form that itself moves the focus to what is invalid. */
  readonly form?: RefObject<HTMLFormElement | null>;
}

/** A form of the page, with buttons to send it and to close it. An invalid field gets the focus. */
export function TaskForm({ children, submit, busy, off = false, onCancel, onSubmit, form }: FormProps) {
  const own = useRef<HTMLFormElement>(null);
  const [tries, setTries] = useState(0);
  useBeforePaint(() => {
    if (tries > 0) own.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [tries]);
  const send = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { elements } = event.currentTarget;
    onSubmit((name) => (elements.namedItem(name) as HTMLInputElement | null)?.value ?? '');
    setTries(tries + 1);
  };
  return (
    <form data-part="task" noValidate ref={form ?? own} onSubmit={send}>
      {children}
      <div data-part="choices">
        <Button look="primary" type="submit" busy={busy} off={off}>
          {submit}
        </Button>
        <Cancel off={busy || off} onPress={onCancel} />
      </div>
    </form>
  );
}

interface CancelProps {
  /** "Cancel" by default. */
  readonly text?: string | undefined;
  readonly off?: boolean;
  readonly onPress?: (() => void) | undefined;
}

export function Cancel({ text, off = false, onPress }: CancelProps) {
  const { model, t } = useWidget();
  return (
    <Button
      look="secondary"
      off={off}
      onPress={() => {
        onPress?.();
        model.send({ type: 'account/closed' });
      }}
    >
      {text ?? t('account.cancel')}
    </Button>
  );
}

interface FieldProps {
  readonly name: string;
  /** The section that keeps the typed text while another form is open. Without it the text is not kept. */
  readonly draft?: AccountSection;
  readonly label: ReactNode;
  readonly type?: 'text' | 'email' | 'password';
  readonly dir?: 'auto' | 'ltr';
  readonly value?: string;
  readonly autoComplete?: string | undefined;
  readonly inputMode?: 'numeric' | 'text';
  readonly maxLength?: number;
  readonly required?: boolean;
  readonly readOnly?: boolean;
  /** The text of the error; an empty text when there is none. */
  readonly error?: ReactNode;
  readonly onEdit?: () => void;
}

/** A labelled field with a place for its error. */
export function Field({ name, label, error, value, draft, onEdit, type = 'text', dir = 'auto', ...rest }: FieldProps) {
  const id = useOwnId();
  const drafts = useDrafts();
  const field = useRef<HTMLInputElement>(null);
  return (
    <FieldFrame {...{ id, label, error }} hint={type === 'email' && <EmailHint field={field} />}>
      <TextField
        {...rest}
        name={name}
        field={field}
        id={id}
        type={type}
        dir={dir}
        invalid={Boolean(error)}
        defaultValue={(draft === undefined ? undefined : drafts.of(draft)[name]) ?? value}
        autoCapitalize={type === 'email' ? 'none' : undefined}
        spellCheck={false}
        aria-describedby={`${id}-error`}
        onText={(text) => {
          if (draft !== undefined) drafts.keep(draft, { [name]: text });
          onEdit?.();
        }}
      />
    </FieldFrame>
  );
}
