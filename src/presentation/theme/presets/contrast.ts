import type { Preset } from '#domain/widget/theme.ts';
import base from './base.css?inline';
import own from './contrast.css?inline';

/** High contrast: 7:1 text, thick lines, bold labels, a wide focus ring. */
export const contrast: Preset = {
  name: 'contrast',
  sheets: () => [base, own],
  card: { light: '#ffffff', dark: '#000000' },
  button: { light: '#00297a', dark: '#ffe14d' },
};
