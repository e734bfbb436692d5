import type { StyleConfig } from 'portico';
import type { Address } from './address.ts';
import { THEMES, type ThemeName } from './presets.ts';

/** Applies another look, and keeps the choices for title and logo. */
export function chooseTheme(address: Address, name: ThemeName): void {
  address.choose({ styles: keepShown(THEMES[name], address.choices.styles) });
}

/** A theme has colours, shapes and fonts. Title and logo are separate choices. */
function keepShown(theme: StyleConfig, { hideHeaderText, logo }: StyleConfig): StyleConfig {
  return { ...theme, ...(hideHeaderText ? { hideHeaderText } : {}), ...(logo ? { logo } : {}) };
}
