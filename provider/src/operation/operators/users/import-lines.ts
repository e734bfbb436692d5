import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import type { SessionServices } from '#provider/accounts/services.ts';
import type { Services } from '#provider/api/services.ts';
import { keysOf, readImportLine, type ImportedUser } from '#provider/accounts/account/import-line.ts';
import { importUsers, type ImportResult } from './import-users.ts';
import type { AuditActor } from '../desk/audit-actor.ts';

/** A request holds at most 64 kB, whether it comes from the command or from the page. */
export const IMPORT_BYTES = 48_000;
/** The number of lines that the page accepts at once. */
export const IMPORT_LINES = 500;
export const MOST_FAULTS = 20;

export interface NumberedLine {
  readonly number: number;
  readonly text: string;
  /** Its name in messages, if it is not the line with this number. */
  readonly place?: string;
}

/** A line without the space around it; null where nothing is left. A byte order mark belongs to no line. */
export function numberedLine(number: number, line: string): NumberedLine | null {
  const text = (number === 1 ? line.replace(/^\uFEFF/u, '') : line).trim();
  return text === '' ? null : { number, text };
}

export function numberedLines(text: string): readonly NumberedLine[] {
  return text
    .split('\n')
    .map((line, index) => numberedLine(index + 1, line))
    .filter((line) => line !== null);
}

/**
 * Describes the mistakes in each line of one import, in their order; no two lines may share an id, address or number.
 *
 * @param visit is called with each line without a mistake
 */
export function lineChecker(
  project: Services['project'],
  visit?: (user: ImportedUser, line: NumberedLine) => void,
): (line: NumberedLine) => readonly string[] {
  const placeOf = new Map<string, string>();
  return (line) => {
    const { text } = line;
    if (Buffer.byteLength(text) > IMPORT_BYTES) return [`it has more than ${IMPORT_BYTES} bytes`];
    const value = parseJson(text);
    const read = readImportLine(project, value);
    if ('wrong' in read) return [isRecord(value) ? read.wrong : 'it must be a JSON object'];
    const keys = keysOf(read.line);
    const faults = keys.flatMap((key) => {
      const before = placeOf.get(key);
      const [field = ''] = key.split(' ');
      return before === undefined ? [] : [`${field} is that of ${before}`];
    });
    if (faults.length > 0) return faults;
    const place = placeText(line);
    for (const key of keys) placeOf.set(key, place);
    visit?.(read.line, line);
    return faults;
  };
}

/** Names the line in messages. */
export function placeText({ number, place = `line ${number}` }: NumberedLine): string {
  return place;
}

/** The mistake in the text that a page sent: nothing is imported then. */
export function faultsOf(project: Services['project'], text: string): readonly string[] {
  const lines = numberedLines(text);
  // Forms end lines with two bytes, which are not counted.
  const size = lines.reduce((sum, line) => sum + Buffer.byteLength(line.text) + 1, 0);
  if (lines.length === 0) return ['There is no line.'];
  if (lines.length > IMPORT_LINES) return [`There are ${lines.length} lines: give at most ${IMPORT_LINES} at once.`];
  if (size > IMPORT_BYTES) return [`The lines have ${size} bytes: give at most ${IMPORT_BYTES} at once.`];
  const faults: string[] = [];
  const check = lineChecker(project);
  for (const line of lines) {
    if (faults.length >= MOST_FAULTS) return faults;
    faults.push(...check(line).map((reason) => `${placeText(line)}: ${reason}`));
  }
  return faults;
}

export type LineResult = NumberedLine & { readonly outcome: ImportResult };

/** Imports lines that were checked. */
export async function importLines(
  services: SessionServices,
  text: string,
  by: AuditActor,
): Promise<readonly LineResult[]> {
  const lines = numberedLines(text);
  const outcomes = await importUsers(
    services,
    lines.map((line) => parseJson(line.text)),
    by,
  );
  return lines.flatMap((line, place) => {
    const outcome = outcomes[place];
    return outcome === undefined ? [] : [{ ...line, outcome }];
  });
}

export type Totals = Readonly<Record<ImportResult['result'], number>>;

export function totalsText({ imported, exists, refused }: Totals): string {
  return `${imported} imported, ${exists} ${exists === 1 ? 'was' : 'were'} there already, ${refused} refused.`;
}

/** As the subject of a sentence. */
export function linesText(count: number): string {
  return count === 1 ? '1 line is' : `${count} lines are`;
}
