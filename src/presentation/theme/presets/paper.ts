import type { Preset } from '#domain/widget/theme.ts';
import base from './base.css?inline';
import own from './paper.css?inline';

/** A printed page: serif headings, ruled lines for fields, no shadow. */
export const paper: Preset = {
  name: 'paper',
  sheets: () => [base, own],
  card: { light: '#fdfcf8', dark: '#1e1c18' },
  button: { light: '#2b3a55', dark: '#c9d4ea' },
};
