import { createReadStream, statSync } from 'node:fs';
import { linesOf } from '../backup/format.ts';
import {
  lineChecker,
  linesText,
  MOST_FAULTS,
  numberedLine,
  totalsText,
  type NumberedLine,
} from '../operators/users/import-lines.ts';
import type { Row } from '../operators/desk/listing.ts';
import type { ActionRunner } from './operate.ts';
import type { OperatorRequest } from './requests.ts';
import { UsageError } from '../../base/usage-error.ts';

/** Each batch is one transaction. */
const BATCH_LINES = 1_000;
/** The number of simultaneous batches. No two lines of a file have the same id or address, so none waits for another. */
const AT_ONCE = 2;

interface SentLines {
  readonly lines: readonly NumberedLine[];
  readonly answer: ReturnType<ActionRunner['run']>;
}

async function* linesIn(path: string): AsyncGenerator<NumberedLine> {
  let number = 0;
  try {
    for await (const line of linesOf(createReadStream(path), new TextDecoder('utf-8', { fatal: true }))) {
      number += 1;
      const numbered = numberedLine(number, line);
      if (numbered !== null) yield numbered;
    }
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not text in UTF-8' : (error as NodeJS.ErrnoException).code;
    throw new UsageError(`Cannot read ${path}: ${reason ?? ''}.`, { cause: error });
  }
}

/** Refuses a pipe: the file is read twice, and a pipe would be empty the second time. */
function checkIsFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== false) return;
  throw new UsageError(`${path} is not a file. An import reads it twice, because it checks all lines first.`);
}

const FORMAT =
  'Each line must be the JSON object of one user, such as {"emails":[{"email":"ada@example.com","verified":true}]}: ' +
  'see docs/people.md of the package portico, "Importing and exporting users". A table (CSV) or a JSON array must be converted first.';

/** Checks every line before any is imported. @returns the number of lines */
async function check(project: ActionRunner['project'], path: string, signal: AbortSignal): Promise<number> {
  const faults: string[] = [];
  const faultsIn = lineChecker(project);
  let count = 0;
  for await (const line of linesIn(path)) {
    if (signal.aborted) throw new UsageError('Interrupted while the lines were checked. Nothing was imported.');
    count += 1;
    if (count === 1 && !line.text.startsWith('{')) {
      throw new UsageError(`Nothing was imported. Line ${line.number} of ${path} is not JSON of a user. ${FORMAT}`);
    }
    faults.push(...faultsIn(line));
    if (faults.length >= MOST_FAULTS) break;
  }
  if (faults.length > 0) throw new UsageError(`Nothing was imported. ${faults.join('\n')}`);
  if (count === 0) throw new UsageError(`Nothing was imported. ${path} has no line with a user. ${FORMAT}`);
  return count;
}

const REPEATED = 'Users who are there already do not change.';

/**
 * Imports a file of JSON lines. First all of them are checked, then each is imported completely or not at all. After an interruption the
 * same file can be used again: existing users are not changed.
 *
 * @param signal ends the import after the batches under way
 */
export async function importFile(
  operating: ActionRunner,
  options: Pick<OperatorRequest, 'fields' | 'json'>,
  write: (text: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const { fields, json } = options;
  const path = String(fields['file']);
  checkIsFile(path);
  const count = await check(operating.project, path, signal);
  if (fields['dry_run'] === true) return json ? JSON.stringify({ lines: count }) : `${linesText(count)} in order.`;
  const totals = { imported: 0, exists: 0, refused: 0 };
  const underWay: SentLines[] = [];
  let batch: NumberedLine[] = [];
  let bytes = 0;
  const settle = async (): Promise<void> => {
    const submission = underWay.shift();
    if (submission === undefined) return;
    const { rows } = await submission.answer;
    const results = (Array.isArray(rows) ? rows : []) as readonly Row[];
    for (const [index, { number }] of submission.lines.entries()) {
      const { result, reason, user_id } = results[index] ?? { result: 'refused', reason: 'The server gave no reason.' };
      const kind = result === 'imported' || result === 'exists' ? result : 'refused';
      totals[kind] += 1;
      if (json) write(JSON.stringify({ line: number, result: kind, user_id, reason }));
      else if (kind === 'refused') write(`line ${number}: ${String(reason)}`);
    }
  };
  const send = async (): Promise<void> => {
    if (batch.length === 0) return;
    const answer = operating.run('users.import', { lines: batch.map(({ text }) => JSON.parse(text) as Row) });
    // Reports the error of the first batch that failed.
    answer.catch(() => undefined);
    underWay.push({ lines: batch, answer });
    batch = [];
    bytes = 0;
    if (underWay.length >= AT_ONCE) await settle();
  };
  for await (const line of linesIn(path)) {
    if (signal.aborted) break;
    const size = Buffer.byteLength(line.text) + 1;
    if (batch.length >= BATCH_LINES || bytes + size > operating.mostBytes) await send();
    batch.push(line);
    bytes += size;
  }
  if (!signal.aborted) await send();
  while (underWay.length > 0) await settle();
  const summary = totalsText(totals);
  const remainder = count - totals.imported - totals.exists - totals.refused;
  if (signal.aborted && remainder > 0) {
    throw new UsageError(
      `Interrupted. ${summary} ${linesText(remainder)} left: give the same file again to go on. ${REPEATED}`,
    );
  }
  if (totals.refused > 0) throw new UsageError(summary);
  return json ? JSON.stringify(totals) : summary;
}
