import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CARD, contrast, rgbOf } from '#domain/widget/theme.ts';
import { colorOf, declarationsOf } from './colors-of-css.ts';

const THEME = new URL('../../../src/presentation/theme/', import.meta.url);
const sheet = (name: string): string => readFileSync(new URL(`${name}.css`, THEME), 'utf8');
const tokens = sheet('tokens');
/** What the first screen's sheet is made of, beside the tokens. */
const first = ['reset', 'controls', 'main'].map((name) => [name, sheet(name)] as const);
/** The sheets of later screens, by their name. */
const parts = readdirSync(new URL('parts/', THEME)).map(
  (name) => [name, readFileSync(new URL(`parts/${name}`, THEME), 'utf8')] as const,
);

/** Sheets that hold tokens of their own: what is off, and what takes something away. */
const LATER = new Set(['danger.css', 'states.css']);
/** What the sheets of tokens declare, in order. */
const declared = [tokens, ...parts.filter(([name]) => LATER.has(name)).map(([, text]) => text)].flatMap(declarationsOf);
const TOKENS: ReadonlyMap<string, string> = new Map(declared);
const resolve = (value: string, scheme: 'light' | 'dark') => colorOf(value, scheme, TOKENS);

const TEXT = [
  ['--p-ink', '--p-card'],
  ['--p-muted', '--p-card'],
  ['--p-success', '--p-card'],
  ['--p-error', '--p-card'],
  ['--p-ink', '--p-shade'],
  ['--p-muted', '--p-shade'],
  ['--p-button-text', '--p-button'],
  ['--p-second-text', '--p-card'],
  ['--p-off-text', '--p-off'],
  ['--p-error', '--p-shade'],
  ['--p-danger-text', '--p-error'],
  ['--p-field-text', '--p-field'],
  ['--p-placeholder', '--p-field'],
] as const;
const LINES = [
  ['--p-field-line', '--p-card'],
  ['--p-second-line', '--p-card'],
  ['--p-button', '--p-card'],
  ['--p-error', '--p-field'],
  ['--p-ink', '--p-field'],
] as const;

describe.each(['light', 'dark'] as const)('The default look, %s', (scheme) => {
  const ratio = (above: string, below: string): number =>
    contrast(resolve(`var(${above})`, scheme), resolve(`var(${below})`, scheme));

  it.each(TEXT)('%s can be read on %s: 4.5:1', (above, below) => {
    expect(ratio(above, below)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(LINES)('%s can be seen on %s: 3:1', (above, below) => {
    expect(ratio(above, below)).toBeGreaterThanOrEqual(3);
  });

  it.each(['--p-error', '--p-success', '--p-ink'])('%s can be read on its own tint', (name) => {
    const tint = resolve(`color-mix(in srgb, var(${name}) 10%, var(--p-card))`, scheme);
    expect(contrast(resolve(`var(${name})`, scheme), tint)).toBeGreaterThanOrEqual(4.5);
  });

  it('keeps the text of the destructive button readable under the pointer', () => {
    const hover = resolve('color-mix(in srgb, var(--p-danger-text) 12%, var(--p-error))', scheme);
    expect(contrast(resolve('var(--p-danger-text)', scheme), hover)).toBeGreaterThanOrEqual(4.5);
  });

  it('paints the card that the domain reckons with', () => {
    expect(resolve('var(--p-card)', scheme)).toEqual(rgbOf(CARD[scheme]));
  });
});

describe('The look', () => {
  it('has the defaults of the specification', () => {
    const defaults = {
      '--p-ink': '#19303d',
      '--p-muted': '#5c727d',
      '--p-success': '#0c5a56',
      '--p-error': '#8b1214',
      '--p-card': '#ffffff',
      '--p-line': '#adbcc5',
      '--p-button': '#19303d',
    };
    for (const [name, color] of Object.entries(defaults)) {
      expect(resolve(`var(${name})`, 'light'), name).toEqual(rgbOf(color));
    }
    expect(TOKENS.get('--p-radius')).toContain('8px');
    expect(TOKENS.get('--p-width')).toContain('25rem');
    expect(TOKENS.get('--p-corner')).toBe('4px');
    expect(TOKENS.get('--p-field-radius')).toContain('var(--p-corner)');
    expect(TOKENS.get('--p-font')).toContain('Arial, Helvetica, sans-serif');
    expect(sheet('reset')).toContain('max-width: var(--p-width)');
    expect(sheet('controls')).toMatch(/\[data-part='button'\] \{[^}]*min-block-size: 2.8125rem/u);
    expect(sheet('controls')).toMatch(/\[data-part='input'\] \{[^}]*block-size: 2.9375rem/u);
  });

  it('writes each token once, and no colour in another place', () => {
    expect(declared).toHaveLength(TOKENS.size);
    expect(TOKENS.size).toBeGreaterThan(20);
    for (const [name, sheet] of [...first, ...parts]) {
      const text = LATER.has(name) ? sheet.replaceAll(/--[\w-]+:[^;]+;/gu, '') : sheet;
      expect(text, name).not.toMatch(/#[\da-f]{3,8}\b(?![^{}]*\{)|\b(?:rgb|hsl)a?\(/iu);
    }
    for (const [name] of TOKENS) expect(tokens.split(`  ${name}:`).length - 1, name).toBeLessThanOrEqual(2);
  });

  it('leaves !important to the build', () => {
    for (const [name, text] of [...first, ...parts, ['tokens', tokens] as const]) {
      expect(text.replaceAll(/\/\*[\s\S]*?\*\//gu, ''), name).not.toContain('!important');
    }
  });

  it('asks the card for room, never the window', () => {
    expect(parts.length).toBeGreaterThan(1);
    for (const [name, text] of [...first, ...parts]) {
      expect(text, name).not.toMatch(/@media[^{]*(?:width|height|aspect)/u);
      expect(text, name).not.toMatch(/(?<![\w-])(?:margin|padding|border|inset)?-?(?:left|right):/u);
    }
  });

  it('leaves the root of the widget alone in the sheets that come after the form, which would be restyled as a whole', () => {
    // The user button is a widget of its own.
    for (const [name, text] of parts.filter(([name]) => name !== 'user-button.css')) {
      expect(text, name).not.toMatch(/\[data-portico\](?:\[[^\]]*\])*\s*[,{]/u);
    }
  });

  it('draws a part in one way, whichever screens have been loaded', () => {
    const drawn = new Map<string, string>();
    for (const [name, text] of parts) {
      const rules = new Map<string, string>();
      for (const [, part, rule] of text.matchAll(/^ {2}\[data-portico\] \[data-part='([\w-]+)'\] \{([^}]*)\}/gmu)) {
        rules.set(part!, `${rules.get(part!) ?? ''}${rule}`);
      }
      for (const [part, own] of rules) {
        expect(own, `${part} in ${name} and in another sheet`).toBe(drawn.get(part) ?? own);
        drawn.set(part, own);
      }
    }
    expect(drawn.size).toBeGreaterThan(5);
  });
});
