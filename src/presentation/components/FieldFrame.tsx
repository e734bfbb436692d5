import type { ReactNode } from 'react';
import type { Elements } from '../elements.ts';

interface Props {
  /** The id of the field. */
  readonly id: string;
  readonly label: ReactNode;
  readonly error: ReactNode;
  /** The form moves the focus to the field of an error, where screen readers read it. */
  readonly quiet?: boolean;
  readonly hint?: Elements;
  readonly children: Elements;
}

/** The label of a field, the field, and the place for its error. */
export function FieldFrame({ id, label, error, quiet, hint, children }: Props) {
  return (
    <div data-part="field">
      <label data-part="label" htmlFor={id}>
        {label}
      </label>
      {children}
      <p data-part="field-error" id={`${id}-error`} role={quiet ? undefined : 'alert'}>
        {error}
      </p>
      {hint}
    </div>
  );
}
