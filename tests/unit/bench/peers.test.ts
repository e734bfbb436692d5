import { describe, expect, it } from 'vitest';
import { orderOf } from '../../../bench/peers/run.ts';
import { median, ratios, table, withTable, type Visit } from '../../../bench/peers/table.ts';

const visit = (visible: number, requests: number): Visit => ({
  visible,
  script: visible / 2,
  layout: visible / 4,
  requests,
  received: 100,
  receivedAtStart: 50,
  log: [],
});

/** The machine was twice as slow in the second round. */
const VISITS = new Map([
  ['base', [visit(100, 6), visit(200, 6), visit(100, 6)]],
  ['ours', [visit(50, 9), visit(100, 9), visit(60, 9)]],
]);

describe('the comparison with other clients', () => {
  it('takes the median of values in any order', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('compares within each round, so that a slow moment of the machine hits both', () => {
    expect(ratios(VISITS, 'ours', 'visible')).toEqual([0.5, 0.5, 0.6]);
  });

  it('shows times as ratios and counts as they are', () => {
    expect(table(VISITS)).toEqual([
      '|  | base | ours |',
      '| --- | --- | --- |',
      '| navigation to a visible field | 1.00 | 0.50 |',
      '| script time | 1.00 | 0.50 |',
      '| style and layout | 1.00 | 0.50 |',
      '| requests in 3 s | 6 | 9 |',
      '| received in 3 s | 100 KiB | 100 KiB |',
      '| of it before the field | 50 KiB | 50 KiB |',
    ]);
  });

  it('replaces the table between the markers of the readme, and nothing else', () => {
    const written = withTable('before\n<!-- peers -->\nold\n<!-- /peers -->\nafter\n', VISITS, 'Measured today.');
    expect(written).toMatch(/^before\n<!-- peers -->\n\nMeasured today\.\n\n\|[\s\S]*\|\n\n<!-- \/peers -->\nafter\n$/);
    expect(written).not.toContain('old');
    expect(() => withTable('no markers', VISITS, '')).toThrow('README.md has no place for the table');
  });

  it('visits every page once in each round, in another order', () => {
    const rounds = [0, 1, 2, 3].map((round) => orderOf(['a', 'b', 'c'], round).join(''));
    expect(rounds).toEqual(['abc', 'acb', 'cab', 'cba']);
  });
});
