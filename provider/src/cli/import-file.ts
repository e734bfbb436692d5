import { createReadStream, statSync } from 'node:fs';
import { parseJson } from '../../../src/domain/json.ts';
import { isRecord } from '../../../src/domain/shape.ts';
import { linesOf } from '../backup/format.ts';
import { keysOf, readImportLine } from '../operators/import-line.ts';
import type { Row } from '../operators/listing.ts';
import type { ManageOptions } from './manage-options.ts';
import type { Operating } from './operate.ts';
import { UsageError } from './usage-error.ts';

/** A request to a running server holds at most 64 kB. */
const BATCH_BYTES = 48_000;
const BATCH_LINES = 100;
const MOST_FAULTS = 20;

interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

async function* numberedLines(path: string): AsyncGenerator<NumberedLine> {
  let number = 0;
  try {
    // The decoder leaves out a byte order mark.
    for await (const line of linesOf(createReadStream(path), new TextDecoder('utf-8', { fatal: true }))) {
      number += 1;
      const text = line.trim();
      if (text !== '') yield { number, text };
    }
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not text in UTF-8' : (error as NodeJS.ErrnoException).code;
    throw new UsageError(`Cannot read ${path}: ${reason ?? ''}.`, { cause: error });
  }
}

/** A pipe has nothing left for the second reading, in which the users are made. */
function checkIsFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== false) return;
  throw new UsageError(`${path} is not a file. An import reads it twice, because it checks all lines first.`);
}

/** Checks every line before any is imported. @returns how many there are */
async function check(project: Operating['project'], path: string): Promise<number> {
  const faults: string[] = [];
  const lineOf = new Map<string, number>();
  let count = 0;
  for await (const { number, text } of numberedLines(path)) {
    count += 1;
    const value = parseJson(text);
    const read = readImportLine(project, value);
    if (Buffer.byteLength(text) > BATCH_BYTES) faults.push(`line ${number}: it has more than ${BATCH_BYTES} bytes`);
    else if ('wrong' in read)
      faults.push(`line ${number}: ${isRecord(value) ? read.wrong : 'it must be a JSON object'}`);
    else {
      for (const key of keysOf(read.line)) {
        const before = lineOf.get(key);
        const [field = ''] = key.split(' ');
        if (before !== undefined) faults.push(`line ${number}: ${field} is that of line ${before}`);
        lineOf.set(key, number);
      }
    }
    if (faults.length >= MOST_FAULTS) break;
  }
  if (faults.length > 0) throw new UsageError(`Nothing was imported. ${faults.join('\n')}`);
  return count;
}

/**
 * Imports a file of JSON lines: first all of them are checked, then each is imported whole or not at all. After an interruption the
 * same file can be given again: whoever exists already is left alone.
 */
export async function importFile(
  operating: Operating,
  options: ManageOptions,
  write: (text: string) => void,
): Promise<string> {
  const { fields, json } = options;
  const path = String(fields['file']);
  checkIsFile(path);
  const count = await check(operating.project, path);
  if (fields['dry_run'] === true) return json ? JSON.stringify({ lines: count }) : `${count} lines are in order.`;
  const totals = { imported: 0, exists: 0, refused: 0 };
  let batch: NumberedLine[] = [];
  let bytes = 0;
  const send = async (): Promise<void> => {
    if (batch.length === 0) return;
    const { rows } = await operating.run('users.import', { lines: batch.map(({ text }) => JSON.parse(text) as Row) });
    const results = (Array.isArray(rows) ? rows : []) as readonly Row[];
    for (const [index, { number }] of batch.entries()) {
      const { result, reason, user_id } = results[index] ?? { result: 'refused', reason: 'The server did not say.' };
      const kind = result === 'imported' || result === 'exists' ? result : 'refused';
      totals[kind] += 1;
      if (json) write(JSON.stringify({ line: number, result: kind, user_id, reason }));
      else if (kind === 'refused') write(`line ${number}: ${String(reason)}`);
    }
    batch = [];
    bytes = 0;
  };
  for await (const line of numberedLines(path)) {
    const size = Buffer.byteLength(line.text) + 1;
    if (batch.length >= BATCH_LINES || bytes + size > BATCH_BYTES) await send();
    batch.push(line);
    bytes += size;
  }
  await send();
  const said = `${totals.imported} imported, ${totals.exists} were there already, ${totals.refused} refused.`;
  if (totals.refused > 0) throw new UsageError(said);
  return json ? JSON.stringify(totals) : said;
}
