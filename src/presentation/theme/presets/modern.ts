import type { Preset } from '#domain/widget/theme.ts';
import base from './base.css?inline';
import own from './modern.css?inline';

/** Portico's own: ink on white, an edge of light instead of a line, one accent. */
export const modern: Preset = {
  name: 'modern',
  sheets: () => [base, own],
  card: { light: '#ffffff', dark: '#141b20' },
  button: { light: '#14212a', dark: '#edf2f5' },
};
