/** The results of the visits, as a table of ratios to the first page. */
import type { Times } from './timed-visit.ts';
import type { Counts } from './visit.ts';

export interface Visit extends Times, Counts {}

export type Visits = ReadonlyMap<string, readonly Visit[]>;
type Measure = Exclude<keyof Visit, 'log'>;

/** The quantile of sorted values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [below = NaN, above = below] = sorted.slice(Math.floor(at));
  return below + (above - below) * (at % 1);
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

const ROWS: readonly { readonly measure: Measure; readonly says: string; readonly unit?: string }[] = [
  { measure: 'visible', says: 'navigation to a visible field' },
  { measure: 'script', says: 'script time' },
  { measure: 'layout', says: 'style and layout' },
  { measure: 'requests', says: 'requests in 3 s', unit: '' },
  { measure: 'received', says: 'received in 3 s', unit: ' KiB' },
  { measure: 'receivedAtStart', says: 'of it before the field', unit: ' KiB' },
];

const of = (visits: readonly Visit[], measure: Measure): number[] => visits.map((visit) => visit[measure]);

/** The ratio to the base in each round, for pages that were visited in the same rounds. */
export function ratios(visits: Visits, name: string, measure: Measure): number[] {
  const [base = []] = visits.values();
  return of(visits.get(name) ?? [], measure).map((value, round) => value / (base[round]?.[measure] ?? NaN));
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Counts are absolute. Times are ratios, because absolute times are specific to one machine. */
export function table(visits: Visits): string[] {
  const names = [...visits.keys()];
  const cell = ({ measure, unit }: (typeof ROWS)[number], name: string): string =>
    unit === undefined
      ? median(ratios(visits, name, measure)).toFixed(2)
      : `${Math.round(median(of(visits.get(name) ?? [], measure)))}${unit}`;
  return [
    line(['', ...names]),
    line(['---', ...names.map(() => '---')]),
    ...ROWS.map((row) => line([row.says, ...names.map((name) => cell(row, name))])),
  ];
}

/** The times behind the ratios, and the range of the middle half of the rounds' ratios. */
export function details(visits: Visits): string[] {
  const lines: string[] = [];
  for (const name of visits.keys()) {
    for (const measure of ['visible', 'script', 'layout'] as const) {
      const at = (share: number): string => quantile(ratios(visits, name, measure), share).toFixed(2);
      const time = median(of(visits.get(name) ?? [], measure)).toFixed(0);
      lines.push(`  ${name}, ${measure}: ${time} ms; ratio ${at(0.25)} to ${at(0.75)}, least ${at(0)}, most ${at(1)}`);
    }
  }
  return lines;
}

/** The sentence above the table. `conditions` describe the machine and the network. */
export function saidOf(visits: Visits, date: string, conditions: string): string {
  const [base = []] = visits.values();
  const seconds = (median(of(base, 'visible')) / 1_000).toFixed(1);
  return `Measured on ${date}, ${base.length} rounds in Chromium with ${conditions}. Times are ratios to the first column, whose field shows after ${seconds} s.`;
}

const SECTION = /(?<=<!-- peers -->\n)[\s\S]*?(?=<!-- \/peers -->)/;

/** The readme with the table between its markers. */
export function withTable(readme: string, visits: Visits, said: string): string {
  if (!SECTION.test(readme)) throw new Error('README.md has no place for the table: <!-- peers --> … <!-- /peers -->');
  return readme.replace(SECTION, () => `\n${said}\n\n${table(visits).join('\n')}\n\n`);
}
