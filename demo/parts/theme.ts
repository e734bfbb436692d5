import type { StyleConfig } from 'portico';
import type { Address } from './address.ts';
import { THEMES, type ThemeName } from './presets.ts';

/** Shows another look; whether title and logo show stays. */
export function chooseTheme(address: Address, name: ThemeName): void {
  address.choose({ styles: keepShown(THEMES[name], address.choices.styles) });
}

/** A theme is colours, shapes and letters; whether title and logo show is a choice of its own. */
function keepShown(theme: StyleConfig, { hideHeaderText, logo }: StyleConfig): StyleConfig {
  return { ...theme, ...(hideHeaderText ? { hideHeaderText } : {}), ...(logo ? { logo } : {}) };
}
