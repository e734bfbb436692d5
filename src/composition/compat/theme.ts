/** Translates `presentation` of 6.x, a theme of colour roles and sizes, into our styles. */
import type { StyleConfig } from '#domain/widget/theme.ts';

/** The roles of a theme. */
export interface Theme {
  'color-scheme': 'light' | 'dark' | 'shadcn';
  'font-family': string;
  'font-family-mono': string;
  'header-font'?: string;
  spacing: string;
  'container-width': string;
  'mobile-breakpoint': string;
  'rounded-base': string;
  'text-base': string;
  'button-radius'?: string;
  'input-radius'?: string;
  'container-radius'?: string;
  shadow?: string;
  'shadow-button'?: string;
  'shadow-input'?: string;
  'transition-duration': string;
  background: string;
  foreground: string;
  primary: string;
  'primary-foreground': string;
  secondary: string;
  'secondary-foreground': string;
  muted: string;
  'muted-foreground': string;
  accent: string;
  'accent-foreground': string;
  border: string;
  input: string;
  ring: string;
  destructive: string;
  'destructive-foreground': string;
  warning: string;
  success: string;
  'container-border'?: string;
  'tab-background'?: string;
  'primary-button-hover'?: string;
  'secondary-button-hover'?: string;
  'destructive-button-hover'?: string;
  'divider-color'?: string;
  'focus-ring-shadow'?: string;
}

/** The host's own icons: accepted, but not shown. */
export type IconRegistry<Name extends string = string> = Record<Name, unknown>;

/** The options in addition to the theme. */
export interface PresentationOptions {
  hideHeaderText: boolean;
  /** Accepted; our ids are unique without it. */
  inputIdSuffix?: string;
  logo?: { url: string; alt: string };
  /** Accepted; our buttons have no id. */
  buttonId?: string | boolean;
  enableShadowDOM?: boolean;
  icons?: IconRegistry;
}

/** The appearance of a widget in 6.x. */
export interface PresentationConfig {
  /** One theme, or one for the light and one for the dark. */
  theme?: Partial<Theme> | readonly [light: Partial<Theme>, dark: Partial<Theme>];
  options?: Partial<PresentationOptions>;
  icons?: Partial<IconRegistry>;
}

const SIZES = {
  'font-family': 'system-ui, sans-serif',
  'font-family-mono': 'ui-monospace, monospace',
  spacing: '4px',
  'rounded-base': '4px',
  'text-base': '1rem',
  'container-width': '400px',
  'mobile-breakpoint': '768px',
  'transition-duration': '0.15s',
  'destructive-foreground': '#ffffff',
} as const;

/** The light theme of the reference client. */
export const defaultTheme: Theme = {
  ...SIZES,
  'color-scheme': 'light',
  background: '#ffffff',
  foreground: '#0a0a0a',
  primary: '#171717',
  'primary-foreground': '#fafafa',
  secondary: '#f5f5f5',
  'secondary-foreground': '#171717',
  muted: '#f5f5f5',
  'muted-foreground': '#666666',
  accent: '#f5f5f5',
  'accent-foreground': '#171717',
  border: '#e5e5e5',
  input: '#8c8c8c',
  ring: '#a1a1a1',
  destructive: '#c10007',
  warning: '#a65f00',
  success: '#007a55',
};

/** The dark theme of the reference client. */
export const defaultDarkTheme: Theme = {
  ...SIZES,
  'color-scheme': 'dark',
  background: '#0a0a0a',
  foreground: '#fafafa',
  primary: '#e5e5e5',
  'primary-foreground': '#171717',
  secondary: '#262626',
  'secondary-foreground': '#fafafa',
  muted: '#262626',
  'muted-foreground': '#a1a1a1',
  accent: '#262626',
  'accent-foreground': '#fafafa',
  border: '#2e2e2e',
  input: '#737373',
  ring: '#737373',
  destructive: '#ff6467',
  warning: '#fcbb00',
  success: '#00bc7d',
};

