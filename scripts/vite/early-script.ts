/** The classic script of a prerendered page: as the file `early.js`, and as a text for pages that contain it. */
import { fileURLToPath } from 'node:url';
import { build, type BuildEnvironmentOptions, type Plugin, type Rolldown } from 'vite';
import { namedFolders } from './named-folders.ts';

const SOURCE = fileURLToPath(new URL('../../src/composition/early.ts', import.meta.url));
const QUERY = '?script';

export const earlyBuild: BuildEnvironmentOptions = {
  target: 'es2022',
  minify: 'oxc',
  rolldownOptions: { input: { early: SOURCE }, output: { format: 'iife', entryFileNames: '[name].js' } },
};

/** A host page may be in any charset. A script of ASCII only is the same in all of them. */
export const asciiOnly: Plugin = {
  name: 'ascii-only',
  generateBundle(_options, bundle) {
    const escape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escape);
    }
  },
};

/** `import text from './early.ts?script'`: the script as a host's page contains it. */
export const earlyText: Plugin = {
  name: 'early-text',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith(`/early.ts${QUERY}`) ? `\0early${QUERY}` : null),
  async load(id) {
    if (id !== `\0early${QUERY}`) return null;
    const built = await build({
      configFile: false,
      logLevel: 'warn',
      plugins: [namedFolders, asciiOnly],
      build: { ...earlyBuild, write: false },
    });
    const [{ output }] = [built].flat() as [Rolldown.RolldownOutput];
    return `export default ${JSON.stringify(output[0].code.trim())};`;
  },
};
