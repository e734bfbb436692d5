import type { Preset } from '#domain/widget/theme.ts';
import base from './base.css?inline';
import own from './soft.css?inline';

/** Round and friendly: filled fields, pills, a deep soft shadow and no edge. */
export const soft: Preset = {
  name: 'soft',
  sheets: () => [base, own],
  card: { light: '#ffffff', dark: '#1c1c21' },
  button: { light: '#0a63d1', dark: '#63adff' },
};
