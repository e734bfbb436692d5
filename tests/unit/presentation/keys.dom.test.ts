import { afterEach, expect, it } from 'vitest';
import { keepFromForm, keepTypedKeys } from '#presentation/hooks/keys.ts';

const outer = document.createElement('div');
const input = document.createElement('input');
outer.attachShadow({ mode: 'open' }).append(input);
keepTypedKeys(outer);

afterEach(() => outer.remove());

/** What the page hears of a key that is pressed and released in the field. */
function heardOf(init: KeyboardEventInit): string[] {
  document.body.append(outer);
  const heard: string[] = [];
  const types = ['keydown', 'keypress', 'keyup'];
  const listening = new AbortController();
  for (const type of types) document.addEventListener(type, () => heard.push(type), listening);
  for (const type of types) {
    const event = new KeyboardEvent(type, { bubbles: true, composed: true, ...init });
    // The document of the tests takes Alt for AltGraph.
    Object.assign(event, { getModifierState: () => init.modifierAltGraph === true });
    input.dispatchEvent(event);
  }
  listening.abort();
  return heard;
}

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
