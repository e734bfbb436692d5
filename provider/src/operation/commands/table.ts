import type { Row } from '../operators/desk/listing.ts';

const WIDEST = 60;

/** A value on one line, without characters that move a terminal's cursor or change its colours. */
function cell(value: unknown): string {
  const text =
    value === null || value === undefined || value === ''
      ? '-'
      : Array.isArray(value)
        ? value.map(cell).join(', ') || '-'
        : typeof value === 'object'
          ? JSON.stringify(value)
          : `${value as string | number | boolean}`;
  const plain = lineText(text);
  return plain.length > WIDEST ? `${plain.slice(0, WIDEST - 1)}…` : plain;
}

/** The text on one line, without characters that move a terminal's cursor or change its colours. */
export const lineText = (text: string): string => text.replaceAll(/\p{C}/gu, '�');

/** Rows as a table with a header and aligned columns. */
export function tableText(columns: readonly string[], rows: readonly Row[]): string {
  const cells = [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
