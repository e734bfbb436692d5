import type { Preset } from '#domain/widget/theme.ts';
import base from './base.css?inline';
import own from './ocean.css?inline';

/** Deep blue and polished: a bright edge, a graded button, shadows in layers. */
export const ocean: Preset = {
  name: 'ocean',
  sheets: () => [base, own],
  card: { light: '#ffffff', dark: '#0c1a2b' },
  button: { light: '#0a5bb5', dark: '#5ec8f5' },
};
