import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/root.mjs';
import { allExamples, examplesOf, type Example } from './examples.ts';

mkdirSync(join(ROOT, '.cache'), { recursive: true });
/** Inside the repository, so that its names for the entries hold; ignored by git. */
const dir = mkdtempSync(join(ROOT, '.cache/docs-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const examples = allExamples();
const nameOf = ({ page, line, file, extension }: Example): string =>
  file ?? `${page.replaceAll(/\W+/gu, '-')}-line-${line}.${extension}`;

/** The pages make a client once; what follows goes on with it. */
function moduleOf({ source, file }: Example): string {
  const own = file !== null || /\b(?:const|let) client\b/u.test(source) || !/\bclient\b/u.test(source);
  const given = "import { PorticoClient as Given } from 'portico/headless';\ndeclare const client: Given;\n";
  return `${own ? '' : given}${source}\nexport {};\n`;
}

for (const example of examples) writeFileSync(join(dir, nameOf(example)), moduleOf(example));
writeFileSync(
  join(dir, 'tsconfig.json'),
  JSON.stringify({
    extends: '../../tsconfig.json',
    compilerOptions: { noUnusedLocals: false },
    include: ['*.ts', '*.tsx'],
  }),
);

describe('the examples of the documentation', () => {
  it('are found', () => {
    expect(examples.length).toBeGreaterThanOrEqual(15);
    expect(examples.some(({ page }) => page === 'README.md')).toBe(true);
    expect(new Set(examples.map(nameOf)).size).toBe(examples.length);
  });

  it('are read with their names and lines', () => {
    const page = 'Text\n\n```ts file=a.ts\nlet a;\n```\n\n```sh\nnpm start\n```\n```tsx\n<b/>;\n```\n';
    expect(examplesOf('p.md', page)).toEqual([
      { page: 'p.md', line: 3, file: 'a.ts', extension: 'ts', source: 'let a;\n' },
      { page: 'p.md', line: 10, file: null, extension: 'tsx', source: '<b/>;\n' },
    ]);
  });

  it('compile, all of them', () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    let said = '';
    try {
      execFileSync(process.execPath, [tsc, '-p', dir], { encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      said = (error as { stdout: string }).stdout;
    }
    expect(said).toBe('');
  }, 60_000);
});

it('the client in memory runs as the page says', async () => {
  await import(/* @vite-ignore */ pathToFileURL(join(dir, 'in-memory.ts')).href);
});

// The suites of the adapters' page declare their tests here.
const suites = examples.filter(({ file }) => file?.endsWith('.test.ts') === true);
for (const suite of suites) {
  describe(`${suite.page}, line ${suite.line}`, async () => {
    await import(/* @vite-ignore */ pathToFileURL(join(dir, nameOf(suite))).href);
  });
}

describe('the adapters of the documentation', () => {
  it('have suites that run', () => expect(suites.map(({ file }) => file)).toContain('prefixed-storage.test.ts'));
});
