import type { StyleConfig } from 'portico';
import { modern } from 'portico/themes';
import type { Address } from './address.ts';
import { THEMES, type ThemeName } from './presets.ts';

/** Applies another look, and keeps the choices for title and logo. */
export function chooseTheme(address: Address, name: ThemeName): void {
  address.choose({ styles: keepShown(THEMES[name], address.choices.styles) });
}

/**
 * The styles as a page mounts them. The theme that most visitors see is part of the page, so that its first paint has it; the others
 * load by their name.
 */
export const withOwnTheme = (styles: StyleConfig): StyleConfig =>
  styles.preset === modern.name ? { ...styles, preset: modern } : styles;

/** A theme has colours, shapes and fonts. Title and logo are separate choices. */
function keepShown(theme: StyleConfig, { hideHeaderText, logo }: StyleConfig): StyleConfig {
  return { ...theme, ...(hideHeaderText ? { hideHeaderText } : {}), ...(logo ? { logo } : {}) };
}
