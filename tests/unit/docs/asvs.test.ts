import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';

/** How many requirements of levels 1 and 2 each section of the standard has, from the first one on. */
const SECTIONS: Readonly<Record<string, number>> = {
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
};
const TEST = /\.(?:test|spec|contract|flow)\.tsx?$/u;

const rows = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+ \|/u.test(line))
  .map((line) => {
    const [, id = '', level = '', , state = '', remarks = '', tests = ''] = line.split('|').map((cell) => cell.trim());
    return { id, level, state, remarks, tests: [...tests.matchAll(/`([^`]+)`/gu)].map(([, path = '']) => path) };
  });

describe('the page about OWASP ASVS', () => {
  it('has every requirement of levels 1 and 2 once, in order', () => {
    const all = Object.entries(SECTIONS).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, place) => `${section}.${place + 1}`),
    );
    expect(rows.map(({ id }) => id)).toEqual(all);
    expect(rows.filter(({ level }) => level !== '1' && level !== '2')).toEqual([]);
  });

  it.each(rows)('$id has a state, with tests that are there or a remark', ({ state, remarks, tests }) => {
    expect(['met', 'departs', 'not met', 'not applicable']).toContain(state);
    expect(tests.filter((path) => !TEST.test(path) || !existsSync(join(ROOT, path)))).toEqual([]);
    expect(new Set(tests).size).toBe(tests.length);
    if (state === 'met' || state === 'departs') expect(tests.length).toBeGreaterThan(0);
    if (state !== 'met') expect(remarks).not.toBe('');
  });
});
