import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CARD, contrast, rgbOf } from '../../../src/domain/theme.ts';

const THEME = new URL('../../../src/presentation/theme/', import.meta.url);
const css = readFileSync(new URL('portico.css', THEME), 'utf8');
/** The sheets of later screens, by their name. */
const parts = readdirSync(new URL('parts/', THEME)).map(
  (name) => [name, readFileSync(new URL(`parts/${name}`, THEME), 'utf8')] as const,
);

type Rgb = readonly [number, number, number];
type Values = ReadonlyMap<string, string>;

/** What a block of the stylesheet declares for the properties of its own. */
function declaredIn(selector: string): Values {
  const start = css.indexOf(selector);
  expect(start, selector).toBeGreaterThan(0);
  const block = css.slice(css.indexOf('{', start) + 1, css.indexOf('}', start));
  return new Map([...block.matchAll(/(--p-[\w-]+):\s*([^;]+);/gu)].map(([, name, value]) => [name!, value!]));
}

/** The inside of the first bracket, cut at its own commas. */
function argumentsOf(call: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const char of call.slice(call.indexOf('(') + 1, call.lastIndexOf(')'))) {
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
  }
  return parts.map((part) => part.trim());
}

/** The colour that a value comes to where the host sets nothing. */
function colorOf(value: string, values: Values): Rgb {
  if (value.startsWith('#')) return rgbOf(value)!;
  if (value.startsWith('color-mix')) {
    const [, first, second] = argumentsOf(value);
    const [, color, share] = /^(.*) (\d+)%$/u.exec(first!)!;
    const [above, below] = [colorOf(color!, values), colorOf(second!, values)];
    return above.map(
      (channel, index) => (channel * Number(share) + below[index]! * (100 - Number(share))) / 100,
    ) as never;
  }
  const [name, fallback] = argumentsOf(value);
  if (name!.startsWith('--p-')) return colorOf(values.get(name!)!, values);
  return colorOf(fallback!, values);
}

const LIGHT = declaredIn('[data-portico] {');
const DARK_RULES = declaredIn(":where(:not([data-portico-scheme='light'])) > [data-portico] {");
const SCHEMES = { light: LIGHT, dark: new Map([...LIGHT, ...DARK_RULES]) };

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
  const values = SCHEMES[scheme];
  const ratio = (above: string, below: string): number =>
    contrast(colorOf(`var(${above})`, values), colorOf(`var(${below})`, values));

  it.each(TEXT)('%s can be read on %s: 4.5:1', (above, below) => {
    expect(ratio(above, below)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(LINES)('%s can be seen on %s: 3:1', (above, below) => {
    expect(ratio(above, below)).toBeGreaterThanOrEqual(3);
  });

  it.each(['--p-error', '--p-success', '--p-ink'])('%s can be read on its own tint', (name) => {
    const tint = colorOf(`color-mix(in srgb, var(${name}) 10%, var(--p-card))`, values);
    expect(contrast(colorOf(`var(${name})`, values), tint)).toBeGreaterThanOrEqual(4.5);
  });

  it('paints the card that the domain reckons with', () => {
    expect(colorOf('var(--p-card)', values)).toEqual(rgbOf(CARD[scheme]));
  });
});

describe('The look', () => {
  it('has the defaults of the specification', () => {
    const light = Object.fromEntries(LIGHT);
    expect(light['--p-ink']).toContain('#19303d');
    expect(light['--p-muted']).toContain('#5c727d');
    expect(light['--p-success']).toContain('#0c5a56');
    expect(light['--p-error']).toContain('#8b1214');
    expect(light['--p-card']).toContain('#fff');
    expect(light['--p-line']).toContain('#adbcc5');
    expect(light['--p-button']).toContain('#19303d');
    expect(light['--p-radius']).toContain('8px');
    expect(light['--p-field-radius']).toContain('4px');
    expect(light['--p-font']).toContain('Arial, Helvetica, sans-serif');
    expect(css).toContain('max-width: var(--portico-container-width, 400px)');
    expect(css).toMatch(/\[data-part='button'\] \{[^}]*min-block-size: 45px/u);
    expect(css).toMatch(/\[data-part='input'\] \{[^}]*block-size: 47px/u);
  });

  it('is the same dark whether the person or the host asks for it', () => {
    expect(declaredIn("[data-portico-scheme='dark'] > [data-portico] {")).toEqual(DARK_RULES);
  });

  it('asks the card for room, never the window', () => {
    expect(parts.length).toBeGreaterThan(1);
    for (const [name, text] of [['portico.css', css] as const, ...parts]) {
      expect(text, name).not.toMatch(/@media[^{]*(?:width|height|aspect)/u);
      expect(text, name).not.toMatch(/(?<![\w-])(?:margin|padding|border|inset)?-?(?:left|right):/u);
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
