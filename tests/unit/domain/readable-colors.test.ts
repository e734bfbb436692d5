import { describe, expect, it } from 'vitest';
import { contrast, rgbOf, themeOf, type ResolveColor, type StyleConfig } from '#domain/widget/theme.ts';

function theme(styles: StyleConfig, resolve?: ResolveColor) {
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const { scheme, tokens } = themeOf(styles, warn, resolve && { resolve });
  return { scheme, tokens: Object.fromEntries(tokens), warnings };
}
describe('Readable text', () => {
  it.each([
    ['#ffffff', '#ffffff', undefined],
    ['#14212a', undefined, '#14212a'],
  ])('on the primary button is judged against the button’s own colour in each scheme: %s', (textColor, light, dark) => {
    const { tokens, warnings } = theme({ buttons: { primary: { textColor } } });
    expect(tokens['--portico-light-buttons-primary-text-color']).toBe(light);
    expect(tokens['--portico-dark-buttons-primary-text-color']).toBe(dark);
    expect(warnings).toEqual([]);
  });

  it('is black or white on a primary colour of the host', () => {
    const on = (primary: string) => theme({ colors: { primary } }).tokens['--portico-light-buttons-primary-text-color'];
    expect(on('#ffb000')).toBe('#111111');
    expect(on('#19303d')).toBe('#ffffff');
    expect(on('rgb(255, 255, 0)')).toBe('#111111');
  });

  it.each(['primary', 'secondary', 'disabled'] as const)(
    'replaces the text colour of the %s button on the host’s own background, as that of a title on the card',
    (kind) => {
      const { tokens, warnings } = theme({ buttons: { [kind]: { backgroundColor: '#000', textColor: '#333' } } });
      expect(tokens[`--portico-light-buttons-${kind}-text-color`]).toBe('#ffffff');
      expect(tokens[`--portico-dark-buttons-${kind}-text-color`]).toBe('#ffffff');
      expect(warnings).toEqual([`styles.buttons.${kind}.textColor cannot be read on its background and was ignored.`]);
      const read = theme({ buttons: { [kind]: { backgroundColor: '#000', textColor: '#999999' } } });
      expect(read.tokens[`--portico-light-buttons-${kind}-text-color`]).toBe('#999999');
      expect(read.warnings).toEqual([]);
    },
  );

  it('replaces the colours of text in fields, too', () => {
    const inputs = { backgroundColor: '#fff', textColor: '#eee', placeholderColor: 'rgb(200, 200, 200)' };
    const { tokens, warnings } = theme({ inputs });
    expect(tokens['--portico-light-inputs-text-color']).toBe('#111111');
    expect(tokens['--portico-light-inputs-placeholder-color']).toBe('#111111');
    expect(warnings).toHaveLength(2);
  });

  it('judges the text of a transparent button against the card', () => {
    const on = (backgroundColor: string) =>
      theme({
        container: { backgroundColor },
        buttons: { secondary: { backgroundColor: 'transparent', textColor: '#eeeeee' } },
      }).tokens['--portico-light-buttons-secondary-text-color'];
    expect([on('#ffffff'), on('#101010')]).toEqual(['#111111', '#eeeeee']);
  });

  it('writes with a colour of the host in the scheme where it can be read', () => {
    const navy = theme({ colors: { primary: '#19303d' } }).tokens;
    expect(navy).toMatchObject({ '--portico-light-colors-primary': '#19303d', '--portico-colors-primary': '#19303d' });
    expect(navy['--portico-dark-colors-primary']).toBeUndefined();
    const amber = theme({ colors: { primary: '#ffb000' } }).tokens;
    expect(amber['--portico-light-colors-primary']).toBeUndefined();
    expect(amber['--portico-dark-colors-primary']).toBe('#ffb000');
  });

  it('of a title that cannot be read on the host’s card is that of the default look, and never black or white', () => {
    const { tokens, warnings } = theme({ container: { backgroundColor: '#fff' }, colors: { error: '#777777' } });
    expect([tokens['--portico-light-colors-error'], tokens['--portico-dark-colors-error']]).toEqual([
      undefined,
      undefined,
    ]);
    expect(warnings).toHaveLength(1);
  });

  it('is not missed in a primary colour, which still paints the button', () => {
    const { tokens, warnings } = theme({ colors: { primary: '#777777' } });
    expect(tokens).toMatchObject({ '--portico-colors-primary': '#777777' });
    expect([tokens['--portico-light-colors-primary'], tokens['--portico-dark-colors-primary']]).toEqual([
      undefined,
      undefined,
    ]);
    expect(warnings).toEqual([]);
  });

  it('in a field stands on the host’s card, and in a button alone on a background of its own', () => {
    const { tokens } = theme({ container: { backgroundColor: '#ffb000' } });
    expect(tokens['--portico-light-inputs-text-color']).toBe('#111111');
    expect(tokens['--portico-light-inputs-placeholder-color']).toBe('#111111');
    for (const kind of ['primary', 'secondary', 'disabled'])
      expect(tokens[`--portico-light-buttons-${kind}-text-color`]).toBeUndefined();
  });

  it('stays with a contrast of 4.5:1, and is replaced by the one of black and white that has more', () => {
    const on = (backgroundColor: string, textColor: string) =>
      theme({ buttons: { secondary: { backgroundColor, textColor } } }).tokens[
        '--portico-light-buttons-secondary-text-color'
      ];
    expect([on('#ffffff', '#767676'), on('#ffffff', '#777777')]).toEqual(['#767676', '#111111']);
    expect(on('#777777', '#777777')).toBe('#ffffff');
  });

  it('follows the card that the host painted', () => {
    expect(theme({ container: { backgroundColor: '#fff' } }).scheme).toBe('light');
    expect(theme({ container: { backgroundColor: '#101010' } }).scheme).toBe('dark');
    expect(theme({ container: { backgroundColor: 'transparent' } }).scheme).toBe('light');
    expect(theme({ container: { backgroundColor: 'navy' } }, () => '#000080').scheme).toBe('dark');
  });

  it('measures contrast as WCAG does', () => {
    expect(contrast(rgbOf('#000')!, rgbOf('#ffffff')!)).toBeCloseTo(21);
    expect(contrast(rgbOf('#777777')!, rgbOf('rgb(255 255 255)')!)).toBeCloseTo(4.478, 2);
    expect(rgbOf('#00000080')).toBeNull();
    expect(rgbOf('rgba(0, 0, 0, 0.5)')).toBeNull();
    expect(rgbOf('rgba(0, 0, 0, 1)')).toEqual([0, 0, 0]);
  });
});
