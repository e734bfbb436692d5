/**
 * The look that a host sets (specification, section 3), checked field by field before any of it reaches a stylesheet.
 * Every accepted field becomes the custom property `--portico-` + its path in kebab case; the stylesheet knows the rest.
 */

/** Colours are those of CSS, sizes its lengths. */
export interface BoxStyle {
  readonly backgroundColor?: string;
  readonly borderColor?: string;
  readonly borderRadius?: string;
}
/** The card: white, with a border of #ADBCC5 and a radius of 8px unless given. */
export interface ContainerStyle extends BoxStyle {
  /** At most so wide: 400px unless given. */
  readonly width?: string;
}
/** One kind of button. */
export interface ButtonStyle extends BoxStyle {
  readonly textColor?: string;
}
/** The fields: a radius of 4px unless given. */
export interface InputStyle extends BoxStyle {
  readonly textColor?: string;
  readonly placeholderColor?: string;
}

/** How the widgets look. What is left out, or is no colour or length, is the built-in look's. */
export interface StyleConfig {
  readonly container?: ContainerStyle;
  /** #19303D, #5C727D, #0C5A56 and #8B1214 unless given; kept readable on the card. */
  readonly colors?: {
    readonly primary?: string;
    readonly secondary?: string;
    readonly success?: string;
    readonly error?: string;
  };
  readonly buttons?: {
    readonly primary?: ButtonStyle;
    readonly secondary?: ButtonStyle;
    readonly disabled?: ButtonStyle;
  };
  readonly inputs?: InputStyle;
  /** Arial, Helvetica, sans-serif unless given. */
  readonly fontFamily?: string;
  /** Leaves out the title of the first screen. */
  readonly hideHeaderText?: boolean;
  /** Shown above the first screen: https, or a raster image as a data URL. */
  readonly logo?: { readonly logoImageUrl?: string };
}

export type Scheme = 'light' | 'dark';

/** The card's colour where the host sets none. The stylesheet paints the same two. */
export const CARD: Readonly<Record<Scheme, string>> = { light: '#ffffff', dark: '#14212a' };

export interface Theme {
  /** The card's scheme when the host painted the card; null follows the person's setting. */
  readonly scheme: Scheme | null;
  /** Custom properties by name. */
  readonly tokens: ReadonlyMap<string, string>;
}

/** A colour as the platform writes it (`#rrggbb`, `rgb()`), or null for what it does not take as one. */
export type ResolveColor = (color: string) => string | null;

const BUTTON = ['backgroundColor', 'textColor', 'borderColor', 'borderRadius'];
const FIELDS: readonly string[] = [
  'fontFamily',
  ...['width', 'backgroundColor', 'borderColor', 'borderRadius'].map((name) => `container.${name}`),
  ...['primary', 'secondary', 'success', 'error'].map((name) => `colors.${name}`),
  ...['primary', 'secondary', 'disabled'].flatMap((kind) => BUTTON.map((name) => `buttons.${kind}.${name}`)),
  ...[...BUTTON, 'placeholderColor'].map((name) => `inputs.${name}`),
];

/** What is written on what, so that a colour set for one scheme stays readable in the other. */
const WRITTEN_ON: readonly (readonly [text: string, surface: string])[] = [
  ['colors.primary', 'container.backgroundColor'],
  ['colors.secondary', 'container.backgroundColor'],
  ['colors.success', 'container.backgroundColor'],
  ['colors.error', 'container.backgroundColor'],
  ['inputs.textColor', 'inputs.backgroundColor'],
  ['inputs.placeholderColor', 'inputs.backgroundColor'],
  ['buttons.primary.textColor', 'buttons.primary.backgroundColor'],
  ['buttons.secondary.textColor', 'buttons.secondary.backgroundColor'],
  ['buttons.disabled.textColor', 'buttons.disabled.backgroundColor'],
];

const COLOR =
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|(?:rgb|hsl)a?\([\d\s.,%/+-]+(?:deg|rad|turn)?[\d\s.,%/+-]*\)|[a-z]{3,24})$/iu;
const NOT_A_COLOR = /^(?:inherit|initial|unset|revert|none|auto)$/iu;
const LENGTH = /^(?:0|(?:\d{1,5}|\d{0,5}\.\d{1,4})(?:px|r?em|ch|ex|%|v[wh]|cm|mm|in|pt|pc))$/iu;
const FONT = /^(?:"[\p{L}\p{N} ._&+-]+"|'[\p{L}\p{N} ._&+-]+'|-?[\p{L}_][\p{L}\p{N} _-]*)$/u;
const MAX_LENGTH = 300;

