import { el } from './dom.ts';
import type { LoginPresetName } from './presets.ts';

const LABELS: Readonly<Record<LoginPresetName, string>> = {
  passcode: 'Passcode',
  link: 'Link',
  password: 'Password',
  social: 'Social',
  all: 'All',
};

export interface WaySwitch {
  readonly element: HTMLElement;
  /** Marks the present way; none for a custom configuration. */
  show(way: LoginPresetName | null): void;
}

/** The radio group 'Sign in by': the usual ways, each a whole configuration. */
export function waySwitch(choose: (way: LoginPresetName) => void): WaySwitch {
  const radios = Object.entries(LABELS).map(([way, label]) => {
    const radio = el('input', { set: { type: 'radio', name: 'by', value: way } });
    radio.addEventListener('change', () => choose(way as LoginPresetName));
    return { radio, row: el('label', {}, radio, el('span', {}, label)) };
  });
  const rows = radios.map(({ row }) => row);
  return {
    element: el('fieldset', { class: 'switch' }, el('legend', {}, 'Sign in by'), el('div', {}, ...rows)),
    show: (way) => {
      for (const { radio } of radios) radio.checked = radio.value === way;
    },
  };
}
