import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { parseJson } from '#domain/json.ts';
import { withHashDefaults, type HashDefaults } from '#provider/accounts/account/hash-defaults.ts';
import { UsageError } from '#provider/base/usage-error.ts';
import { linesOf } from '../backup/format.ts';
import { numberedLine, type NumberedLine } from '../operators/users/import-lines.ts';
import { ExportFile, type UnreadableRecord } from '../vendors/files/export-file.ts';
import { fileBytes } from '../vendors/files/file-bytes.ts';
import { refuseOthers } from '../vendors/signatures.ts';
import type { Loss, Vendor, VendorOptions, VendorUser, WrongRecord } from '../vendors/vendor.ts';
import { vendorLine } from './vendor-line.ts';
import type { ActionRunner } from './operate.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A line to import, and what its user loses. */
export interface SourceLine extends NumberedLine {
  readonly losses: readonly Loss[];
  /** The record from which the line was made; undefined for the line itself. */
  readonly record?: Fields | undefined;
}

/** A record that makes no line. */
export interface SourceFault {
  readonly place: string;
  readonly wrong: string;
  readonly record: unknown;
}

/** The lines of an import. They can be read more than once; faults of reading are yielded the first time. */
export interface ImportSource {
  readonly path: string;
  /** True for lines in the format of `users import` itself. */
  readonly isOfLines: boolean;
  readonly items: () => AsyncIterable<SourceLine | SourceFault>;
}

/** A pipe has nothing left for the second reading, in which the users are made. */
export function checkIsFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== false) return;
  throw new UsageError(`${path} is not a file. An import reads it twice, because it checks all lines first.`);
}

/** The JSON of a line with what the options say about all hashes. */
function withDefaults(text: string, defaults: HashDefaults): string {
  if (Object.values(defaults).every((value) => value === undefined)) return text;
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(withHashDefaults(value, defaults));
}

/** A file of JSON lines. */
export function lineSource(path: string, defaults: HashDefaults): ImportSource {
  async function* items(): AsyncGenerator<SourceLine> {
    let number = 0;
    try {
      for await (const line of linesOf(fileBytes(path), new TextDecoder('utf-8', { fatal: true }))) {
        number += 1;
        const numbered = numberedLine(number, line);
        if (numbered !== null) yield { ...numbered, text: withDefaults(numbered.text, defaults), losses: [] };
      }
    } catch (error) {
      if (error instanceof UsageError) throw error;
      const reason = error instanceof TypeError ? 'it is not text in UTF-8' : (error as NodeJS.ErrnoException).code;
      throw new UsageError(`Cannot read ${path}: ${reason ?? ''}.`, { cause: error });
    }
  }
  return { path, isOfLines: true, items };
}

export interface VendorImport {
  /** Its name on the command line. */
  readonly name: string;
  readonly vendor: Vendor;
  readonly paths: readonly string[];
  readonly options: VendorOptions;
  readonly defaults: HashDefaults;
  readonly project: ActionRunner['project'];
}

/** The files of another product's export. */
export function vendorSource({ name, vendor, paths, options, defaults, project }: VendorImport): ImportSource {
  const unreadable: UnreadableRecord[] = [];
  const files = paths.map((path) => new ExportFile(path, vendor, (record) => void unreadable.push(record)));
  const place = (number: number, path: string | undefined): string =>
    `record ${number} of ${basename(path ?? paths[0] ?? '')}`;
  /** A vendor yields what it makes of a record while that record is the last one of its file. */
  const recordAt = ({ number, path }: Pick<VendorUser, 'number' | 'path'>): Fields | undefined => {
    const found = files.find((file) => file.last?.number === number && (path === undefined || file.path === path));
    return found?.last?.values;
  };
  async function* faults(): AsyncGenerator<SourceFault> {
    for (let next = unreadable.shift(); next !== undefined; next = unreadable.shift()) {
      yield { place: place(next.number, next.path), wrong: next.wrong, record: null };
    }
  }
  const itemOf = (item: VendorUser | WrongRecord): SourceLine | SourceFault => {
    const at = place(item.number, item.path);
    const record = item.record ?? recordAt(item);
    if ('wrong' in item) return { place: at, wrong: item.wrong, record: record ?? null };
    const { line, losses } = vendorLine(project, item);
    return { number: item.number, place: at, losses, record, text: withDefaults(JSON.stringify(line), defaults) };
  };
  async function* items(): AsyncGenerator<SourceLine | SourceFault> {
    // In no form of a vendor, which could hide the fields of another one.
    await refuseOthers(
      name,
      paths.map((path) => new ExportFile(path, {}, () => undefined)),
    );
    for await (const item of vendor.users(files, options)) {
      yield* faults();
      yield itemOf(item);
    }
    yield* faults();
  }
  return { path: paths[0] ?? '', isOfLines: false, items };
}
