import type { Plugin } from 'vite';

/** Also with the query of an import (`?inline`). */
export const SHEETS = /\/src\/presentation\/theme\/[^?]*\.css(?:\?|$)/;
/** Rules that contain descriptors and keyframes, where `!important` is an error. */
const NOT_STYLES = /^(?:-\w+-)?(?:keyframes|font-face|property|counter-style|font-feature-values)$/;

interface Container {
  readonly type: string;
  readonly parent?: Container | undefined;
}

function isStyle(container: Container | undefined): boolean {
  for (let one = container; one !== undefined; one = one.parent) {
    if (one.type === 'atrule' && NOT_STYLES.test((one as Container & { readonly name: string }).name)) return false;
  }
  return true;
}

/**
 * Makes every declaration of the widget's style sheets important, so that the sources can omit it. An important declaration in a
 * cascade layer wins over the rules of the page, important or not. Custom properties stay as they are: their names are ours alone,
 * and a token that is important could not be set again for a narrow card or for high contrast.
 */
export const importantCss: Plugin = {
  name: 'important-css',
  config: () => ({
    css: {
      postcss: {
        plugins: [
          {
            postcssPlugin: 'important-css',
            Once(root) {
              if (!SHEETS.test((root.source?.input.file ?? '').replaceAll('\\', '/'))) return;
              root.walkDecls((declaration) => {
                if (!declaration.prop.startsWith('--') && isStyle(declaration.parent)) declaration.important = true;
              });
            },
          },
        ],
      },
    },
  }),
};
