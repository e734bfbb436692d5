import { defineConfig } from 'vite';

/** `--mode page` makes the script of the page, which the worker of `--mode worker` holds. */
export default defineConfig(({ mode }) => ({
  publicDir: false,
  build: {
    outDir: 'build',
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: `src/${mode}.ts`, formats: ['es'], fileName: mode },
    rolldownOptions: { external: /^cloudflare:/, output: { codeSplitting: false } },
  },
}));
