import { fireEvent } from '@testing-library/react';

/** Writes as a browser does: past the property in which React remembers what it wrote. */
function write(field: HTMLInputElement, value: string, data: string, inputType: string, isComposing: boolean): void {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
  set?.call(field, value);
  if (field.type !== 'email') field.setSelectionRange(value.length, value.length);
  fireEvent(field, new InputEvent('input', { bubbles: true, composed: true, data, inputType, isComposing }));
}

/** Begins a composition at the end of the field. Each step is the text that is underlined then. */
export function compose(field: HTMLInputElement, ...steps: readonly string[]): void {
  const before = field.value;
  fireEvent.compositionStart(field);
  for (const step of steps) {
    fireEvent.compositionUpdate(field, { data: step });
    write(field, before + step, step, 'insertCompositionText', true);
  }
}

/** The order of the last events of a composition. */
export type Engine = 'Chromium' | 'Firefox' | 'Safari';

/** Ends the composition of the field. */
export function commit(field: HTMLInputElement, composed: string, engine: Engine = 'Chromium', text = composed): void {
  const before = field.value.slice(0, field.value.length - composed.length);
  if (engine === 'Safari') {
    write(field, before, '', 'deleteCompositionText', true);
    write(field, before + text, text, 'insertFromComposition', false);
  } else if (text !== composed) write(field, before + text, text, 'insertCompositionText', true);
  fireEvent.compositionEnd(field, { data: text });
  if (engine === 'Firefox') write(field, field.value, text, 'insertCompositionText', false);
}

/** A key while the input method composes, or as Safari sends the one that ended the composition. */
export const pressComposing = (field: HTMLInputElement, key: string, isLate = false): boolean =>
  fireEvent.keyDown(field, { key, keyCode: isLate ? 229 : 13, isComposing: !isLate });
