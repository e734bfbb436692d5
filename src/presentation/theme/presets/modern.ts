import type { Preset } from '../../../domain/widget/theme.ts';
import base from './base.css?inline';
import own from './modern.css?inline';

/** Neutral and crisp: near-black on white, hairlines, small shadows. */
export const modern: Preset = {
  name: 'modern',
  sheets: () => [base, own],
  card: { light: '#ffffff', dark: '#161618' },
  button: { light: '#18181b', dark: '#fafafa' },
};
