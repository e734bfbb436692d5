import type { LoginConfig, Products, StringOverrides, StyleConfig } from 'portico';
import { configOf, stringsOf, stylesOf } from './check-config.ts';
import { decode, encode } from './codec.ts';
import { nameOf, THEMES, WAYS, type ThemeName, type LoginPresetName } from './presets.ts';

/** The state of the demo page. All of it is in the URL, so that it can be shared and the browser's back button works. */
export interface Choices {
  readonly config: LoginConfig;
  readonly styles: StyleConfig;
  readonly strings: StringOverrides;
  readonly language: string;
  /** The page's test wallet, for visitors without a wallet, and whether it approves requests. */
  readonly wallet: 'none' | 'agrees' | 'refuses';
  /** Keeps the widget's success screen, which the account would otherwise replace. */
  readonly stay: boolean;
}

const DEFAULT_THEME = 'modern' satisfies ThemeName;

export const DEFAULTS: Choices = {
  config: WAYS.passcode,
  styles: THEMES[DEFAULT_THEME],
  strings: {},
  language: 'en',
  wallet: 'none',
  stay: false,
};

const LANGUAGE = /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$|^auto$/iu;

/** A limit above the size of any choice of the playground, because anyone can write a URL. */
const MOST_CHARACTERS = 16_384;
const MOST_LEVELS = 8;

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

/** Reads the URL. Throws a TypeError that names the problem. */
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
  const theme = query.get('theme') ?? DEFAULT_THEME;
  const shadow = query.get('shadow') === '1' ? { enableShadowDOM: true } : {};
  const header = query.get('header') === 'off' ? { hideHeaderText: true } : {};
  const language = query.get('language') ?? DEFAULTS.language;
  const wallet = query.get('wallet');
  return {
    config: { ...(said('config', (value) => configOf(value, origin)) ?? byName(WAYS, way, 'passcode')), ...shadow },
    styles: {
      ...(said('styles', (value) => stylesOf(value, origin)) ?? byName(THEMES, theme, DEFAULT_THEME)),
      ...header,
    },
    strings: said('strings', stringsOf) ?? {},
    language: LANGUAGE.test(language) ? language : DEFAULTS.language,
    wallet: wallet === '1' ? 'agrees' : wallet === 'refuse' ? 'refuses' : 'none',
    stay: query.get('stay') === '1',
  };
}

function byName<Name extends string, Value>(named: Readonly<Record<Name, Value>>, name: string, fallback: Name): Value {
  return named[Object.hasOwn(named, name) ? (name as Name) : fallback];
}

/** The shortest URL of the same choices: with a preset's word if there is one, else with the whole configuration. */
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
    if (theme !== DEFAULT_THEME) query.set('theme', theme);
    if (choices.styles.hideHeaderText === true) query.set('header', 'off');
  }
  if (Object.keys(choices.strings).length > 0) query.set('strings', encode(choices.strings));
  if (choices.language !== DEFAULTS.language) query.set('language', choices.language);
  if (choices.wallet !== 'none') query.set('wallet', choices.wallet === 'refuses' ? 'refuse' : '1');
  if (choices.stay) query.set('stay', '1');
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The preset that equals the configuration, wherever it is rendered; null for a custom one. */
export function wayOf(config: LoginConfig): LoginPresetName | null {
  return nameOf(WAYS, { ...config, enableShadowDOM: undefined });
}

/** Compares without the stored options of disabled products. */
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
