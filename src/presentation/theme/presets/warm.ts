import type { Preset } from '#domain/widget/theme.ts';
import base from './base.css?inline';
import own from './warm.css?inline';

/** Clay and cream: round letters where the system has them, soft fields. */
export const warm: Preset = {
  name: 'warm',
  sheets: () => [base, own],
  card: { light: '#fffaf3', dark: '#251b15' },
  button: { light: '#a8401a', dark: '#f3a66f' },
};
