import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saidOf, type Visit } from '../../../bench/peers/table.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { barsOf, factsOf, peersMarkup, peerTable } from '#scripts/vite/bench-facts.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const SAMPLE = `Words.
<!-- peers -->

Measured on 2026-01-02, 3 rounds in Chromium with nothing cached. Times are ratios to the first column.

|  | other <b> 1.2.3 | standalone | React host |
| --- | --- | --- | --- |
| navigation to a visible field | 1.00 | 0.50 | 1.25 |
| of it before the field | 90 KiB | 40 KiB | 120 KiB |

<!-- /peers -->
`;

describe('the numbers of the front page', () => {
  it('are those of the table, Portico first and the least first', () => {
    const table = peerTable(SAMPLE);
    expect(barsOf(table, 'navigation to a visible field').map(({ name, text }) => `${name} ${text}`)).toEqual([
      'Portico, standalone 0.50',
      'Portico, React host 1.25',
      'other <b> 1.2.3 1.00',
    ]);
    expect(factsOf(table, { standalone: { KiB: 7 } })).toEqual({
      start: '7 KiB',
      faster: '2.0×',
      base: 'other <b> 1.2.3',
    });
  });

  it('are told with their day and how they were measured, and names are text', () => {
    const markup = peersMarkup(peerTable(SAMPLE));
    expect(markup).toContain('<time datetime="2026-01-02">January 2, 2026</time>');
    expect(markup).toContain('3 rounds in Chromium with nothing cached.');
    expect(markup).toContain('<rect width="40.0"');
    expect(markup).toContain('other &#60;b&#62; 1.2.3');
    expect(markup).not.toContain('<b> 1');
  });

  it('have seconds beside the ratios where the bench wrote those of the first column', () => {
    expect(peersMarkup(peerTable(SAMPLE))).toContain('<b>0.50×</b>');
    const visits = new Map([
      ['a peer', [{ visible: 3_140 }, { visible: 3_000 }, { visible: 4_000 }] as unknown as Visit[]],
    ]);
    const said = saidOf(visits, '2026-01-02', 'nothing cached');
    expect(said).toBe(
      'Measured on 2026-01-02, 3 rounds in Chromium with nothing cached. Times are ratios to the first column, whose field shows after 3.1 s.',
    );
    const written = peersMarkup(peerTable(SAMPLE.replace(/^Measured .*$/mu, said)));
    expect(written).toContain('<b>1.6 s, 0.50×</b>');
    expect(written).toContain('<b>3.9 s, 1.25×</b>');
  });

  it('are in the readme of today', () => {
    const table = peerTable(README);
    expect(table.rows.length).toBeGreaterThanOrEqual(6);
    expect(peersMarkup(table)).toContain(table.date);
  });

  it('are refused where the table is not what it was', () => {
    const broken = ['', SAMPLE.replace('Measured on 2026-01-02', 'Soon'), SAMPLE.replace('| 0.50 ', '')];
    for (const readme of broken) expect(() => peerTable(readme)).toThrow('README.md has no table');
    const renamed = peerTable(SAMPLE.replace('visible field', 'field'));
    expect(() => peersMarkup(renamed)).toThrow('has no row "navigation to a visible field"');
    expect(() => peersMarkup(peerTable(SAMPLE.replace('0.50', 'soon')))).toThrow('a cell that is no number');
  });
});