function accepts(path: string, value: string, resolve: ResolveColor): boolean {
  if (value.length > MAX_LENGTH) return false;
  if (path === 'fontFamily') return value.split(',').every((name) => FONT.test(name.trim()));
  if (/(?:width|Radius)$/u.test(path)) return LENGTH.test(value);
  return (
    COLOR.test(value) &&
    !NOT_A_COLOR.test(value) &&
    (/^(?:transparent|currentcolor)$/iu.test(value) || resolve(value) !== null)
  );
}

function read(styles: unknown, path: string): unknown {
  let value = styles;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

type Rgb = readonly [number, number, number];

/** The channels of an opaque hex or `rgb()` colour, 0 to 255; null for what cannot be told. */
export function rgbOf(color: string): Rgb | null {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/iu.exec(color)?.[1];
  if (hex !== undefined) {
    const full = hex.length === 3 ? hex.replace(/./gu, '$&$&') : hex;
    const value = Number.parseInt(full, 16);
    return [value >> 16, (value >> 8) & 255, value & 255];
  }
  const parts = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:\s*[,/]\s*(?:1|1\.0+|100%))?\s*\)$/iu.exec(color);
  return parts === null ? null : [Number(parts[1]), Number(parts[2]), Number(parts[3])];
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((channel) => {
    const part = Math.min(channel, 255) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2, relative luminance). */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const READABLE = 4.5;
const WHITE: Rgb = [255, 255, 255];
const INK: Rgb = [17, 17, 17];

function readableOn(surface: Rgb): string {
  return contrast(WHITE, surface) >= contrast(INK, surface) ? '#ffffff' : '#111111';
}

const kebab = (path: string): string =>
  path.replace(/\./gu, '-').replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);

/**
 * The custom properties for a host's styles. A field that is not what it should be is left out, so its default holds,
 * and `warn` names it once. Text colours come out per scheme, as `--portico-light-…` and `--portico-dark-…`: a colour
 * that the host set stands wherever it can be read, and text on a surface that the host painted gets black or white.
 */
export function themeOf(
  styles: StyleConfig | undefined,
  warn: (message: string) => void,
  resolve: ResolveColor = (color) => color,
): Theme {
  const values = new Map<string, string>();
  const tokens = new Map<string, string>();
  for (const path of FIELDS) {
    const value = read(styles, path);
    if (value === undefined || value === null) continue;
    if (typeof value === 'string' && accepts(path, value.trim(), resolve)) {
      values.set(path, value.trim());
      tokens.set(`--portico-${kebab(path)}`, value.trim());
    } else {
      warn(`styles.${path} is not valid and was ignored.`);
    }
  }

  const own = (path: string): string | undefined =>
    values.get(path) ??
    (path === 'buttons.primary.backgroundColor' ? values.get('colors.primary') : undefined) ??
    (path === 'container.backgroundColor' || path.startsWith('buttons.')
      ? undefined
      : values.get('container.backgroundColor'));
  const rgb = (color: string): Rgb | null => rgbOf(resolve(color) ?? color);

  for (const [text, surface] of WRITTEN_ON) {
    const color = values.get(text);
    const painted = own(surface);
    for (const scheme of ['light', 'dark'] as const) {
      const below = rgb(painted ?? CARD[scheme]);
      const above = color === undefined ? null : rgb(color);
      const chosen = values.has(surface) && !text.startsWith('colors.');
      const stands = chosen || below === null || above === null || contrast(above, below) >= READABLE;
      const name = `--portico-${scheme}-${kebab(text)}`;
      if (color !== undefined && stands) tokens.set(name, color);
      else if (painted !== undefined && below !== null && !text.startsWith('colors.'))
        tokens.set(name, readableOn(below));
    }
  }

  const card = values.get('container.backgroundColor');
  if (card === undefined) return { scheme: null, tokens };
  const surface = rgb(card);
  return { scheme: surface !== null && readableOn(surface) === '#ffffff' ? 'dark' : 'light', tokens };
}
