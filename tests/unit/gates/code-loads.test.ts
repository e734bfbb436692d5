import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';

const SRC = join(ROOT, 'src');
/**
 * They run on servers and in tools. `script-parts` takes the place of every `import()` in the built script, so that it runs inside of
 * their `codeLoad`, and imports nothing.
 */
const ELSEWHERE = /^composition\/(?:server|tools|prerender|inspector|script-parts)\b/u;
/** What calls loaders: `later` and `lateTexts` do it by `codeLoad`. */
const COUNTING = /\b(?:codeLoad\(|(?:later|lateTexts)[(<])/u;
const LOADERS = /^\s*(?:\w+: )?(?:async )?\(\) => import\('[^']+'\)/u;

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/u.test(name) && !ELSEWHERE.test(name));

/** The lines with an `import()` for which virtual time would not wait. */
function uncounted(source: string): readonly string[] {
  const counts = COUNTING.test(source);
  const others = source.replaceAll(/\btypeof import\(|\bcodeLoad\(\s*import\(/gu, '');
  return others.split('\n').filter((line) => {
    if (/^\s*(?:\/\/|\/?\*)/u.test(line)) return false;
    return /\bimport\(/u.test(line) && !(counts && LOADERS.test(line));
  });
}

it('every import() of the client is counted by codeLoad, so that virtual time waits for it', () => {
  const found = sources.flatMap((name) =>
    uncounted(readFileSync(join(SRC, name), 'utf8')).map((line) => `${name}: ${line.trim()}`),
  );
  expect(sources.length).toBeGreaterThan(300);
  expect(found).toEqual([]);
});

it('the gate tells them apart', () => {
  expect(uncounted("const { a } = await import('./a.ts');")).toHaveLength(1);
  expect(uncounted("const { a } = await codeLoad(import('./a.ts'));")).toEqual([]);
  expect(uncounted("const { a } = await codeLoad(\n  import('./a.ts'),\n);")).toEqual([]);
  expect(uncounted("codeLoad(load());\nconst { a } = await import('./a.ts');")).toHaveLength(1);
  expect(uncounted("  login: () => import('./login.ts'),\n")).toHaveLength(1);
  expect(uncounted("lateTexts<Locale>({\n  de: () => import('./de.ts'),\n});")).toEqual([]);
  expect(uncounted("  login: () => import('./login.ts'),\n  codeLoad(load())")).toEqual([]);
});
