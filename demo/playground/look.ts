import type { StyleConfig } from 'portico';
import { themeOf } from '../parts/choices.ts';
import { el } from '../parts/dom.ts';
import { THEME_NAMES, THEMES, type ThemeName } from '../parts/presets.ts';
import { chooseTheme } from '../parts/theme.ts';
import { checkbox, colorField, group, named, numberField, select, type Option } from './controls.ts';
import { followDrawn, readDrawn, type ComputedStyles } from './computed-styles.ts';
import { fieldOf, setField } from './edits.ts';
import type { MakeSection } from './section.ts';

type Part = readonly [path: string, label: string, drawn: string];

/** Colours by their path, with the custom property of the widget. */
const COLORS: readonly Part[] = [
  ['colors.primary', 'Text', '--p-ink'],
  ['colors.secondary', 'Soft text', '--p-muted'],
  ['colors.success', 'Success', '--p-success'],
  ['colors.error', 'Error', '--p-error'],
  ['container.backgroundColor', 'Card', '--p-card'],
  ['container.borderColor', 'Card border', '--p-line'],
  ['buttons.primary.backgroundColor', 'Button', '--p-button'],
  ['buttons.primary.textColor', 'Button text', '--p-button-text'],
  ['inputs.backgroundColor', 'Field', '--p-field'],
  ['inputs.borderColor', 'Field border', '--p-field-line'],
];

const RADII: readonly Part[] = [
  ['container.borderRadius', 'Card corners', '--p-radius'],
  ['buttons.primary.borderRadius', 'Button corners', '--p-button-radius'],
  ['inputs.borderRadius', 'Field corners', '--p-field-radius'],
];

const FONTS: readonly Option[] = [
  ['', 'That of the theme'],
  ['system-ui, sans-serif', 'The system’s own'],
  ['Georgia, "Times New Roman", serif', 'Georgia'],
  ['"Trebuchet MS", Verdana, sans-serif', 'Trebuchet'],
  ['"Courier New", monospace', 'Courier'],
];

const isHex = (value: unknown): value is string => typeof value === 'string' && /^#[\da-f]{6}$/iu.test(value);

/** The custom look. Everything here reaches the widget only through `styles`. */
export const lookSection: MakeSection = (address) => {
  const set = (path: string, value: string | boolean | undefined, quietly = false) =>
    address.choose({ styles: setField(address.choices.styles, path, value) }, quietly);

  const theme = select(
    'Theme',
    [...Object.entries(THEME_NAMES), ['own', 'Your own']],
    (name) => name in THEMES && chooseTheme(address, name as ThemeName),
  );
  const colors = COLORS.map(([path, label, name]) => {
    const control = colorField(label, (value, quietly) => set(path, value, quietly));
    const show = (styles: StyleConfig, drawn: ComputedStyles) => {
      const value = fieldOf(styles, path);
      const shown = isHex(value) ? value : drawn.get(name);
      if (shown) control.show(shown);
    };
    return { element: control.element, show };
  });
  const radii = RADII.map(([path, label, name]) => {
    const control = numberField(label, { min: 0, max: 40, unit: 'px' }, (value) => set(path, `${value}px`));
    const show = (styles: StyleConfig, drawn: ComputedStyles) => {
      const given = fieldOf(styles, path);
      const isGiven = typeof given === 'string' || typeof given === 'number';
      const value = Number.parseInt(isGiven ? String(given) : (drawn.get(name) ?? ''), 10);
      if (!Number.isNaN(value)) control.show(value);
    };
    return { element: control.element, show };
  });
  const showParts = () => {
    const drawn = readDrawn([...COLORS, ...RADII].map(([, , name]) => name));
    for (const one of [...colors, ...radii]) one.show(address.choices.styles, drawn);
  };
  followDrawn(showParts);
  const font = select('Font', FONTS, (value) => set('fontFamily', value || undefined));
  const header = checkbox('Title', (on) => set('hideHeaderText', on ? undefined : true));
  const logo = checkbox('A sample logo', (on) =>
    set('logo.logoImageUrl', on ? `${location.origin}/logo.svg` : undefined),
  );
  const { element, note } = group(
    'Theme',
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
      // Custom fields override the selected preset.
      const own = typeof styles.preset === 'string' ? `your own, from ${styles.preset}` : 'your own';
      note(name === null ? own : THEME_NAMES[name].toLowerCase());
      theme.show(name ?? 'own');
      showParts();
      font.show(styles.fontFamily ?? '');
      header.show(styles.hideHeaderText !== true);
      logo.show(styles.logo?.logoImageUrl !== undefined);
    },
  };
};
