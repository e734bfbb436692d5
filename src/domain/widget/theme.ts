import { isRecord } from '../shape.ts';

/**
 * The host's styles (specification, section 3), checked field by field before they reach a stylesheet. Every accepted field
 * becomes the custom property `--portico-` + its path in kebab case, which the stylesheet uses.
 */

/** Colours are CSS colours. Sizes are CSS lengths, or pixels as numbers. Both can be a custom property of the page: `var(--x)`. */
export interface BoxStyle {
  /** A CSS colour. */
  readonly backgroundColor?: string;
  /** A CSS colour. */
  readonly borderColor?: string;
  /** A CSS length, or a number of pixels. */
  readonly borderRadius?: string | number;
}
/** The card. Default: white, with a border of #ADBCC5 and a radius of 8px. */
export interface ContainerStyle extends BoxStyle {
  /** The maximum width. Default: 400px. */
  readonly width?: string | number;
}
/** One kind of button. */
export interface ButtonStyle extends BoxStyle {
  /** A CSS colour; kept readable on the background. */
  readonly textColor?: string;
}
/** The fields. Default: a radius of 4px. */
export interface InputStyle extends BoxStyle {
  /** A CSS colour; kept readable on the background. */
  readonly textColor?: string;
  /** A CSS colour; kept readable on the background. */
  readonly placeholderColor?: string;
}

export type Scheme = 'light' | 'dark';

/** The names of the looks that come with the package (not in the reference client). */
export const PRESET_NAMES = ['modern', 'soft', 'compact', 'paper', 'mono', 'warm', 'ocean', 'contrast'] as const;
/** The name of a look that comes with the package. */
export type PresetName = (typeof PRESET_NAMES)[number];

/** A look as data, such as `modern` of `portico/themes`. Its content is internal; use it as `styles.preset`. */
export interface Preset {
  readonly name: PresetName;
  /** Its style sheets, in order. A function, so that styles from JSON (a tenant's settings, a URL) cannot contain sheets. */
  readonly sheets: () => readonly string[];
  /** The colours of its card and its primary button. They must equal those of its sheets. */
  readonly card: Readonly<Record<Scheme, string>>;
  readonly button: Readonly<Record<Scheme, string>>;
}

/** The look of the widgets. A field that is missing, or is not a valid colour or length, keeps its default. */
export interface StyleConfig {
  /**
   * A complete look to start from (not in the reference client): a name, which loads its file, or an import from `portico/themes`,
   * which is available at the first paint. The other fields override it. Default: the specification's look.
   */
  readonly preset?: PresetName | Preset;
  /** The card. */
  readonly container?: ContainerStyle;
  /** Default: #19303D, #5C727D, #0C5A56 and #8B1214. Kept readable on the card. */
  readonly colors?: {
    readonly primary?: string;
    readonly secondary?: string;
    readonly success?: string;
    readonly error?: string;
  };
  /** The three kinds of buttons. */
  readonly buttons?: {
    readonly primary?: ButtonStyle;
    readonly secondary?: ButtonStyle;
    readonly disabled?: ButtonStyle;
  };
  /** The fields. */
  readonly inputs?: InputStyle;
  /** Default: Arial, Helvetica, sans-serif. */
  readonly fontFamily?: string;
  /** Leaves out the title of the first screen. */
  readonly hideHeaderText?: boolean;
  /** Shown above the first screen: https, a path on the page's own origin, or a raster image as a data URL. */
  readonly logo?: { readonly logoImageUrl?: string };
}

/** The card's default colours. They must equal those of the stylesheet. */
export const CARD: Readonly<Record<Scheme, string>> = { light: '#ffffff', dark: '#14212a' };

/** The primary button's default colours. They must equal those of the stylesheet. */
const BUTTON: Readonly<Record<Scheme, string>> = { light: '#19303d', dark: '#dce8ee' };

export interface Theme {
  /** The colour scheme of the host's card colour; null when the host sets none; then the user's setting applies. */
  readonly scheme: Scheme | null;
  /** Custom properties by name. */
  readonly tokens: ReadonlyMap<string, string>;
}

/** Returns a colour as the platform writes it (`#rrggbb`, `rgb()`), or null when the platform does not accept it. */
export type ResolveColor = (color: string) => string | null;

const BOX = ['backgroundColor', 'borderColor', 'borderRadius'];
const BUTTONS = ['primary', 'secondary', 'disabled'].map((name) => `buttons.${name}`);
const CARD_COLOR = 'container.backgroundColor';

/** Each text colour with its background: a colour that is hard to read on it is replaced, in that scheme. */
const WRITTEN_ON: readonly (readonly [text: string, surface: string])[] = [
  ...['primary', 'secondary', 'success', 'error'].map((name) => [`colors.${name}`, CARD_COLOR] as const),
  ['inputs.placeholderColor', 'inputs.backgroundColor'],
  ...['inputs', ...BUTTONS].map((group) => [`${group}.textColor`, `${group}.backgroundColor`] as const),
];

const FIELDS: ReadonlySet<string> = new Set([
  'fontFamily',
  'container.width',
  ...['container', 'inputs', ...BUTTONS].flatMap((group) => BOX.map((name) => `${group}.${name}`)),
  ...WRITTEN_ON.map(([text]) => text),
]);

