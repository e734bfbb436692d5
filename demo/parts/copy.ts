import { el } from './dom.ts';

const COPIED_MS = 2_000;

/** False where the browser does not allow it. */
export const copyText = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );

/** A button that copies a text, followed by the result. `more` is for screen readers. */
export function copyAction(
  label: string,
  text: () => string,
  style: 'primary' | 'quiet' | 'icon' = 'primary',
  more = '',
): HTMLElement {
  const said = el('span', { class: 'said', set: { role: 'status' } });
  const press = el('button', { class: style, set: { type: 'button' } }, label, el('span', { class: 'unseen' }, more));
  copyOnPress(press, said, text);
  return el('div', { class: 'action' }, press, said);
}

/** The same for an existing button and an existing element for the result. */
export function copyOnPress(press: HTMLElement, said: HTMLElement, text: () => string): void {
  let clear: ReturnType<typeof setTimeout> | undefined;
  const copy = async () => {
    const copied = await copyText(text());
    said.textContent = copied ? 'Copied' : 'The browser did not allow copying';
    clearTimeout(clear);
    clear = setTimeout(() => said.replaceChildren(), COPIED_MS);
  };
  press.addEventListener('click', () => void copy());
}
