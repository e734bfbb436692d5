import type { Address } from '../parts/address.ts';
import { themeOf } from '../parts/choices.ts';
import { el } from '../parts/dom.ts';
import { THEME_NAMES, type ThemeName } from '../parts/presets.ts';
import { chooseTheme } from '../parts/theme.ts';

const SHOWN = [
  'modern',
  'soft',
  'compact',
  'paper',
  'mono',
  'warm',
  'ocean',
  'contrast',
] as const satisfies readonly ThemeName[];

/** The presets as a radio group of dots, with the name of the present theme. The playground has the other themes. */
export function showThemes(into: HTMLElement, address: Address): void {
  const radios = SHOWN.map((name) => {
    const radio = el('input', { set: { type: 'radio', name: 'theme', value: name, 'aria-label': THEME_NAMES[name] } });
    radio.addEventListener('change', () => chooseTheme(address, name));
    const row = el('label', { set: { title: THEME_NAMES[name] } }, radio, el('i', { set: { 'data-theme': name } }));
    return { radio, row };
  });
  const present = el('span', { class: 'present', set: { 'aria-hidden': 'true' } });
  const rows = radios.map(({ row }) => row);
  into.replaceChildren(el('fieldset', { class: 'dots' }, el('legend', {}, 'Theme'), ...rows, present));
  const show = () => {
    const name = themeOf({ ...address.choices.styles, logo: undefined });
    for (const { radio } of radios) radio.checked = radio.value === name;
    present.textContent = name === null ? 'Your own' : THEME_NAMES[name];
  };
  address.onChange(show);
  show();
}
