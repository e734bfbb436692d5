import { emailKey } from '#server-rules/accounts.ts';
import { isStorable } from '#server-rules/request-body.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { ImportedUser } from '#provider/accounts/account/import-line.ts';
import { isOfMigrated } from '#provider/accounts/passwords/stored.ts';
import {
  lineChecker,
  linesText,
  MOST_FAULTS,
  placeText,
  totalsText,
  type NumberedLine,
} from '../operators/users/import-lines.ts';
import { askPassword } from './ask-password.ts';
import { ImportBatches, refusalText, type LineOutcome } from './import-batches.ts';
import { ImportNotices, labelOf, recordOf } from './import-notices.ts';
import { ImportReport } from './import-report.ts';
import { sourceFrom } from './import-options.ts';
import type { ImportSource, SourceFault, SourceLine } from './import-source.ts';
import type { ActionRunner } from './operate.ts';
import type { OperatorRequest } from './requests.ts';
import { SkipFile } from './skip-file.ts';
import { UsageError } from '#provider/base/usage-error.ts';

const FORMAT =
  'Each line must be the JSON object of one user, such as {"emails":[{"email":"ada@example.com","verified":true}]}: ' +
  'see docs/people.md of the package portico, "Importing and exporting users". For the export of another product, name it with --from. ' +
  'Any other table (CSV) or JSON array must be converted first.';

interface Check {
  /** The number of lines that can be imported. */
  readonly count: number;
  /** The places of those that cannot. */
  readonly skipped: ReadonlySet<string>;
  /** The number of wrong lines that no file of skipped lines has, and what is wrong with the first of them. */
  readonly wrong: number;
  readonly faults: readonly Fault[];
  readonly report: ImportReport;
}

interface Fault {
  readonly place: string;
  readonly label: string;
  readonly reasons: readonly string[];
}

interface CheckOptions {
  readonly project: ActionRunner['project'];
  readonly source: ImportSource;
  readonly signal: AbortSignal;
  /** Null if a wrong line stops the import. */
  readonly skips: SkipFile | null;
  readonly visit: (user: ImportedUser, line: NumberedLine) => void;
  readonly notices: ImportNotices;
  /** Whether all lines are counted, although one is wrong. */
  readonly isWhole: boolean;
}

/** Checks every line before any is imported. */
async function check({ project, source, signal, skips, visit, notices, isWhole }: CheckOptions): Promise<Check> {
  const faults: Fault[] = [];
  const skipped = new Set<string>();
  const report = new ImportReport();
  const reasonsOf = lineChecker(project, visit);
  let [count, wrong] = [0, 0];
  const addFault = (fault: Fault, record: unknown): void => {
    if (skips !== null) {
      skips.write({ place: fault.place, reasons: fault.reasons, record });
      return;
    }
    wrong += 1;
    if (faults.length < MOST_FAULTS) faults.push(fault);
  };
  for await (const item of source.items()) {
    if (signal.aborted) throw new UsageError('Interrupted while the lines were checked. Nothing was imported.');
    if ('wrong' in item) {
      addFault({ place: item.place, label: labelOf(item), reasons: [item.wrong] }, item.record);
    } else {
      if (source.isOfLines && count + skipped.size === 0 && !item.text.startsWith('{')) {
        throw new UsageError(
          `Nothing was imported. Line ${item.number} of ${source.path} is not JSON of a user. ${FORMAT}`,
        );
      }
      const reasons = reasonsOf(item);
      const place = placeText(item);
      if (reasons.length === 0) {
        count += 1;
        if (!source.isOfLines) addTo(report, item, notices);
      } else {
        skipped.add(place);
        addFault({ place, label: labelOf(item), reasons }, recordOf(item));
      }
    }
    if (faults.length >= MOST_FAULTS && !isWhole) break;
  }
  if (wrong > 0 && !isWhole) throw new UsageError(`Nothing was imported. ${faultsText(faults)}`);
  if (count + wrong + (skips?.count ?? 0) === 0) {
    throw new UsageError(
      `Nothing was imported. ${source.path} has no line with a user.${source.isOfLines ? ` ${FORMAT}` : ''}`,
    );
  }
  return { count, skipped, wrong, faults, report };
}

const faultsText = (faults: readonly Fault[]): string =>
  faults.flatMap(({ label, reasons }) => reasons.map((reason) => `${label}: ${reason}`)).join('\n');

function addTo(report: ImportReport, item: SourceLine, notices: ImportNotices): void {
  const line = JSON.parse(item.text) as Readonly<Record<string, unknown>>;
  report.add(line, item.losses);
  notices.add(item, line);
}

interface TriedLine {
  readonly place: string;
  readonly password: ImportedUser['password'];
}

