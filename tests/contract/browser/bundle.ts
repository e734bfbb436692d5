import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { namedFolders } from '#scripts/vite/named-folders.ts';

/** The page's script, in one piece. */
export async function bundlePage(): Promise<string> {
  const built = await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [namedFolders],
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: fileURLToPath(new URL('./page.ts', import.meta.url)) },
    },
  });
  for (const { output } of [built].flat() as readonly { readonly output: readonly Chunk[] }[]) {
    for (const { code } of output) if (code !== undefined) return code;
  }
  throw new Error('Vite made no script');
}

interface Chunk {
  readonly code?: string;
}
