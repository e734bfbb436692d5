import type { Preset } from '#domain/widget/theme.ts';
import base from './base.css?inline';
import own from './mono.css?inline';

/** Sharp and monospaced: square corners, thick lines, a hard shadow. */
export const mono: Preset = {
  name: 'mono',
  sheets: () => [base, own],
  card: { light: '#ffffff', dark: '#0e0e0e' },
  button: { light: '#111111', dark: '#f2f2f2' },
};
