import { el } from '../parts/dom.ts';

/** A labelled control of the panel. `show` sets its value without a change event. */
export interface Control<Value> {
  readonly element: HTMLElement;
  show(value: Value): void;
}

export function checkbox(label: string, change: (on: boolean) => void): Control<boolean> {
  const input = el('input', { set: { type: 'checkbox' } });
  input.addEventListener('change', () => change(input.checked));
  return {
    element: el('label', { class: 'check' }, input, el('span', {}, label)),
    show: (on) => {
      input.checked = on;
    },
  };
}

export type Option = readonly [value: string, label: string];

export function select(label: string, options: readonly Option[], change: (value: string) => void): Control<string> {
  const option = ([value, text]: Option) => el('option', { set: { value } }, text);
  const input = el('select', {}, ...options.map(option));
  input.addEventListener('change', () => change(input.value));
  return {
    element: el('label', { class: 'field' }, el('span', {}, label), input),
    show: (value) => {
      // A URL may contain a value that is not in the list.
      if (!options.some(([known]) => known === value) && ![...input.options].some((one) => one.value === value)) {
        input.append(option([value, value]));
      }
      input.value = value;
    },
  };
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
}

/** A whole number. A value out of range or an empty one is not passed on; the browser shows the reason. */
export function numberField(
  label: string,
  { min, max, unit }: Range,
  change: (value: number) => void,
): Control<number> {
  const set = { type: 'number', min: String(min), max: String(max), step: '1', inputmode: 'numeric' };
  const input = el('input', { set });
  input.addEventListener('change', () => {
    if (input.reportValidity() && input.value !== '') change(input.valueAsNumber);
  });
  return {
    element: el('label', { class: 'field number' }, el('span', {}, label), el('span', {}, input, ` ${unit}`)),
    show: (value) => {
      if (document.activeElement !== input || input.valueAsNumber !== value) input.value = String(value);
    },
  };
}

/** A colour. `quietly` is true for all but the first change during one adjustment. */
export function colorField(label: string, change: (value: string, quietly: boolean) => void): Control<string> {
  const input = el('input', { set: { type: 'color' } });
  let moving = false;
  input.addEventListener('input', () => {
    change(input.value, moving);
    moving = true;
  });
  input.addEventListener('change', () => {
    moving = false;
  });
  return {
    element: el('label', { class: 'color' }, input, el('span', {}, label)),
    show: (value) => {
      input.value = value;
    },
  };
}

/** A collapsible section of the panel. `note` is its summary while it is collapsed. */
export function group(title: string, open: boolean, ...children: readonly HTMLElement[]) {
  const note = el('span', { class: 'note' });
  const element = el(
    'details',
    { class: 'group', set: { 'aria-label': title } },
    el('summary', {}, el('span', {}, title), ' ', note),
    el('div', { class: 'group-body' }, ...children),
  );
  element.open = open;
  return { element, note: (text: string) => void (note.textContent = text) };
}

/** A named group of controls of one kind. The attribute names it where the legend is in a group that is closed. */
export function named(legend: string, kind: string, ...children: readonly HTMLElement[]): HTMLElement {
  return el('fieldset', { class: kind, set: { 'aria-label': legend } }, el('legend', {}, legend), ...children);
}
