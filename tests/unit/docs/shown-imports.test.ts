import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { allExamples, examplesOf } from './examples.ts';
import { STARTER_OF, starterFiles } from './guide-files.ts';
import { importProblems } from './shown-imports.ts';

const examples = allExamples();
const PAGES = [...new Set(examples.map(({ page }) => page))];
/** Files that the guide's build writes, which the page says. */
const BUILT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/with-hono-at-the-edge.md': { 'build/page.js': 'export default script;' },
};
const problemsOf = (text: string, starter = {}) => importProblems(examplesOf('p.md', text), text, starter);
const block = (info: string, source: string): string => `\`\`\`${info}\n${source}\n\`\`\`\n`;

describe('A block of a guide imports only what the guide shows', () => {
  it.each(PAGES)('%s', (page) => {
    const starter = STARTER_OF[page];
    const own = examples.filter((example) => example.page === page);
    const text = readFileSync(join(ROOT, page), 'utf8');
    const built = BUILT[page] ?? {};
    for (const file of Object.keys(built)) expect(text).toContain(`writes \`${file}\``);
    const there = starter === undefined ? built : { ...starterFiles(starter), ...built };
    expect(importProblems(own, text, there)).toEqual([]);
  });

  const main = (line: string): string => block('ts from=examples/a/src/main.ts', line);

  it.each([
    ["import { a } from './b';", "'./b' is not shown"],
    ["import './b.css';", "'./b.css' is not shown"],
    ["export { a } from '../b.ts';", "'../b.ts' is not shown"],
    ["const b = await import('./b.ts');", "'./b.ts' is not shown"],
    ["import a, { b } from '#lib/b.ts';", "'#lib/b.ts' is not shown"],
    ["import {\n  a,\n  type B,\n} from '@/b';", "'@/b' is not shown"],
  ])('reports %j', (line, problem) => {
    expect(problemsOf(main(line))).toEqual([`p.md, line 1: ${problem}`]);
  });

  it.each(["import { a } from 'b';", "import b from 'b/c';", "const from = 'b'; // import './b'.slice()"])(
    'does not report %j',
    (line) => expect(problemsOf(main(line.replace("'./b'.slice()", 'b')))).toEqual([]),
  );

  it('reports a name that the shown part of a file does not export', () => {
    const shown = block(
      'ts from=examples/a/src/b.ts',
      'export const { a, x: c } = d;\nexport type { E as F };\nconst g = 1;',
    );
    const names = (line: string) =>
      problemsOf(main(line) + shown).map((problem) => problem.replace(/.* without /u, ''));
    expect(names("import { a, c, type F as H } from './b.ts';")).toEqual([]);
    expect(names("import { g, E } from './b.js';")).toEqual(['g', 'E']);
    expect(names("import b from './b';")).toEqual(['default']);
    expect(names("import * as b from './b';")).toEqual([]);
  });

  it('knows the files of the starter, other endings, aliases that the page names, and no file of another app', () => {
    expect(problemsOf(main("import '../app/globals.css';"), { 'app/globals.css': '' })).toEqual([]);
    expect(problemsOf(main("import './c';") + block('tsx from=examples/a/src/c.tsx', '1;'))).toEqual([]);
    const alias = 'The package.json has `"#lib/*": "./src/lib/*"`.\n';
    const lib = block('js from=examples/a/src/lib/c.js', 'export const c = 1;');
    expect(problemsOf(`${main("import { c } from '#lib/c.js';")}${alias}${lib}`)).toEqual([]);
    const other = block('ts from=examples/b/src/c.ts', '1;');
    expect(problemsOf(main("import './c';") + other)).toEqual(["p.md, line 1: './c' is not shown"]);
  });
});
