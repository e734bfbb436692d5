import { useState, type RefObject } from 'react';
import type { AuthError } from '#domain/errors.ts';
import {
  fieldControl,
  refusedControl,
  termsControl,
  type Profile,
  type ProfileField,
} from '#domain/sessions/profile.ts';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { useWidget } from '../../hooks/useWidget.ts';

/** What is wrong with the value of a control. */
export type Problem = 'required' | 'refused';

export interface ProfileEntryForm {
  /** What is wrong with the control of this name; null for nothing. */
  readonly problemOf: (control: string) => Problem | null;
  /** The error that belongs to none of the controls. */
  readonly otherError: AuthError | null;
  /** To be called when the person edits a control. */
  readonly edited: (control: string) => void;
  /** The values of the fields; null if something required is missing, which then has the focus. */
  readonly read: () => readonly (readonly [field: ProfileField, value: string])[] | null;
}

/**
 * The form in which a person fills in fields and accepts terms. A value that is missing, or that the server refused, has a text at its
 * control, and the control has the focus.
 *
 * @param form the form's element
 * @param error of its last request
 * @param forget ends that error
 */
export function useProfileEntry(
  form: RefObject<HTMLFormElement | null>,
  { fields, terms }: Profile,
  error: AuthError | null,
  forget: () => void,
): ProfileEntryForm {
  const { announce } = useWidget();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [tries, setTries] = useState(0);
  const controls = [...fields.map(fieldControl), ...terms.map(termsControl)];
  const culprit = refusedControl(error);
  const isHere = culprit !== null && controls.includes(culprit);
  const problemOf = (control: string): Problem | null => {
    if (isHere && control === culprit) return 'refused';
    return missing.includes(control) ? 'required' : null;
  };
  const focusFirst = (): void => {
    const name = controls.find((control) => problemOf(control) !== null);
    const control = name === undefined ? null : (form.current?.elements.namedItem(name) as HTMLElement | null);
    if (!control) return;
    const root = control.getRootNode() as Document | ShadowRoot;
    // Screen readers read the text where the focus arrives.
    if (root.activeElement === control) {
      announce(root.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent ?? '');
    }
    control.focus();
  };
  // The text is at the control before the focus is.
  useBeforePaint(() => {
    if (tries > 0) focusFirst();
    // oxlint-disable-next-line react/exhaustive-deps -- a corrected control leaves the focus where the person is
  }, [tries]);
  useBeforePaint(() => {
    const { activeElement } = (form.current?.getRootNode() ?? document) as Document | ShadowRoot;
    // The answer may come when the person is elsewhere.
    if (isHere && form.current?.contains(activeElement)) focusFirst();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each answer
  }, [isHere && error]);
  const read = () => {
    const control = (name: string) => form.current?.elements.namedItem(name) as HTMLInputElement;
    const values = fields.map((field) => [field, control(fieldControl(field)).value.trim()] as const);
    const empty = values.filter(([field, value]) => field.required && value === '');
    const names = [
      ...empty.map(([field]) => fieldControl(field)),
      ...terms.map(termsControl).filter((name) => !control(name).checked),
    ];
    setMissing(names);
    setTries(tries + 1);
    return names.length > 0 ? null : values;
  };
  const edited = (control: string): void => {
    setMissing((before) => before.filter((name) => name !== control));
    if (error !== null && (!isHere || control === culprit)) forget();
  };
  return { problemOf, otherError: isHere ? null : error, edited, read };
}
