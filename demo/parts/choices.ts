import type { LoginConfig, Products, StringOverrides, StyleConfig } from 'portico';
import { configOf, stringsOf, stylesOf } from './check-config.ts';
import { decode, encode } from './codec.ts';
import { nameOf, THEMES, WAYS, type ThemeName, type LoginPresetName } from './presets.ts';

/** What the demo page shows: all of it is in the address, so that it can be shared and gone back to. */
export interface Choices {
  readonly config: LoginConfig;
  readonly styles: StyleConfig;
  readonly strings: StringOverrides;
  readonly language: string;
  /** A wallet of the page's own, for who has none, and whether it agrees to what it is asked. */
  readonly wallet: 'none' | 'agrees' | 'refuses';
  /** Keeps the widget's success screen, where the page would go on to the account. */
  readonly stay: boolean;
}

export const DEFAULTS: Choices = {
  config: WAYS.passcode,
  styles: THEMES.default,
  strings: {},
  language: 'en',
  wallet: 'none',
  stay: false,
};

const LANGUAGE = /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$|^auto$/iu;

/** More than any choice of the playground takes: an address is anybody's to write. */
const MOST_CHARACTERS = 16_384;
const MOST_LEVELS = 8;

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

/** Reads the address. Throws a TypeError that says what of it is not right. */
export function readChoices(search: string, origin: string): Choices {
  const query = new URLSearchParams(search);
  const said = <T>(name: string, read: (value: unknown) => T): T | null => {
    const text = query.get(name);
    if (text === null) return null;
    if (text.length > MOST_CHARACTERS) throw new TypeError(`${name} is longer than ${MOST_CHARACTERS} characters`);
    const value = decode(text);
    if (value === undefined) throw new TypeError(`${name} is not JSON in base64url`);
    if (isDeeperThan(MOST_LEVELS, value)) throw new TypeError(`${name} is nested deeper than ${MOST_LEVELS} levels`);
    return read(value);
  };
  const way = query.get('by') ?? 'passcode';
  const theme = query.get('theme') ?? 'default';
  const shadow = query.get('shadow') === '1' ? { enableShadowDOM: true } : {};
  const header = query.get('header') === 'off' ? { hideHeaderText: true } : {};
  const language = query.get('language') ?? DEFAULTS.language;
  const wallet = query.get('wallet');
  return {
    config: { ...(said('config', (value) => configOf(value, origin)) ?? byName(WAYS, way, 'passcode')), ...shadow },
    styles: { ...(said('styles', (value) => stylesOf(value, origin)) ?? byName(THEMES, theme, 'default')), ...header },
    strings: said('strings', stringsOf) ?? {},
    language: LANGUAGE.test(language) ? language : DEFAULTS.language,
    wallet: wallet === '1' ? 'agrees' : wallet === 'refuse' ? 'refuses' : 'none',
    stay: query.get('stay') === '1',
  };
}

function byName<Name extends string, Value>(named: Readonly<Record<Name, Value>>, name: string, fallback: Name): Value {
  return named[Object.hasOwn(named, name) ? (name as Name) : fallback];
}

/** The shortest address that says the same: with a word where there is one, else with the whole of it. */
export function writeChoices(choices: Choices): string {
  const query = new URLSearchParams();
  const way = wayOf(choices.config);
  if (way === null) query.set('config', encode(choices.config));
  else {
    if (way !== 'passcode') query.set('by', way);
    if (choices.config.enableShadowDOM === true) query.set('shadow', '1');
  }
  const theme = themeOf(choices.styles);
  if (theme === null) query.set('styles', encode(choices.styles));
  else {
    if (theme !== 'default') query.set('theme', theme);
    if (choices.styles.hideHeaderText === true) query.set('header', 'off');
  }
  if (Object.keys(choices.strings).length > 0) query.set('strings', encode(choices.strings));
  if (choices.language !== DEFAULTS.language) query.set('language', choices.language);
  if (choices.wallet !== 'none') query.set('wallet', choices.wallet === 'refuses' ? 'refuse' : '1');
  if (choices.stay) query.set('stay', '1');
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** Which of the usual ways the configuration is, wherever it is rendered; null for one of the visitor's own. */
export function wayOf(config: LoginConfig): LoginPresetName | null {
  return nameOf(WAYS, { ...config, enableShadowDOM: undefined });
}

/** The same, whatever is kept of products that are switched off. */
export function wayShown({ oauthOptions, otpOptions, ...config }: LoginConfig): LoginPresetName | null {
  const uses = (product: Products) => config.products?.includes(product) === true;
  return wayOf({
    ...config,
    ...(uses('oauth') ? { oauthOptions } : {}),
    ...(uses('otp') ? { otpOptions } : {}),
  });
}

export function themeOf(styles: StyleConfig): ThemeName | null {
  return nameOf(THEMES, { ...styles, hideHeaderText: undefined });
}
