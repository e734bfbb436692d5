import { describe, expect, it } from 'vitest';
import { themeOf, type StyleConfig } from '#domain/widget/theme.ts';

function theme(styles: unknown, resolve?: (color: string) => string | null) {
  const warnings: string[] = [];
  const { scheme, tokens } = themeOf(
    styles as StyleConfig,
    (message) => void warnings.push(message),
    resolve && { resolve },
  );
  return { scheme, tokens: Object.fromEntries(tokens), warnings };
}

describe('A theme', () => {
  it('is empty where the host sets nothing', () => {
    expect(theme(undefined)).toEqual({ scheme: null, tokens: {}, warnings: [] });
    expect(theme({ hideHeaderText: true, logo: { logoImageUrl: 'x' } })).toEqual({
      scheme: null,
      tokens: {},
      warnings: [],
    });
  });

  it('names a token after the path of its field', () => {
    const { tokens, warnings } = theme({
      fontFamily: 'Inter, "Segoe UI", \'游ゴシック\', sans-serif',
      container: { width: '25rem', borderRadius: '0' },
      buttons: { disabled: { borderRadius: '.5em' } },
      inputs: { placeholderColor: 'hsl(200deg 10% 40%)' },
    });
    expect(warnings).toEqual([]);
    expect(tokens).toMatchObject({
      '--portico-font-family': 'Inter, "Segoe UI", \'游ゴシック\', sans-serif',
      '--portico-container-width': '25rem',
      '--portico-container-border-radius': '0',
      '--portico-buttons-disabled-border-radius': '.5em',
      '--portico-inputs-placeholder-color': 'hsl(200deg 10% 40%)',
    });
  });

  it.each([
    '#abc',
    '#abcd',
    '#aabbcc',
    '#aabbccdd',
    'rgb(1, 2, 3)',
    'rgba(1 2 3 / 50%)',
    'hsl(0.5turn 10% 20%)',
    'RebeccaPurple',
    'transparent',
    'currentColor',
    'oklch(0.62 0.19 259)',
    'oklch(62% 0.19 259deg / 50%)',
    'oklab(0.5 -0.1 0.1)',
    'var(--brand)',
    'var( --brand , #19303d )',
    'var(--brand, var(--other, red))',
  ])('takes the colour %s', (color) => {
    const { tokens, warnings } = theme({ container: { borderColor: ` ${color} ` } });
    expect(warnings).toEqual([]);
    expect(tokens['--portico-container-border-color']).toBe(color);
  });

  it.each([
    'red;background:url(https://evil.example)',
    'url(https://evil.example/a.png)',
    'red}*{display:none',
    'var(--x',
    'var(x)',
    'var(--x, url(y))',
    'var(--x);color:red',
    'expression(alert(1))',
    'rgb(1,2,3);x',
    'rgb(var(--x))',
    'image-set("x")',
    '#ggg',
    '#12345',
    'inherit',
    'initial',
    '',
    'red/**/',
    '\\72 ed',
    `rgb(${'1'.repeat(9999)})`,
    7,
    {},
    ['red'],
    true,
  ])('refuses the colour %j with one warning that names the field', (color) => {
    const { tokens, warnings } = theme({ colors: { primary: color } });
    expect(tokens).toEqual({});
    expect(warnings).toEqual(['styles.colors.primary is not valid and was ignored.']);
  });

  it.each([
    '10',
    'calc(1px + 1px)',
    '-1px',
    '1px;x',
    'auto',
    'max-content',
    '1e9px',
    '999999px',
    -1,
    NaN,
    1e9,
    Infinity,
  ])('refuses the length %j', (width) => {
    expect(theme({ container: { width } }).warnings).toEqual(['styles.container.width is not valid and was ignored.']);
  });

  it.each(['Arial; color: red', '"Arial', 'url(x)', 'Arial,', 'a"b"', '"a\\"b"', 'Arial}'])(
    'refuses the font %j',
    (fontFamily) => {
      expect(theme({ fontFamily }).warnings).toEqual(['styles.fontFamily is not valid and was ignored.']);
    },
  );

  it('refuses a name that the platform knows no colour by', () => {
    expect(theme({ colors: { error: 'nosuchcolor' } }, () => null).warnings).toHaveLength(1);
  });

  it('reads own fields only, and is not moved by odd shapes', () => {
    expect(theme(JSON.parse('{"__proto__":{"colors":{"primary":"red"}}}')).tokens).toEqual({});
    expect(theme(Object.create({ fontFamily: 'Inter' })).tokens).toEqual({});
    for (const odd of [null, 7, 'x', [], { colors: null }, { colors: 'red' }, { buttons: { primary: [] } }]) {
      expect(theme(odd).tokens).toEqual({});
    }
  });
});