const NUMBERS = String.raw`\([\d\s.,%/+-]+(?:(?:deg|rad|turn)[\d\s.,%/+-]*)?\)`;
const COLOR = new RegExp(
  String.raw`^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|(?:(?:rgb|hsl)a?|hwb|(?:ok)?l(?:ab|ch))${NUMBERS}|[a-z]{3,24})$`,
  'iu',
);
/** A custom property of the page, with an optional fallback. */
export const VARIABLE = /^var\(\s*(--[\w-]+)\s*(?:,\s*(\S.*))?\)$/su;
const NOT_A_COLOR = /^(?:inherit|initial|unset|revert|none|auto)$/iu;
const LENGTH = /^(?:0|(?:\d{1,5}|\d{0,5}\.\d{1,4})(?:px|r?em|ch|ex|%|v[wh]|cm|mm|in|pt|pc))$/iu;
const FONT = /^(?:"[\p{L}\p{N} ._&+-]+"|'[\p{L}\p{N} ._&+-]+'|-?[\p{L}_][\p{L}\p{N} _-]*)$/u;
const MAX_LENGTH = 300;
const IS_LENGTH = /(?:width|Radius)$/u;
/** True for an object that holds fields: `buttons` and `buttons.primary` for `buttons.primary.textColor`. */
const isGroup = (path: string): boolean =>
  path === '' || path === 'logo' || [...FIELDS].some((field) => field.startsWith(`${path}.`));

function accepts(path: string, value: string, resolve: ResolveColor): boolean {
  if (value.length > MAX_LENGTH) return false;
  const [variable, , fallback] = VARIABLE.exec(value) ?? [];
  if (variable !== undefined) return fallback === undefined || accepts(path, fallback.trim(), resolve);
  if (path === 'fontFamily') return value.split(',').every((name) => FONT.test(name.trim()));
  if (IS_LENGTH.test(path)) return LENGTH.test(value);
  return (
    COLOR.test(value) &&
    !NOT_A_COLOR.test(value) &&
    (/^(?:transparent|currentcolor)$/iu.test(value) || resolve(value) !== null)
  );
}

/** The value as CSS text, or null when it is not valid for the field. */
function cssOf(path: string, value: unknown, resolve: ResolveColor): string | null {
  const text = typeof value === 'number' && IS_LENGTH.test(path) ? `${value}px` : value;
  return typeof text === 'string' && accepts(path, text.trim(), resolve) ? text.trim() : null;
}

/** Every value that a host sets, with its path. A value instead of a group is included, so that it is reported. */
function valuesIn(value: unknown, path: string): readonly (readonly [path: string, value: unknown])[] {
  if (!isRecord(value) || !isGroup(path)) return value === undefined ? [] : [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => valuesIn(inner, path === '' ? name : `${path}.${name}`));
}

type Rgb = readonly [number, number, number];

/** The channels (0 to 255) of an opaque hex or `rgb()` colour; null for any other text. */
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

/** The platform's checks of colours and URLs, and the loaded preset. */
interface Platform {
  readonly preset?: Preset | undefined;
  readonly resolve?: ResolveColor;
  /** True if the logo may be loaded from this URL. */
  readonly isLogo?: (url: string) => boolean;
}

/**
 * The custom properties for a host's styles. An invalid value is left out, so that its default is used, and `warn` names it. Text
 * colours are set per scheme, as `--portico-light-…` and `--portico-dark-…`: the host's text colour is used where it is readable;
 * otherwise text on a background that the host set becomes black or white.
 */
export function themeOf(
  styles: StyleConfig | undefined,
  warn: (message: string) => void,
  { resolve = (color) => color, isLogo = () => true, preset }: Platform = {},
): Theme {
  const values = new Map<string, string>();
  const tokens = new Map<string, string>();
  for (const [path, value] of valuesIn(styles ?? {}, '')) {
    const css = FIELDS.has(path) ? cssOf(path, value, resolve) : null;
    if (css !== null) {
      values.set(path, css);
      tokens.set(`--portico-${kebab(path)}`, css);
      continue;
    }
    const isOther =
      (path === 'preset' && (typeof value === 'string' || preset !== undefined)) ||
      (path === 'hideHeaderText' && typeof value === 'boolean') ||
      (path === 'logo.logoImageUrl' && typeof value === 'string' && isLogo(value));
    if (!isOther) warn(`styles${path && '.'}${path} is not valid and was ignored.`);
  }

  const own = (path: string): string | undefined =>
    values.get(path) ??
    (path === 'buttons.primary.backgroundColor' ? values.get('colors.primary') : undefined) ??
    (path.startsWith('buttons.') ? undefined : values.get(CARD_COLOR));
  const rgb = (color: string): Rgb | null => rgbOf(resolve(color) ?? color);

  for (const [text, surface] of WRITTEN_ON) {
    const color = values.get(text);
    const painted = own(surface);
    let isRead = false;
    for (const scheme of ['light', 'dark'] as const) {
      const card = values.get(CARD_COLOR) ?? (preset?.card ?? CARD)[scheme];
      const unpainted = surface === 'buttons.primary.backgroundColor' ? (preset?.button ?? BUTTON)[scheme] : card;
      const below = rgb(painted === 'transparent' ? card : (painted ?? unpainted));
      const above = color === undefined ? null : rgb(color);
      // The defaults are readable.
      const stands = below === null || above === null || contrast(above, below) >= READABLE;
      const name = `--portico-${scheme}-${kebab(text)}`;
      isRead ||= stands;
      if (color !== undefined && stands) tokens.set(name, color);
      else if (painted !== undefined && below !== null && !text.startsWith('colors.'))
        tokens.set(name, readableOn(below));
    }
    // The primary colour is still used for the button.
    if (!isRead && text !== 'colors.primary') warn(`styles.${text} cannot be read on its background and was ignored.`);
  }

  const card = values.get(CARD_COLOR);
  if (card === undefined) return { scheme: null, tokens };
  const surface = rgb(card);
  return { scheme: surface !== null && readableOn(surface) === '#ffffff' ? 'dark' : 'light', tokens };
}
