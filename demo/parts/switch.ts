import { el } from './dom.ts';
import type { By } from './options.ts';

const CHOICES: readonly { readonly by: By; readonly label: string }[] = [
  { by: 'passcode', label: 'Passcode' },
  { by: 'link', label: 'Link' },
];

/** The radio group 'Sign in by'. */
export function bySwitch(chosen: By, choose: (by: By) => void): HTMLElement {
  const choices = CHOICES.map(({ by, label }) => {
    const radio = el('input', { set: { type: 'radio', name: 'by', value: by } });
    radio.checked = by === chosen;
    radio.addEventListener('change', () => choose(by));
    return el('label', {}, radio, el('span', {}, label));
  });
  return el('fieldset', { class: 'switch' }, el('legend', {}, 'Sign in by'), ...choices);
}
