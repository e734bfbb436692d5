import { createReadStream, statSync } from 'node:fs';
import { emailKey } from '../../../../server-rules/accounts.ts';
import { isStorable } from '../../../../server-rules/request-body.ts';
import { parseJson } from '../../../../src/domain/json.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { withHashDefaults, type HashDefaults } from '../../accounts/account/hash-defaults.ts';
import type { ImportedUser } from '../../accounts/account/import-line.ts';
import { isOfMigrated } from '../../accounts/passwords/stored.ts';
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
import { askPassword } from './ask-password.ts';
import { hashDefaultsFrom } from './hash-options.ts';
import type { ActionRunner } from './operate.ts';
import type { OperatorRequest } from './requests.ts';
import { UsageError } from '../../base/usage-error.ts';

/** A batch is a transaction. */
const BATCH_LINES = 1_000;
/** The batches that are under way at the same time. No two lines of a file have the same id or address, so that none waits for another. */
const AT_ONCE = 2;

interface ImportSource {
  readonly path: string;
  readonly defaults: HashDefaults;
}

interface SentLines {
  readonly lines: readonly NumberedLine[];
  readonly answer: ReturnType<ActionRunner['run']>;
}

async function* linesIn({ path, defaults }: ImportSource): AsyncGenerator<NumberedLine> {
  let number = 0;
  try {
    for await (const line of linesOf(createReadStream(path), new TextDecoder('utf-8', { fatal: true }))) {
      number += 1;
      const numbered = numberedLine(number, line);
      if (numbered !== null) yield { ...numbered, text: withDefaults(numbered.text, defaults) };
    }
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not text in UTF-8' : (error as NodeJS.ErrnoException).code;
    throw new UsageError(`Cannot read ${path}: ${reason ?? ''}.`, { cause: error });
  }
}

/** The JSON of a line with what the options say about all hashes. */
function withDefaults(text: string, defaults: HashDefaults): string {
  if (Object.values(defaults).every((value) => value === undefined)) return text;
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(withHashDefaults(value, defaults));
}

/** A pipe has nothing left for the second reading, in which the users are made. */
function checkIsFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== false) return;
  throw new UsageError(`${path} is not a file. An import reads it twice, because it checks all lines first.`);
}

const FORMAT =
  'Each line must be the JSON object of one user, such as {"emails":[{"email":"ada@example.com","verified":true}]}: ' +
  'see docs/people.md of the package portico, "Importing and exporting users". A table (CSV) or a JSON array must be converted first.';

/** Checks every line before any is imported. @returns how many there are */
async function check(
  project: ActionRunner['project'],
  source: ImportSource,
  signal: AbortSignal,
  visit: (user: ImportedUser, number: number) => void,
): Promise<number> {
  const { path } = source;
  const faults: string[] = [];
  const faultsIn = lineChecker(project, visit);
  let count = 0;
  for await (const line of linesIn(source)) {
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

interface TriedLine {
  readonly number: number;
  readonly password: ImportedUser['password'];
}

/** Compares a password that the operator knows with the hash of its line: a wrong key of the project looks like a right one. */
async function tryPassword(address: string, line: TriedLine | null, ask: typeof askPassword): Promise<void> {
  if (line === null) throw new UsageError(`Nothing was imported. No line has the address of --try, ${address}.`);
  const { number, password } = line;
  const place = `Nothing was imported. line ${number}`;
  if (password === null || password.hash === null) throw new UsageError(`${place}: it has no password to try.`);
  const entered = await ask(`Password of ${address}: `);
  if (!isStorable(entered)) throw new UsageError(`${place}: a password must be Unicode without NUL.`);
  const isRight = await isOfMigrated(password.hash, entered).catch((error: unknown) => {
    if (error instanceof Refusal) throw new UsageError(`${place}: ${error.message}`, { cause: error });
    throw error;
  });
  if (isRight) return;
  throw new UsageError(
    `${place}: password.hash is not that of the entered password. Check the password first. Else the hash, its salt, its hash_type ` +
      'or the parameters of the project (--firebase-config) are of something else: nobody of this file could log in.',
  );
}

const REPEATED = 'Users who are there already do not change.';

/**
 * Imports a file of JSON lines: first all of them are checked, then each is imported whole or not at all. After an interruption the
 * same file can be given again: users who exist already are left alone.
 *
 * @param signal ends the import after the batches under way
 */
export async function importFile(
  operating: ActionRunner,
  options: Pick<OperatorRequest, 'fields' | 'json'>,
  write: (text: string) => void,
  signal: AbortSignal,
  ask = askPassword,
): Promise<string> {
  const { fields, json } = options;
  const path = String(fields['file']);
  checkIsFile(path);
  const source = { path, defaults: hashDefaultsFrom(fields) };
  const address = fields['try'];
  let tried: TriedLine | null = null;
  const count = await check(operating.project, source, signal, ({ emails, password }, number) => {
    const isTried = typeof address === 'string' && emails.some(({ email }) => emailKey(email) === emailKey(address));
    if (isTried) tried = { number, password };
  });
  if (typeof address === 'string') {
    await tryPassword(address, tried, ask);
    write(json ? JSON.stringify({ tried: address }) : `The password of ${address} is that of its line.`);
  }
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
    // The error is that of the first batch that failed.
    answer.catch(() => undefined);
    underWay.push({ lines: batch, answer });
    batch = [];
    bytes = 0;
    if (underWay.length >= AT_ONCE) await settle();
  };
  for await (const line of linesIn(source)) {
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