describe('The styles of a host', () => {
  it.each([
    [24, '24px'],
    [0, '0px'],
    [1.5, '1.5px'],
    ['1.5rem', '1.5rem'],
    ['var(--radius)', 'var(--radius)'],
    ['var(--radius, 8px)', 'var(--radius, 8px)'],
  ])('as a length may be %j', (borderRadius, css) => {
    const { tokens, warnings } = theme({ container: { borderRadius } });
    expect([tokens['--portico-container-border-radius'], warnings]).toEqual([css, []]);
  });

  it.each([
    ['styles', 'red'],
    ['styles.colors', { colors: 'red' }],
    ['styles.colors.primary', { colors: { primary: null } }],
    ['styles.colors.primry', { colors: { primry: 'red' } }],
    ['styles.buttons.primary', { buttons: { primary: [] } }],
    ['styles.button', { button: { primary: { textColor: 'red' } } }],
    ['styles.hideHeaderText', { hideHeaderText: 'yes' }],
    ['styles.logo.logoImageUrl', { logo: { logoImageUrl: 7 } }],
  ])('and is dropped is named: %s', (path, styles) => {
    expect(theme(styles).warnings).toEqual([`${path} is not valid and was ignored.`]);
  });

  it('as a logo is named where it may not be loaded', () => {
    const warnings: string[] = [];
    const isLogo = (): boolean => false;
    themeOf({ logo: { logoImageUrl: 'javascript:x' } }, (message) => void warnings.push(message), { isLogo });
    expect(warnings).toEqual(['styles.logo.logoImageUrl is not valid and was ignored.']);
  });

  it('as a text that is readable in no scheme is reported', () => {
    const { tokens, warnings } = theme({ inputs: { backgroundColor: '#fff' }, colors: { error: '#777777' } });
    expect(tokens['--portico-light-colors-error']).toBeUndefined();
    expect(warnings).toEqual(['styles.colors.error cannot be read on its background and was ignored.']);
  });
});

describe('A preset', () => {
  const preset = {
    name: 'modern',
    sheets: () => [],
    card: { light: '#000000', dark: '#ffffff' },
    button: { light: '#ffffff', dark: '#000000' },
  } as const;
  const over = (styles: StyleConfig): Readonly<Record<string, string>> =>
    Object.fromEntries(themeOf({ preset, ...styles }, () => undefined, { preset }).tokens);

  it('sets nothing itself, so that its sheets do, and leaves the scheme to the person', () => {
    expect(over({})).toEqual({});
    expect(themeOf({ preset }, () => undefined, { preset }).scheme).toBeNull();
  });

  it('is what the host’s colours are judged against', () => {
    expect(over({ colors: { secondary: '#eeeeee' } })).toMatchObject({ '--portico-light-colors-secondary': '#eeeeee' });
    expect(over({ colors: { secondary: '#eeeeee' } })['--portico-dark-colors-secondary']).toBeUndefined();
    const { tokens } = themeOf({ preset, buttons: { primary: { textColor: '#111111' } } }, () => undefined, { preset });
    expect(tokens.get('--portico-light-buttons-primary-text-color')).toBe('#111111');
    expect(tokens.has('--portico-dark-buttons-primary-text-color')).toBe(false);
  });
});
