/**
 * What a page downloads before the widget can start, in bytes: minified, gzip level 9.
 *
 * A small host page is bundled by Vite. Its static imports count; its on-demand files are listed separately.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';
import { ROOT } from '../scripts/lib/root.mjs';
import { bundleHost } from './host-bundle.ts';

const dist = (name: string): string => join(ROOT, 'dist', name);

/** A page that imports one client from one built file. */
interface Consumer {
  readonly file: string;
  readonly takes: string;
  readonly external: RegExp[];
}

export interface Part {
  readonly name: string;
  readonly bytes: number;
  readonly modules: readonly string[];
}

export interface Size {
  readonly bytes: number;
  readonly lazy: readonly Part[];
  readonly modules: readonly string[];
}

export type SizeTable = Readonly<Record<string, Size>>;

/** The consumers by their name in budgets.json. */
export const CONSUMERS = {
  standalone: { file: dist('standalone.js'), takes: 'PorticoUIClient', external: [] },
  widget: { file: dist('index.js'), takes: 'PorticoUIClient', external: [] },
  widgetWithoutReact: { file: dist('index.js'), takes: 'PorticoUIClient', external: [/^react(-dom)?(\/|$)/] },
  headless: { file: dist('headless.js'), takes: 'PorticoClient', external: [] },
  compat: { file: dist('compat.js'), takes: 'StytchUIClient', external: [/^react(-dom)?(\/|$)/] },
  server: { file: dist('server.js'), takes: 'createVerifier', external: [] },
  compatHeadless: { file: dist('compat/headless.js'), takes: 'StytchHeadlessClient', external: [] },
} satisfies Readonly<Record<string, Consumer>>;

/** The chunks of such a page. */
export const bundle = async ({ file, takes, external }: Consumer): Promise<readonly Rolldown.OutputChunk[]> =>
  bundleHost(`import { ${takes} } from ${JSON.stringify(file)}; globalThis.client = ${takes};`, {
    input: 'page',
    external,
    output: { minify: true },
  });

/** Every module in a chunk; the modules of built files come from their source maps. */
function modulesOf(chunk: Rolldown.OutputChunk): readonly string[] {
  return chunk.moduleIds.flatMap((id) => {
    if (!id.startsWith(join(ROOT, 'dist'))) return [id];
    if (!existsSync(`${id}.map`)) return [id];
    return [id, ...(JSON.parse(readFileSync(`${id}.map`, 'utf8')) as { sources: string[] }).sources];
  });
}

const gzipped = (chunk: Rolldown.OutputChunk): number => gzipSync(chunk.code, { level: 9 }).length;

async function measure(consumer: Consumer): Promise<Size> {
  const chunks = await bundle(consumer);
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const atStart = new Set<Rolldown.OutputChunk>();
  const add = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || atStart.has(chunk)) return;
    atStart.add(chunk);
    for (const name of chunk.imports) add(byName.get(name));
  };
  add(chunks.find((chunk) => chunk.isEntry));
  return {
    bytes: [...atStart].reduce((sum, chunk) => sum + gzipped(chunk), 0),
    lazy: chunks
      .filter((chunk) => !atStart.has(chunk))
      .map((chunk) => ({ name: chunk.name, bytes: gzipped(chunk), modules: modulesOf(chunk) })),
    modules: [...atStart].flatMap(modulesOf),
  };
}

export async function measureAll(): Promise<SizeTable> {
  const measured: Record<string, Size> = {};
  for (const [name, consumer] of Object.entries(CONSUMERS)) measured[name] = await measure(consumer);
  return measured;
}
