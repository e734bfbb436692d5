import type { LoginConfig, StyleConfig } from 'portico';

const SESSION = { sessionOptions: { sessionDurationMinutes: 60 } } as const;
const SOCIAL = { providers: [{ type: 'google' }, { type: 'microsoft' }, { type: 'apple' }] } as const;

/** The configurations of the usual ways to sign in, by their word in the URL. */
export const WAYS = {
  passcode: { products: ['otp'], otpOptions: { methods: ['email'], expirationMinutes: 5 }, ...SESSION },
  link: { products: ['emailMagicLinks'], ...SESSION },
  password: { products: ['passwords'], ...SESSION },
  social: { products: ['oauth', 'emailMagicLinks'], oauthOptions: SOCIAL, ...SESSION },
  all: {
    products: ['oauth', 'crypto', 'otp', 'passwords', 'passkeys'],
    oauthOptions: SOCIAL,
    otpOptions: { methods: ['email', 'sms', 'whatsapp'], expirationMinutes: 5 },
    passkeyOptions: { offerAfterLogin: true },
    ...SESSION,
  },
} as const satisfies Readonly<Record<string, LoginConfig>>;
export type LoginPresetName = keyof typeof WAYS;

/** The presets, and samples of custom looks, by their word in the URL. */
export const THEMES = {
  modern: { preset: 'modern' },
  soft: { preset: 'soft' },
  compact: { preset: 'compact' },
  paper: { preset: 'paper' },
  mono: { preset: 'mono' },
  warm: { preset: 'warm' },
  ocean: { preset: 'ocean' },
  contrast: { preset: 'contrast' },
  default: {},
  brand: {
    fontFamily: 'Georgia, "Times New Roman", serif',
    container: { backgroundColor: '#fffdf8', borderColor: '#b08d57', borderRadius: '14px' },
    colors: { primary: '#3a1d4d', secondary: '#6b5573' },
    buttons: {
      primary: { backgroundColor: '#5b2a86', textColor: '#ffffff', borderColor: '#5b2a86', borderRadius: '22px' },
    },
    inputs: { borderColor: '#8a6d8f', borderRadius: '10px', placeholderColor: '#6b5573' },
  },
  dark: {
    container: { backgroundColor: '#101418', borderColor: '#3a4650', borderRadius: '12px' },
    colors: { primary: '#e8eef2', secondary: '#a9b8c2', success: '#6fd3b8', error: '#ff9a9a' },
    buttons: {
      primary: { backgroundColor: '#7cc4ff', textColor: '#06131d', borderColor: '#7cc4ff', borderRadius: '8px' },
      secondary: { backgroundColor: '#101418', textColor: '#e8eef2', borderColor: '#6d7f8c', borderRadius: '8px' },
    },
    inputs: {
      backgroundColor: '#0a0d10',
      textColor: '#e8eef2',
      borderColor: '#6d7f8c',
      borderRadius: '8px',
      placeholderColor: '#a9b8c2',
    },
  },
} as const satisfies Readonly<Record<string, StyleConfig>>;
export type ThemeName = keyof typeof THEMES;

/** Their labels. */
export const THEME_NAMES: Readonly<Record<ThemeName, string>> = {
  modern: 'Modern',
  soft: 'Soft',
  compact: 'Compact',
  paper: 'Paper',
  mono: 'Mono',
  warm: 'Warm',
  ocean: 'Ocean',
  contrast: 'High contrast',
  default: 'None',
  brand: 'A brand of its own',
  dark: 'Dark, in either scheme',
};

/** True for equal JSON values, in any order of their fields. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => sameJson(item, other[at]));
  }
  if (typeof one !== 'object' || one === null) return one === other;
  if (typeof other !== 'object' || other === null || Array.isArray(other)) return false;
  const fields = (value: object) => Object.entries(value).filter(([, field]) => field !== undefined);
  const theirs = new Map(fields(other));
  const ours = fields(one);
  return (
    ours.length === theirs.size && ours.every(([name, field]) => theirs.has(name) && sameJson(field, theirs.get(name)))
  );
}

/** The word of the named value that equals this one, or null. */
export function nameOf<Name extends string>(named: Readonly<Record<Name, object>>, value: object): Name | null {
  const names = Object.keys(named) as Name[];
  return names.find((name) => sameJson(named[name], value)) ?? null;
}
