import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';

/** The success criteria of WCAG 2.2, levels A and AA. */
const CRITERIA = {
  A: `1.1.1 1.2.1 1.2.2 1.2.3 1.3.1 1.3.2 1.3.3 1.4.1 1.4.2 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 2.4.1 2.4.2 2.4.3 2.4.4
    2.5.1 2.5.2 2.5.3 2.5.4 3.1.1 3.2.1 3.2.2 3.2.6 3.3.1 3.3.2 3.3.7 4.1.2`,
  AA: `1.2.4 1.2.5 1.3.4 1.3.5 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13 2.4.5 2.4.6 2.4.7 2.4.11 2.5.7 2.5.8 3.1.2
    3.2.3 3.2.4 3.3.3 3.3.4 3.3.8 4.1.3`,
};
/** EN 301 549 V3.2.1 has the criteria of WCAG 2.1. */
const NEW_IN_22 = new Set(['2.4.11', '2.5.7', '2.5.8', '3.2.6', '3.3.7', '3.3.8']);

const rows = readFileSync(join(ROOT, 'docs/accessibility.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d\.\d\.\d+ \|/u.test(line))
  .map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [, id = '', clause = '', level = '', , state = '', remarks = '', tests = ''] = cells;
    return {
      id,
      clause,
      level,
      state,
      remarks,
      tests: [...tests.matchAll(/`([^`]+)`/gu)].map(([, path = '']) => path),
    };
  });

describe('the page about accessibility', () => {
  it.each(['A', 'AA'] as const)('has every criterion of level %s once', (level) => {
    const named = rows.filter((row) => row.level === level).map(({ id }) => id);
    expect(named.sort()).toEqual(CRITERIA[level].split(/\s+/u).sort());
  });

  it.each(rows)('$id has its clause and a state, with tests that are there or a remark', (row) => {
    const { id, clause, state, remarks, tests } = row;
    expect(clause).toBe(NEW_IN_22.has(id) ? '-' : `9.${id}`);
    expect(['met', 'partly', 'not applicable']).toContain(state);
    expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    if (state === 'met') expect(tests.length).toBeGreaterThan(0);
    else expect(remarks).not.toBe('');
  });
});
