import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FRAMEWORK_NAMES, frameworkOf, type FrameworkName } from '#composition/tools/init/frameworks.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { starterFiles, type StarterName } from '../../docs/guide-files.ts';
import { freshApp } from './fresh-app.ts';

/** The starters of each framework for which `init` writes files, and the packages that people add to them. */
const STARTERS: Readonly<Partial<Record<FrameworkName, readonly StarterName[]>>> = {
  react: ['vite-react', 'vite-react-js'],
  vue: ['vite-vue', 'vite-vue-js'],
  svelte: ['vite-svelte', 'vite-svelte-js'],
  solid: ['vite-solid', 'vite-solid-js'],
  next: ['next', 'next-without-tailwind'],
  'react-router': ['vite-react', 'vite-react-js'],
  express: ['express'],
  hono: ['hono'],
  fastify: ['fastify'],
  nest: ['nest'],
};

const specs = readdirSync(join(ROOT, 'tests/examples'))
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => readFileSync(join(ROOT, 'tests/examples', name), 'utf8'))
  .join('\n');

const rows = Object.entries(STARTERS).flatMap(([name, starters]) =>
  starters.map((starter) => [name, starter] as const),
);

describe('the starters of init', () => {
  it('are of all frameworks for which it writes files', () => {
    const written = FRAMEWORK_NAMES.filter((name) => frameworkOf(name).recipe !== undefined);
    expect(written.sort()).toEqual(Object.keys(STARTERS).sort());
  });

  it.each(rows)('%s: %s has a login after it, and a second run changes nothing', async (name, starter) => {
    const files = starterFiles(starter);
    const manifest = JSON.parse(files['package.json'] ?? '{}') as { readonly dependencies?: object };
    const packages = name === 'react-router' ? { portico: '*', 'react-router': '*' } : { portico: '*' };
    const dependencies = { ...manifest.dependencies, ...packages };
    const all = { ...files, 'package.json': JSON.stringify({ ...manifest, dependencies }) };
    const app = freshApp(all);
    const { said: first } = await app.init([]);
    const kept = [...first.matchAll(/^ {2}kept {6}(\S+)/gmu)].map(([, file = '']) => file);
    expect(kept).not.toEqual([]);
    for (const [file, text] of Object.entries(all)) expect(app.read(file)).toBe(text);
    expect(await app.init(kept.flatMap((file) => ['--replace', file]))).toMatchObject({ status: 0 });
    const { status, said } = await app.init([]);
    expect([status, /^ {2}(?:written|changed|kept)/mu.exec(said)?.[0]]).toEqual([0, undefined]);
  });

  // The other starter of Next needs Tailwind, which is not installed here.
  it.each(rows.filter(([, starter]) => starter !== 'next'))(
    '%s: %s is built, and signs somebody in',
    (_name, starter) => {
      expect(specs).toMatch(new RegExp(`(?:describeFresh\\w+|startFresh)\\('${starter}',`, 'u'));
    },
  );
});
