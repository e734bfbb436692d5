import { describe, expect, it } from 'vitest';
import { readImporters, reaching } from '#scripts/lib/imports.ts';
import { missingPrograms } from '#scripts/lib/programs.ts';
import { removedTexts, soakFiles, soakFilesOf } from '#scripts/lib/soak-files.ts';
import { oneOf, SOAK } from '../../soak.ts';
import { listedIf } from '../../soak-tests.ts';

const COLUMNS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

listedIf(!SOAK, describe)('the cases of every run, which a soak plays whole', () => {
  it('are the first of a list, and each nth after it', () => {
    expect(oneOf(3, COLUMNS)).toEqual(['a', 'd', 'g']);
    expect(oneOf(3, ['a'])).toEqual(['a']);
    expect(oneOf(3, [])).toEqual([]);
  });

  it.each([1, 2, 3, 7, 9])('have each row and each column of a matrix, where a row plays one column of %i', (nth) => {
    const rows = Array.from({ length: nth }, (_, place) => oneOf(nth, COLUMNS, place));
    expect(rows.filter((row) => row.length === 0)).toEqual([]);
    expect([...new Set(rows.flat())].sort()).toEqual(COLUMNS);
    // Any rows that follow each other, not the first ones alone.
    const later = Array.from({ length: nth }, (_, place) => oneOf(nth, COLUMNS, place + 5));
    expect([...new Set(later.flat())].sort()).toEqual(COLUMNS);
  });
});

describe('the files of the soak tests', () => {
  const importers = readImporters();
  const { units, specs } = soakFiles(importers);

  it('are those that read the switch, directly or by a kit, and browser tests with a tag', () => {
    expect(units).toContain('provider/tests/db/kills.soak.test.ts');
    // By the matrix of its kit.
    expect(units).toContain('tests/contract/flows/provider.test.ts');
    expect(units).toContain('tests/unit/presentation/screens.dom.test.tsx');
    // By another project of Vitest.
    expect(units).toContain('tests/unit/presentation/borders.dom.test.ts');
    expect(units).not.toContain('tests/unit/gates/circles.test.ts');
    expect(specs).toContain('tests/e2e/playground.spec.ts');
    expect(specs).toContain('tests/webkit/login.spec.ts');
  });

  it('of a change import a changed file, the nearest first, or look for a text that it removed', () => {
    const files = ['src/domain/contacts/email.ts'];
    const { units: concerned } = soakFilesOf({ files, removedTexts: [] }, importers);
    const near = reaching(files, importers);
    expect(concerned).toEqual([...near].filter((file) => units.includes(file)));
    expect(concerned.length).toBeGreaterThan(0);
    const removed = ['Check your email to set a new password'];
    expect(soakFilesOf({ files: [], removedTexts: removed }, importers).specs).toContain('tests/e2e/passwords.spec.ts');
  });

  it('are found by the texts that a change took away, not by those that it moved', () => {
    const diff = [
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      "-  gone: 'Check your mail again',",
      "-  moved: 'Enter your passcode',",
      "+  other: 'Enter your passcode',",
      "-import { a } from './a/long/path.ts';",
    ];
    expect(removedTexts(diff.join('\n'))).toEqual(['Check your mail again']);
  });
});

it('a program that is not installed is one line of the report', () => {
  for (const line of missingPrograms()) expect(line).toMatch(/^Not installed: [^\n]+, for [^\n]+$/u);
});