const ROLES = [
  'background',
  'foreground',
  'primary',
  'primary-foreground',
  'secondary',
  'secondary-foreground',
  'muted',
  'muted-foreground',
  'accent',
  'accent-foreground',
  'border',
  'input',
  'ring',
  'destructive',
] as const;

/** The page's own theme, if it defines the custom properties of shadcn/ui. */
export const shadcnTheme: Theme = {
  ...defaultTheme,
  ...Object.fromEntries(ROLES.map((role) => [role, `var(--${role})`])),
  'color-scheme': 'shadcn',
  'font-family': 'var(--font-sans, system-ui, sans-serif)',
  'rounded-base': 'var(--radius)',
};

/** Drops undefined fields, because they would override the defaults. */
function compact<T extends object>(fields: T): T {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}

/** The styles for a theme. Fields that a theme leaves out keep our defaults. */
export function stylesOfTheme(theme: Partial<Theme>): StyleConfig {
  const base = theme['rounded-base'];
  const button = theme['button-radius'] ?? base;
  return {
    ...compact({ fontFamily: theme['font-family'] }),
    container: compact({
      width: theme['container-width'],
      backgroundColor: theme.background,
      borderColor: theme['container-border'] ?? theme.border,
      borderRadius: theme['container-radius'] ?? base,
    }),
    colors: compact({
      primary: theme.foreground,
      secondary: theme['muted-foreground'],
      success: theme.success,
      error: theme.destructive,
    }),
    buttons: {
      primary: compact({
        backgroundColor: theme.primary,
        textColor: theme['primary-foreground'],
        borderColor: theme.primary,
        borderRadius: button,
      }),
      secondary: compact({
        backgroundColor: theme.background,
        textColor: theme.foreground,
        borderColor: theme.border,
        borderRadius: button,
      }),
      disabled: compact({ backgroundColor: theme.muted, textColor: theme['muted-foreground'], borderRadius: button }),
    },
    inputs: compact({
      backgroundColor: theme.background,
      textColor: theme.foreground,
      borderColor: theme.input,
      borderRadius: theme['input-radius'] ?? base,
      placeholderColor: theme['muted-foreground'],
    }),
  };
}

/** The theme for the user's preferred colour scheme, if the host has a light and a dark one. */
export function themeFor(presentation: PresentationConfig, dark: boolean): Partial<Theme> {
  const { theme = {} } = presentation;
  return Array.isArray(theme) ? ((theme as readonly Partial<Theme>[])[dark ? 1 : 0] ?? {}) : (theme as Partial<Theme>);
}

/** A CSS length; a number is in pixels. */
function length(value: string | number | undefined): string | undefined {
  return typeof value === 'number' ? `${value}px` : value;
}

/** 6.x: converts `styles` of 5.x into a theme, for a gradual migration. */
export function styleToTheme(styles: StyleConfig): {
  theme: Partial<Theme>;
  options: Partial<PresentationOptions>;
} {
  const { container = {}, colors = {}, buttons = {}, inputs = {}, fontFamily, hideHeaderText, logo } = styles;
  const theme = compact<Partial<Theme>>({
    'font-family': fontFamily,
    'container-width': length(container.width),
    'container-radius': length(container.borderRadius),
    'container-border': container.borderColor,
    background: container.backgroundColor,
    foreground: inputs.textColor ?? colors.primary,
    primary: buttons.primary?.backgroundColor ?? colors.primary,
    'primary-foreground': buttons.primary?.textColor,
    'muted-foreground': colors.secondary,
    'button-radius': length(buttons.primary?.borderRadius),
    'input-radius': length(inputs.borderRadius),
    input: inputs.borderColor,
    success: colors.success,
    destructive: colors.error,
  });
  const url = logo?.logoImageUrl;
  return {
    theme,
    options: compact({
      hideHeaderText,
      logo: url === undefined ? undefined : { url, alt: '' },
    }),
  };
}

/** The reference's own icon sets. Our icons are always used; the names exist so that imports resolve. */
export const iconsBlack: IconRegistry = Object.freeze({});
/** Icons are part of the widget, so this set is empty. */
export const iconsWhite: IconRegistry = Object.freeze({});
