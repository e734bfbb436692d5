import type { StyleConfig } from 'portico';
import { themeOf } from '../parts/choices.ts';
import { el } from '../parts/dom.ts';
import { THEME_NAMES, THEMES, type ThemeName } from '../parts/presets.ts';
import { chooseTheme } from '../parts/theme.ts';
import { checkbox, colorField, group, named, numberField, select, type Option } from './controls.ts';
import { fieldOf, setField } from './edits.ts';
import type { MakeSection } from './section.ts';

/** Colours by their path, with what stands where the host says nothing (specification, section 3). */
const COLORS: readonly (readonly [path: string, label: string, unset: string])[] = [
  ['colors.primary', 'Text', '#19303d'],
  ['colors.secondary', 'Soft text', '#5c727d'],
  ['colors.success', 'Success', '#0c5a56'],
  ['colors.error', 'Error', '#8b1214'],
  ['container.backgroundColor', 'Card', '#ffffff'],
  ['container.borderColor', 'Card border', '#adbcc5'],
  ['buttons.primary.backgroundColor', 'Button', '#19303d'],
  ['buttons.primary.textColor', 'Button text', '#ffffff'],
  ['inputs.backgroundColor', 'Field', '#ffffff'],
  ['inputs.borderColor', 'Field border', '#adbcc5'],
];

const RADII: readonly (readonly [path: string, label: string, unset: number])[] = [
  ['container.borderRadius', 'Card corners', 8],
  ['buttons.primary.borderRadius', 'Button corners', 4],
  ['inputs.borderRadius', 'Field corners', 4],
];

const FONTS: readonly Option[] = [
  ['', 'Arial, Helvetica (default)'],
  ['system-ui, sans-serif', 'The system’s own'],
  ['Georgia, "Times New Roman", serif', 'Georgia'],
  ['"Trebuchet MS", Verdana, sans-serif', 'Trebuchet'],
  ['"Courier New", monospace', 'Courier'],
];

const isHex = (value: unknown): value is string => typeof value === 'string' && /^#[\da-f]{6}$/iu.test(value);

/** The host's own look: everything here reaches the widget through `styles` alone. */
export const lookSection: MakeSection = (address) => {
  const set = (path: string, value: string | boolean | undefined, quietly = false) =>
    address.choose({ styles: setField(address.choices.styles, path, value) }, quietly);

  const theme = select(
    'Theme',
    [...Object.entries(THEME_NAMES), ['own', 'Your own']],
    (name) => name in THEMES && chooseTheme(address, name as ThemeName),
  );
  const colors = COLORS.map(([path, label, unset]) => {
    const control = colorField(label, (value, quietly) => set(path, value, quietly));
    const show = (styles: StyleConfig) => {
      const value = fieldOf(styles, path);
      control.show(isHex(value) ? value : unset);
    };
    return { element: control.element, show };
  });
  const radii = RADII.map(([path, label, unset]) => {
    const control = numberField(label, { min: 0, max: 40, unit: 'px' }, (value) => set(path, `${value}px`));
    const show = (styles: StyleConfig) => {
      const value = Number.parseInt(String(fieldOf(styles, path)), 10);
      control.show(Number.isNaN(value) ? unset : value);
    };
    return { element: control.element, show };
  });
  const font = select('Font', FONTS, (value) => set('fontFamily', value || undefined));
  const header = checkbox('Title', (on) => set('hideHeaderText', on ? undefined : true));
  const logo = checkbox('A sample logo', (on) =>
    set('logo.logoImageUrl', on ? `${location.origin}/logo.svg` : undefined),
  );
  const { element, note } = group(
    'Look',
    true,
    theme.element,
    named('Colours', 'pairs', ...colors.map((one) => one.element)),
    el('div', { class: 'rows' }, ...radii.map((one) => one.element)),
    font.element,
    el('div', { class: 'pairs' }, header.element, logo.element),
  );
  return {
    element,
    show({ styles }) {
      const name = themeOf({ ...styles, logo: undefined });
      // One's own fields change the preset that they stand beside.
      const own = typeof styles.preset === 'string' ? `your own, from ${styles.preset}` : 'your own';
      note(name === null ? own : THEME_NAMES[name].toLowerCase());
      theme.show(name ?? 'own');
      for (const one of [...colors, ...radii]) one.show(styles);
      font.show(styles.fontFamily ?? '');
      header.show(styles.hideHeaderText !== true);
      logo.show(styles.logo?.logoImageUrl !== undefined);
    },
  };
};
