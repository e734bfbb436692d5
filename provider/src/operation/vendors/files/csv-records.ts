import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { CsvForm } from '../vendor.ts';
import type { FileRecord } from './json-records.ts';

type Row = readonly string[];

/** A quotation mark that is not closed must not fill the memory with the rest of the file. */
const MOST_CHARACTERS = 2_000_000;

const isBlank = (cells: Row): boolean => cells.every((cell) => cell === '');
const isSame = (row: Row, other: Row): boolean =>
  row.length === other.length && row.every((cell, at) => cell === other[at]);

/** Between the cells: what the first line has most of, because spreadsheets of some countries write semicolons, and databases tabs. */
export function delimiterIn(head: string): string {
  const line = head.trimStart().split('\n', 1)[0] ?? '';
  const count = (delimiter: string): number => line.split(delimiter).length;
  return [';', '\t'].find((each) => count(each) > count(',')) ?? ',';
}

/** Each row by the names of the columns. A row of another length may have its values in the wrong columns, so it is wrong. */
export async function* csvRecords(
  chunks: AsyncIterable<string>,
  form: CsvForm = {},
  delimiter = ',',
): AsyncGenerator<FileRecord> {
  let names: Row | null = null;
  let number = 0;
  const parser = parse({
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MOST_CHARACTERS,
  });
  const input = Readable.from(form.rewrite?.(chunks) ?? chunks);
  input.on('error', (error) => parser.destroy(error));
  try {
    for await (const cells of input.pipe(parser) as AsyncIterable<Row>) {
      const row: Row = cells;
      if (isBlank(row)) continue;
      const isHeader: boolean = form.isHeader?.(row) ?? names === null;
      if (isHeader || (names !== null && isSame(row, names))) {
        names = row.map((cell) => cell.trim());
        continue;
      }
      number += 1;
      names ??= form.columnsOf?.(row) ?? null;
      yield names === null ? { number, values: { [row[0] ?? '']: row[1] ?? '' } } : recordOf(number, row, names);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const place = 'a quotation mark is not closed, so neither this row nor those after it can be read';
    yield { number: number + 1, wrong: place };
  } finally {
    input.destroy();
  }
}

function recordOf(number: number, row: Row, names: Row): FileRecord {
  // A comma at the end makes one more.
  if (row.length < names.length || row.length > names.length + 1 || !isBlank(row.slice(names.length))) {
    return { number, wrong: `it has ${row.length} cells, and the header has ${names.length}` };
  }
  return { number, values: Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])) };
}
