/** Runs a measurement of the sources: bundled by Vite, in a separate Node process. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from '../scripts/lib/root.mjs';
import { runNode } from '../scripts/lib/run.ts';
import { namedFolders } from '../scripts/vite/named-folders.ts';

/** @param file in bench/; prints one JSON object, which is returned unchecked */
export async function measureSources(
  file: string,
  { flags = [], env = {} }: { readonly flags?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<unknown> {
  const cache = join(ROOT, 'node_modules/.cache/portico');
  mkdirSync(cache, { recursive: true });
  // Inside the repository, so that packages are found.
  const dir = mkdtempSync(join(cache, 'bench-'));
  try {
    await build({
      root: ROOT,
      configFile: false,
      logLevel: 'error',
      mode: 'production',
      publicDir: false,
      plugins: [namedFolders],
      ssr: { external: true },
      build: { ssr: join(ROOT, 'bench', file), outDir: dir, emptyOutDir: true, target: 'node20', minify: false },
    });
    const script = join(dir, file.replace(/\.ts$/, '.js'));
    const { code, output } = await runNode([...flags, script], { env: { ...process.env, ...env } });
    if (code !== 0) throw new Error(`bench/${file} failed:\n${output.trim()}`);
    // The removal of the database at the end may cut connections, which prints errors after the result.
    const result =
      output
        .split('\n')
        .reverse()
        .find((line) => /^[[{]/u.test(line)) ?? '';
    return JSON.parse(result);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
