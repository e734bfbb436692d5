import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, describe, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';

const TEST = /^`([\w./-]+\.(?:test|spec|contract|flow)\.tsx?)` "([^"]+)"$/u;

interface Row {
  readonly elsewhere: string;
  readonly here: string;
  readonly test: string;
}

const rows = readFileSync(join(ROOT, 'tests/bug-reports.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| elsewhere |'))
  .map((line): Row => {
    const [, elsewhere = '', here = '', test = ''] = line.split('|').map((cell) => cell.trim());
    return { elsewhere, here, test };
  });

/** What is wrong with the test of a row; null if nothing is. */
function problemOf(test: string): string | null {
  const [, path, title = ''] = TEST.exec(test) ?? [];
  if (path === undefined) return 'is no file and title';
  if (!existsSync(join(ROOT, path))) return 'is in no file of this repository';
  // As the first words of a string.
  const source = readFileSync(join(ROOT, path), 'utf8');
  return ['"', "'", '`', '} '].some((before) => source.includes(before + title)) ? null : 'is no title of its file';
}

describe('the list of bugs of other products', () => {
  it.each(rows)('has what happens here, and a test that exists: $elsewhere', ({ elsewhere, here, test }) => {
    expect(elsewhere).not.toBe('');
    expect(here).not.toBe('');
    expect(problemOf(test)).toBe(null);
  });

  it('names each bug once', () => {
    const names = rows.map(({ elsewhere }) => elsewhere);
    expect(names.length).toBeGreaterThan(40);
    expect(names).toEqual([...new Set(names)]);
  });

  it('is checked', () => {
    expect(problemOf('`tests/unit/docs/bug-reports.test.ts` "names each bug once"')).toBe(null);
    expect(problemOf('`tests/unit/docs/sizes.test.ts` "names no bug"')).toBe('is no title of its file');
    expect(problemOf('`tests/unit/docs/gone.test.ts` "names"')).toBe('is in no file of this repository');
    expect(problemOf('`tests/unit/docs/gone.ts`')).toBe('is no file and title');
  });
});
