import { el } from './dom.ts';

const COPIED_MS = 2_000;

/** A button that copies what it is told to, and a word beside it on how that went. */
export function copyAction(label: string, text: () => string, style: 'primary' | 'quiet' = 'primary'): HTMLElement {
  const said = el('span', { class: 'said', set: { role: 'status' } });
  let clear: ReturnType<typeof setTimeout> | undefined;
  const say = (word: string) => {
    said.textContent = word;
    clearTimeout(clear);
    clear = setTimeout(() => said.replaceChildren(), COPIED_MS);
  };
  const copy = () => {
    navigator.clipboard.writeText(text()).then(
      () => say('Copied'),
      () => say('The browser did not allow copying'),
    );
  };
  const press = el('button', { class: style, set: { type: 'button' }, onClick: copy }, label);
  return el('div', { class: 'action' }, press, said);
}
