import { afterEach, expect, it } from 'vitest';
import { keepFromForm, keepTypedKeys } from '#presentation/hooks/keys.ts';

const outer = document.createElement('div');
const input = document.createElement('input');
outer.attachShadow({ mode: 'open' }).append(input);
keepTypedKeys(outer);

afterEach(() => outer.remove());

type Press = readonly [type: string, init: KeyboardEventInit];

/** What the page hears of these events in the field. */
function heardOfAll(presses: readonly Press[]): string[] {
  document.body.append(outer);
  const heard: string[] = [];
  const listening = new AbortController();
  for (const type of ['keydown', 'keypress', 'keyup'])
    document.addEventListener(type, () => heard.push(type), listening);
  for (const [type, init] of presses) {
    const event = new KeyboardEvent(type, { bubbles: true, composed: true, ...init });
    // The document of the tests takes Alt for AltGraph.
    Object.assign(event, { getModifierState: () => init.modifierAltGraph === true });
    input.dispatchEvent(event);
  }
  listening.abort();
  return heard;
}

/** What the page hears of a key that is pressed and released in the field. */
const heardOf = (init: KeyboardEventInit): string[] =>
  heardOfAll(['keydown', 'keypress', 'keyup'].map((type) => [type, init] as const));

it.each<KeyboardEventInit>([
  { key: 'p', code: 'KeyP' },
  { key: 'P', code: 'KeyP', shiftKey: true },
  { key: ' ', code: 'Space' },
  { key: '?', code: 'Slash' },
  { key: 'ß', code: 'Minus' },
  { key: 'あ', code: 'Digit3' },
  { key: '\u{1F600}', code: '' },
  { key: '@', code: 'KeyQ', ctrlKey: true, altKey: true, modifierAltGraph: true },
  { key: 'Backspace', code: 'Backspace' },
  { key: 'Delete', code: 'Delete' },
  { key: 'Enter', code: 'Enter' },
  { key: 'Dead', code: 'Equal' },
  { key: 'Process', code: 'KeyJ', keyCode: 229 },
  { key: 'Escape', code: 'Escape', isComposing: true },
])('the page hears nothing of a key that is typed: %j', (init) => {
  expect(heardOf(init)).toEqual([]);
});

it.each<KeyboardEventInit>([
  ...['Tab', 'Escape', 'ArrowDown', 'Home', 'PageUp', 'F1', 'F6', 'Shift', 'Control'].map((key) => ({
    key,
    code: key,
  })),
  { key: 'k', code: 'KeyK', ctrlKey: true },
  { key: 'k', code: 'KeyK', metaKey: true },
  { key: 'k', code: 'KeyK', altKey: true },
  { key: 'Enter', code: 'Enter', ctrlKey: true },
])('the page hears another key: %j', (init) => {
  expect(heardOf(init)).toEqual(['keydown', 'keypress', 'keyup']);
});

it.each<readonly [what: string, presses: readonly Press[], heard: readonly string[]]>([
  [
    'Ctrl is released before the letter',
    [
      ['keydown', { key: 'b', code: 'KeyB', ctrlKey: true }],
      ['keyup', { key: 'b', code: 'KeyB' }],
    ],
    ['keydown', 'keyup'],
  ],
  [
    'Ctrl is pressed before the letter is released',
    [
      ['keydown', { key: 'b', code: 'KeyB' }],
      ['keyup', { key: 'b', code: 'KeyB', ctrlKey: true }],
    ],
    [],
  ],
  [
    'another window got the end of the letter before',
    [
      ['keydown', { key: 'b', code: 'KeyB' }],
      ['keydown', { key: 'b', code: 'KeyB', ctrlKey: true }],
      ['keyup', { key: 'b', code: 'KeyB', ctrlKey: true }],
    ],
    ['keydown', 'keyup'],
  ],
])('the page hears the end of a key exactly where it heard the beginning: %s', (_, presses, heard) => {
  expect(heardOfAll(presses)).toEqual(heard);
});

it('an event of the browser’s autofill, which has no key, is no fault', () => {
  document.body.append(outer);
  expect(() => input.dispatchEvent(new Event('keydown', { bubbles: true, composed: true }))).not.toThrow();
});

it.each(['in the page', 'in a shadow root of the page'])(
  'a form around a widget %s hears nothing of its fields',
  (where) => {
    const form = document.body.appendChild(document.createElement('form'));
    const place = form.appendChild(document.createElement('div'));
    const widget = document.createElement('div');
    (where === 'in the page' ? place : place.attachShadow({ mode: 'open' })).append(widget);
    const field = widget.appendChild(document.createElement('form')).appendChild(document.createElement('input'));
    keepFromForm(widget);
    const heard: string[] = [];
    const inside: string[] = [];
    const dispatch = (target: EventTarget): void => {
      for (const event of [
        new Event('input', { bubbles: true, composed: true }),
        new Event('change', { bubbles: true }),
        new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, composed: true }),
        new Event('submit', { bubbles: true, cancelable: true }),
      ])
        target.dispatchEvent(event);
    };
    for (const type of ['input', 'change', 'keydown', 'submit']) {
      form.addEventListener(type, () => heard.push(type));
      widget.addEventListener(type, () => inside.push(type));
    }
    dispatch(field);
    expect([heard, inside]).toEqual([[], ['input', 'change', 'keydown', 'submit']]);
    // Without a form, the page hears them.
    document.body.append(widget);
    const page: string[] = [];
    const listening = new AbortController();
    for (const type of ['input', 'change', 'keydown', 'submit'])
      document.body.addEventListener(type, () => page.push(type), listening);
    dispatch(field);
    listening.abort();
    expect(page).toEqual(['input', 'change', 'keydown', 'submit']);
    for (const one of [form, widget]) one.remove();
  },
);
