import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#scripts/lib/root.mjs';
import { allExamples, type Example } from './examples.ts';

export type StarterName =
  | 'express'
  | 'fastify'
  | 'hono'
  | 'nest'
  | 'next'
  | 'next-without-tailwind'
  | 'vite-react'
  | 'vite-react-js'
  | 'vite-solid'
  | 'vite-solid-js'
  | 'vite-svelte'
  | 'vite-svelte-js'
  | 'vite-vue'
  | 'vite-vue-js';

/** The guides whose blocks are whole files of a starter's app, and the starter. */
export const STARTER_OF: Readonly<Record<string, StarterName>> = {
  'docs/getting-started.md': 'vite-react',
  'docs/with-next.md': 'next',
  'docs/with-react-router.md': 'vite-react',
  'docs/with-solid.md': 'vite-solid',
  'docs/with-svelte.md': 'vite-svelte',
  'docs/with-vue.md': 'vite-vue',
};

/** Text by the file's name in the app. */
export type Files = Readonly<Record<string, string>>;

/** The stored files of a starter: `tests/starters/README.md`. */
export const starterFiles = (name: StarterName): Files =>
  (JSON.parse(readFileSync(join(ROOT, `tests/starters/${name}.json`), 'utf8')) as { readonly files: Files }).files;

/** The app of `examples/` from which a block is; empty where it is of the reader's own app. */
export const appOf = ({ from }: Pick<Example, 'from'>): string => from?.split('/')[1] ?? '';

/** The name of a block's file in its app; null where the page names none. */
export const fileNameOf = ({ from, path, file }: Pick<Example, 'from' | 'path' | 'file'>): string | null =>
  from?.split('/').slice(2).join('/') ?? path ?? file;

/** What readers have after they have pasted each file of a guide into a new app of its starter, or of another one. */
export function appAfter(page: string, starter = STARTER_OF[page]): Files {
  if (starter === undefined) throw new Error(`${page} has no starter`);
  const files: Record<string, string> = { ...starterFiles(starter) };
  const pasted = new Set<string>();
  for (const example of allExamples().filter((one) => one.page === page && (one.from ?? one.path) !== null)) {
    const name = fileNameOf(example) ?? '';
    if (pasted.has(name)) throw new Error(`${page} shows ${name} in two blocks`);
    pasted.add(name);
    files[name] = example.source;
  }
  return files;
}

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu;

/** The keys, texts and calls of a file of settings. */
function settingsOf(source: string): readonly string[] {
  const code = source.replaceAll(COMMENT, '').replaceAll(/\bconst \w+: /gu, 'const ');
  return [...code.matchAll(/(["'])(.*?)\1|(\w+)(?=\s*[:(])/gu)].map(([, , quoted, name]) => quoted ?? name ?? '');
}

/** What a starter's file of settings has, and the file that replaces it lacks. */
export function lostSettings(before: string, after: string): readonly string[] {
  const kept = new Set(settingsOf(after));
  return [...new Set(settingsOf(before))].filter((setting) => !kept.has(setting));
}
