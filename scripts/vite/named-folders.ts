/** The names of the folders, such as `#domain/…`: the rows of `paths` in tsconfig.json that begin with `#`. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { NAMED_FOLDERS } from '../lib/import-names.ts';
import { ROOT } from '../lib/root.mjs';

export const namedFolders: Plugin = {
  name: 'named-folders',
  config: () => ({
    resolve: {
      alias: NAMED_FOLDERS.map(([name, folder]) => ({
        find: new RegExp(`^${name}/`, 'u'),
        replacement: `${join(ROOT, folder)}/`,
      })),
    },
  }),
};
