import type { Plugin } from 'vite';
import { SHEETS } from './important-css.ts';

const REM = /(?<![\w.-])(-?[\d.]+)rem\b/g;

/**
 * Makes `rem` in the widget's style sheets mean the browser's font size: `1.5rem` becomes `calc(1.5*var(--p-rem))`. The real unit
 * follows the page's root element, and many pages set that to 62.5 %. The property is registered as a length
 * (presentation/theme/stylesheet.ts), so it has one value in the whole widget.
 */
export const widgetRem: Plugin = {
  name: 'widget-rem',
  config: () => ({
    css: {
      postcss: {
        plugins: [
          {
            postcssPlugin: 'widget-rem',
            Once(root) {
              if (!SHEETS.test((root.source?.input.file ?? '').replaceAll('\\', '/'))) return;
              root.walkDecls((declaration) => {
                declaration.value = declaration.value.replace(REM, 'calc($1*var(--p-rem))');
              });
            },
          },
        ],
      },
    },
  }),
};