/** Compares a password that the operator knows with the hash of its line: a wrong key of the project looks like a right one. */
async function tryPassword(address: string, line: TriedLine | null, ask: typeof askPassword): Promise<void> {
  if (line === null) throw new UsageError(`Nothing was imported. No line has the address of --try, ${address}.`);
  const place = `Nothing was imported. ${line.place}`;
  const { password } = line;
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

interface ImportRun {
  readonly operating: ActionRunner;
  readonly source: ImportSource;
  readonly skips: SkipFile | null;
  readonly json: boolean;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}

/** What was left out, for the end of a summary. */
function skipsText(skips: SkipFile | null): string {
  if (skips === null || skips.count === 0) return '';
  return ` ${linesText(skips.count)} wrong: see ${skips.path}.`;
}

/** The output of `--dry-run`. Throws a UsageError, after the counts, if a line is wrong. */
function checkText({ count, report, wrong, faults }: Check, { source, skips, json, write }: ImportRun): string {
  if (json) {
    for (const row of report.rows()) write(JSON.stringify(row));
    for (const { place, reasons } of faults) write(JSON.stringify({ place, wrong: reasons }));
    const isListed = skips !== null || wrong > 0;
    const summary = JSON.stringify({ lines: count, ...(isListed ? { wrong: wrong + (skips?.count ?? 0) } : {}) });
    if (wrong === 0) return summary;
    write(summary);
    throw new UsageError(`Nothing was imported. ${linesText(wrong)} wrong.`);
  }
  for (const text of report.texts()) write(text);
  const summary = source.isOfLines || count !== 1 ? linesText(count) : '1 user is';
  const subject = source.isOfLines ? summary : summary.replace(' lines', ' users');
  const inOrder = `${subject} in order.${skipsText(skips)}`;
  if (wrong === 0) return inOrder;
  const others = wrong > faults.length ? ' --skip-wrong FILE lists them all.' : '';
  throw new UsageError(`${faultsText(faults)}\nNothing was imported. ${inOrder} ${linesText(wrong)} wrong.${others}`);
}

/** Imports the lines that are in order. */
async function send({ count, skipped }: Check, run: ImportRun, notices: ImportNotices): Promise<string> {
  const { operating, source, skips, json, write, signal } = run;
  const report = (outcome: LineOutcome): void => {
    const { line, result, user_id, reason, brings } = outcome;
    const isRefused = result === 'refused';
    if (isRefused) skips?.write({ place: placeText(line), reasons: [String(reason)], record: recordOf(line) });
    const place = source.isOfLines ? {} : { place: placeText(line) };
    if (result === 'exists') notices.addExisting(outcome);
    const more = brings.length > 0 ? { brings } : {};
    if (json) write(JSON.stringify({ line: line.number, ...place, result, user_id, reason, ...more }));
    else if (isRefused && skips === null) write(refusalText(outcome));
  };
  const batches = new ImportBatches(operating, report);
  const isInOrder = (item: SourceLine | SourceFault): item is SourceLine => !('wrong' in item) && !skipped.has(placeText(item)); // prettier-ignore
  for await (const item of source.items()) {
    if (signal.aborted) break;
    if (isInOrder(item)) await batches.add(item);
  }
  if (!signal.aborted) await batches.send();
  await batches.end();
  const { totals } = batches;
  const summary = `${totalsText(totals)}${skipsText(skips)}`;
  const remainder = count - totals.imported - totals.exists - totals.refused;
  if (signal.aborted && remainder > 0) {
    throw new UsageError(
      `Interrupted. ${summary} ${linesText(remainder)} left: give the same file again to go on. ${REPEATED}`,
    );
  }
  if (totals.refused > 0 && skips === null) throw new UsageError(summary);
  return json ? JSON.stringify({ ...totals, ...(skips === null ? {} : { wrong: skips.count }) }) : summary;
}

/**
 * Imports a file of JSON lines, or the export of another product: first all lines are checked, then each is imported whole or not at all.
 * After an interruption the same files can be given again: users who exist already are left alone.
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
  const { source, paths } = await sourceFrom(operating.project, fields, ask);
  const isWhole = fields['dry_run'] === true;
  const skipPath = fields['skip_wrong'];
  const skips = typeof skipPath === 'string' ? new SkipFile(skipPath, paths, isWhole) : null;
  const run: ImportRun = { operating, source, skips, json, write, signal };
  try {
    const address = fields['try'];
    let tried: TriedLine | null = null;
    const notices = new ImportNotices({ project: operating.project, json, write });
    const visit = (user: ImportedUser, line: NumberedLine): void => {
      const { emails, password } = user;
      notices.visit(user);
      const isTried = typeof address === 'string' && emails.some(({ email }) => emailKey(email) === emailKey(address));
      if (isTried) tried = { place: placeText(line), password };
    };
    const checked = await check({ project: operating.project, source, signal, skips, visit, notices, isWhole });
    if (typeof address === 'string') {
      await tryPassword(address, tried, ask);
      write(json ? JSON.stringify({ tried: address }) : `The password of ${address} is that of its line.`);
    }
    notices.tellTotals();
    return isWhole ? checkText(checked, run) : await send(checked, run, notices);
  } finally {
    skips?.close();
  }
}
