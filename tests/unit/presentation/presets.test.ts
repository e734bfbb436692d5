import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast, rgbOf, type PresetName } from '#domain/widget/theme.ts';
import { PRESETS } from '#presentation/theme/presets/presets.ts';
import { colorOf, declarationsOf } from './colors-of-css.ts';

const THEME = new URL('../../../src/presentation/theme/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, THEME), 'utf8');
const NAMES = Object.keys(PRESETS) as PresetName[];
const SHARED = ['tokens.css', 'parts/states.css', 'parts/danger.css', 'presets/base.css'].map(read);

/** What is written on what: 4.5:1. */
const TEXT = [
  ['--p-ink', '--p-card'],
  ['--p-muted', '--p-card'],
  ['--p-success', '--p-card'],
  ['--p-error', '--p-card'],
  // Under the pointer, pressed, and on a quiet surface.
  ['--p-ink', '--p-shade'],
  ['--p-muted', '--p-shade'],
  ['--p-ink', '--t-press'],
  ['--p-error', '--t-danger-hover'],
  ['--p-error', '--t-danger-press'],
  ['--p-button-text', '--p-button'],
  ['--p-button-text', '--t-button-hover'],
  ['--p-button-text', '--t-button-press'],
  ['--p-second-text', '--p-second'],
  ['--p-second-text', '--t-second-hover'],
  ['--p-second-text', '--t-second-press'],
  ['--p-off-text', '--p-off'],
  ['--p-off-text', '--p-second'],
  ['--t-link', '--p-card'],
  ['--t-link', '--t-press'],
  ['--p-field-text', '--p-field'],
  ['--p-placeholder', '--p-field'],
  ['--p-muted', 'known field'],
  ['--p-ink', '--t-track'],
  ['--t-tab-text', '--t-tab'],
  ['--p-danger-text', '--p-error'],
  ['--p-danger-text', '--t-fatal-hover'],
  ['--p-danger-text', '--t-fatal-press'],
  ['--p-error', 'error banner'],
  ['--p-muted', 'muted toast'],
  ['--p-success', 'success mark'],
  ['--p-error', 'error mark'],
] as const;

/** What must be seen on what: 3:1. A button needs no edge of it, as its text names it (WCAG 2.2, 1.4.11). */
const LINES = [
  ['--p-field-line', '--p-card'],
  ['--p-field-line', '--p-field'],
  ['--t-field-hover', '--p-card'],
  ['--p-button', '--p-card'],
  ['--p-error', '--p-field'],
  ['--p-error', '--p-card'],
  ['--p-success', '--p-card'],
  ['--t-ring', '--p-card'],
  ['--t-ring', '--p-field'],
  ['--t-ring', '--p-second'],
  ['--t-tab-line', '--t-tab'],
] as const;

/** What rules of other sheets derive: a name here, the sheet, the derivation, and the colour that it says `currentcolor` of. */
const DERIVED: readonly (readonly [name: string, sheet: string, value: string, current?: string])[] = [
  ['known field', 'passwords', 'color-mix(in srgb, var(--p-ink) 4%, var(--p-field))'],
  ['error banner', 'emailed', 'color-mix(in srgb, currentcolor 6%, var(--p-card))', 'var(--p-error)'],
  ['muted toast', 'emailed', 'color-mix(in srgb, currentcolor 6%, var(--p-card))', 'var(--p-muted)'],
  ['success mark', 'emailed', 'color-mix(in srgb, currentcolor 10%, var(--p-card))', 'var(--p-success)'],
  ['error mark', 'emailed', 'color-mix(in srgb, currentcolor 10%, var(--p-card))', 'var(--p-error)'],
];

/** The tokens of a preset, the last declaration of each. */
function tokensOf(name: PresetName, change: (css: string) => string = (css) => css): ReadonlyMap<string, string> {
  const own = change(read(`presets/${name}.css`));
  const declared = new Map([...SHARED, own].flatMap(declarationsOf));
  // Unless a preset sets one, the card shows through.
  const second = '--portico-buttons-secondary-background-color';
  if (!declared.has(second)) declared.set(second, 'var(--p-card)');
  const derived = DERIVED.map(([id, , value, current = '']) => [id, value.replace('currentcolor', current)] as const);
  return new Map([...declared, ...derived, ...glossOf(declared)]);
}

/** The light on the main button where it is brightest: a veil of white over its colour. */
function glossOf(tokens: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const share = /rgb\(255 255 255 \/ (\d+)%\)/u.exec(tokens.get('--t-gloss') ?? '')?.[1];
  return new Map(share ? [['gloss', `color-mix(in srgb, white ${share}%, var(--p-button))`]] : []);
}

/** Every pair that is too close in a scheme. */
function faultsOf(tokens: ReadonlyMap<string, string>): readonly string[] {
  const valueOf = (name: string): string => (name.startsWith('--') ? `var(${name})` : tokens.get(name)!);
  const texts = [...TEXT, ...(tokens.has('gloss') ? [['--p-button-text', 'gloss'] as const] : [])];
  return (['light', 'dark'] as const).flatMap((scheme) =>
    [...texts.map((pair) => [...pair, 4.5] as const), ...LINES.map((pair) => [...pair, 3] as const)].flatMap(
      ([above, below, least]) => {
        const [one, other] = [above, below].map((name) => colorOf(valueOf(name), scheme, tokens));
        const ratio = contrast(one!, other!);
        return ratio >= least ? [] : [`${scheme}: ${above} on ${below} has ${ratio.toFixed(2)} of ${least}`];
      },
    ),
  );
}

describe.each(NAMES)('The preset %s', (name) => {
  it('can be read and seen in both schemes, at rest, under the pointer, pressed and off', () => {
    expect(faultsOf(tokensOf(name))).toEqual([]);
  });

  it('gives the domain the colours of its card and its button', () => {
    const tokens = tokensOf(name);
    for (const scheme of ['light', 'dark'] as const) {
      expect(colorOf('var(--p-card)', scheme, tokens)).toEqual(rgbOf(PRESETS[name].card[scheme]));
      expect(colorOf('var(--p-button)', scheme, tokens)).toEqual(rgbOf(PRESETS[name].button[scheme]));
    }
    expect(PRESETS[name].name).toBe(name);
  });
});

describe('The gate of contrasts', () => {
  it.each([
    ['--portico-light-colors-secondary', '#b0b0b0', 'light: --p-muted on --p-card'],
    ['--portico-dark-inputs-placeholder-color', '#444444', 'dark: --p-placeholder on --p-field'],
    ['--portico-inputs-border-color', 'light-dark(#dddddd, #dddddd)', 'light: --p-field-line on --p-card'],
    ['--t-ring', 'light-dark(#eeeeee, #eeeeee)', 'light: --t-ring on --p-card'],
    ['--t-gloss', 'inset 0 3rem 2rem -2rem rgb(255 255 255 / 70%)', 'light: --p-button-text on gloss'],
  ])('names a spoiled %s', (token, spoiled, fault) => {
    const tokens = tokensOf('modern', (css) => `${css}[data-portico] { ${token}: ${spoiled}; }`);
    expect(faultsOf(tokens).some((one) => one.startsWith(fault))).toBe(true);
  });

  it('derives what the sheets derive', () => {
    for (const [, sheet, value] of DERIVED) expect(read(`parts/${sheet}.css`)).toContain(value);
  });

  it('sees the gloss of a button, and no text stands on a gradient', () => {
    expect(NAMES.filter((name) => tokensOf(name).has('gloss'))).toEqual(['modern', 'ocean']);
    // The bars of what is loading, and the edge of a card.
    const WITHOUT_TEXT = /\[data-part='loading'\]|::before$/u;
    for (const name of ['base', ...NAMES]) {
      const rules = read(`presets/${name}.css`).matchAll(
        /([^{}]+)\{([^{}]*(?:gradient|--t-(?:edge|gloss)\)|url\()[^{}]*)\}/gu,
      );
      const under = [...rules].filter(([, , body]) => /background/u.test(body!.replaceAll(/--[^;]+;/gu, '')));
      expect(
        under.map(([, selector]) => selector!.trim()).filter((one) => !WITHOUT_TEXT.test(one)),
        name,
      ).toEqual([]);
    }
  });

  it('sees every colour: none stands outside of a token', () => {
    for (const file of readdirSync(new URL('presets/', THEME)).filter((one) => one.endsWith('.css'))) {
      const rules = read(`presets/${file}`)
        .replaceAll(/\/\*[\s\S]*?\*\//gu, '')
        .replaceAll(/--[\w-]+:[^;]+;/gu, '');
      expect(rules, file).not.toMatch(/#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|color-mix)\(/iu);
    }
  });
});

describe('the sheet of all presets', () => {
  const base = read('presets/base.css').replaceAll(/\/\*.*?\*\//gsu, '');

  it('gives what is strong the weight of the preset', () => {
    const [, declarations] = /:is\(strong,[^{]*\{([^}]*)\}/u.exec(base) ?? [];
    expect(declarations?.trim()).toBe('font-weight: var(--t-bold);');
  });
});
