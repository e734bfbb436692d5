import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/root.mjs';

const THREATS = 201;
const PATH = /`([\w./-]+\/[\w.-]+\.(?:tsx?|mjs))`/gu;
const TEST = /\.(?:test|spec|contract|flow)\.tsx?$/u;

interface Row {
  readonly name: string;
  readonly defence: string;
  readonly tests: readonly string[];
}

const text = readFileSync(join(ROOT, 'docs/threat-model.md'), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => /^\| T\d{2,3} \|/u.test(line))
  .map((line): Row => {
    const [, name = '', , defence = '', tests = ''] = line.split('|').map((cell) => cell.trim());
    return { name, defence, tests: [...tests.matchAll(PATH)].map(([, path = '']) => path) };
  });

describe('the threat model', () => {
  it('lists every threat once, in order', () => {
    expect(rows.map(({ name }) => name)).toEqual(
      Array.from({ length: THREATS }, (_, index) => `T${String(index + 1).padStart(2, '0')}`),
    );
  });

  it.each(rows)('$name has a defence, and tests that are there', ({ defence, tests }) => {
    expect(defence).not.toBe('');
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((path) => !TEST.test(path) || !existsSync(join(ROOT, path)))).toEqual([]);
    expect(new Set(tests).size).toBe(tests.length);
  });
});
