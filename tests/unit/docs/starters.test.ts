import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { ensureBuilt } from '#scripts/lib/steps.ts';
import { allExamples, partProblem } from './examples.ts';
import { appAfter, appOf, fileNameOf, lostSettings, STARTER_OF, starterFiles, type Files } from './guide-files.ts';
import { listedIf } from '../../soak-tests.ts';

mkdirSync(join(ROOT, '.cache'), { recursive: true });
/** Inside the repository, whose packages an app finds in the folders above. */
const dir = mkdtempSync(join(ROOT, '.cache/starters-'));
beforeAll(async () => ensureBuilt(['types'], () => undefined));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What each framework writes before it checks types. */
const GENERATED: Readonly<Record<string, Files>> = {
  next: {
    'next-env.d.ts': '/// <reference types="next" />\n/// <reference types="next/image-types/global" />\n',
  },
};

/** TypeScript's messages for an app, checked as its own build does. */
function typeProblems(name: string, files: Files): string {
  const folder = join(dir, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules/portico'));
  try {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const project = 'tsconfig.app.json' in files ? ['-b'] : ['-p', '.'];
    execFileSync(process.execPath, [tsc, ...project, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
    return '';
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

/** What an example has beside the files that its guide shows: its starter has others. */
const OF_THE_STARTER =
  /^(?:README\.md|package(?:-lock)?\.json|tsconfig\.json|index\.html|vite\.config\.ts|src\/(?:(?:main|components\.d)\.ts|index\.tsx)|app\/(?:icon\.svg|globals\.css)|next\.config\.ts)$/u;

/** TypeScript itself does not read the components of the others. */
const isReact = (starter: string): boolean => ['next', 'vite-react'].includes(starter);

describe.each(Object.entries(STARTER_OF))('%s, in the starter %s', (page, starter) => {
  listedIf(isReact(starter), it)('compiles as the starter checks types', () => {
    const files = { ...GENERATED[starter], ...appAfter(page) };
    expect(typeProblems(page.replaceAll(/\W+/gu, '-'), files)).toBe('');
  });

  it('takes nothing away that the starter has set', () => {
    const after = appAfter(page);
    const lost = Object.entries(starterFiles(starter))
      .filter(([file]) => /^[\w.]+\.config\.\w+$/u.test(file))
      .map(([file, text]) => [file, lostSettings(text, after[file] ?? '')]);
    expect(lost).toEqual(lost.map(([file]) => [file, []]));
    expect(lost).not.toEqual([]);
  });

  it('shows whole files, and each of its example', () => {
    const shown = allExamples().filter((example) => example.page === page && example.from !== null);
    for (const example of shown) {
      const text = readFileSync(join(ROOT, example.from ?? ''), 'utf8');
      expect([example.from, partProblem(example, text), example.source.length]).toEqual([
        example.from,
        null,
        text.length,
      ]);
    }
    for (const app of new Set(shown.map(appOf))) {
      const all = readdirSync(join(ROOT, 'examples', app), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/node_modules|\.next|\/public\//u.test(entry.parentPath))
        .map((entry) => join(entry.parentPath, entry.name).replace(`${join(ROOT, 'examples', app)}/`, ''));
      const names = new Set(shown.map(fileNameOf));
      expect(all.filter((name) => !names.has(name) && !OF_THE_STARTER.test(name))).toEqual([]);
    }
  });
});

describe('The starter of Next', () => {
  it('loses Tailwind if a guide replaces its settings', () => {
    const shown = 'const config: NextConfig = { cacheComponents: true, partialPrefetching: true };';
    const lost = lostSettings(starterFiles('next')['next.config.ts'] ?? '', shown);
    expect(lost).toEqual(['next', 'turbopack', 'rules', '*.css', 'loaders', '@tailwindcss/turbopack', 'as']);
  });

  it('is built without Tailwind, and differs in nothing else that the guide keeps', () => {
    const plain = starterFiles('next-without-tailwind');
    expect(lostSettings(plain['next.config.ts'] ?? '', starterFiles('next')['next.config.ts'] ?? '')).toEqual([]);
    expect(plain['tsconfig.json']).toBe(starterFiles('next')['tsconfig.json']);
  });

  it('compiles no import that ends in .ts', () => {
    const page = 'docs/with-next.md';
    const files = { ...GENERATED['next'], ...appAfter(page), 'lib/wrong.ts': "export * from './notes.ts';\n" };
    expect(typeProblems('wrong', files)).toMatch(/^lib\/wrong\.ts.*TS5097/u);
  });
});

describe('The ten steps', () => {
  const text = readFileSync(join(ROOT, 'docs/getting-started.md'), 'utf8');
  const headings = [...text.matchAll(/^## (.+)$/gmu)].map(([, title = '']) => title);

  it('are ten, and the first headings of their page', () => {
    const numbers = headings.slice(0, 11).map((title) => /^(\d+)\. /u.exec(title)?.[1] ?? '');
    expect(numbers).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '']);
  });

  it('name each file before its block, and run each file that they show', () => {
    const files = allExamples().filter(({ page, path }) => page === 'docs/getting-started.md' && path !== null);
    expect(files.map(({ path }) => path)).toContain('.env');
    for (const { path } of files) expect(text).toMatch(new RegExp(`^\`${path}\`:\n\n\`\`\`\\w+ path=${path}$`, 'mu'));
    expect(text).toContain('\nnode --env-file=.env server.js\n');
  });
});

describe('The commands that make an app', () => {
  it('ask nothing, so that they also run without a terminal', () => {
    const lines = allExamples().flatMap(({ language, source }) => (language === 'sh' ? source.split('\n') : []));
    const commands = lines.filter((line) => /^np[mx] create[ -]/u.test(line));
    expect(commands).toHaveLength(6);
    expect(commands.filter((line) => !line.includes(' --yes'))).toEqual([]);
  });
});
