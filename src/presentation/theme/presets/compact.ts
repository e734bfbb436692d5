import type { Preset } from '#domain/widget/theme.ts';
import base from './base.css?inline';
import own from './compact.css?inline';

/** Dense and plain, for tools: small type, tight corners, a header in a separate shade. */
export const compact: Preset = {
  name: 'compact',
  sheets: () => [base, own],
  card: { light: '#ffffff', dark: '#151b23' },
  button: { light: '#1a7034', dark: '#57c46c' },
};
