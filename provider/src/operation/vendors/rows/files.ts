import { basename } from 'node:path';
import { UsageError } from '#provider/base/usage-error.ts';
import type { VendorFile, VendorRecord, VendorUser, WrongRecord } from '../vendor.ts';
import { FieldFault, namesOf, Row, type Values } from './row.ts';

/** A table: the columns by which its rows are recognised. A group is one of several, for columns with different names. */
export interface Table<Name extends string> {
  readonly name: Name;
  /** Names as they are or folded (`userid`), all of which a row has. */
  readonly columns: readonly (string | readonly string[])[];
  /** True if its rows are users: an export has at least one such table. */
  readonly hasUsers?: true;
}

/** A file without any row of a table within so many records is of something else. */
const MOST_STRANGE = 100;

/** The name of the first table whose columns the record has. */
function tableOf<Name extends string>(tables: readonly Table<Name>[], values: Values): Name | undefined {
  const names = namesOf(values);
  const has = (column: string | readonly string[]): boolean =>
    typeof column === 'string' ? names.has(column) : column.some((each) => names.has(each));
  return tables.find(({ columns }) => columns.every(has))?.name;
}

export interface TableFile<Name extends string> {
  readonly file: VendorFile;
  readonly table: Name;
}

/** Which table each file has. Files without records are left out, because an empty table has no fields. */
export async function tablesOf<Name extends string>(
  vendor: string,
  tables: readonly Table<Name>[],
  files: readonly VendorFile[],
): Promise<readonly TableFile<Name>[]> {
  const found: TableFile<Name>[] = [];
  for (const file of files) {
    let strange = 0;
    for await (const { values } of file.records()) {
      const table = tableOf(tables, values);
      if (table !== undefined) found.push({ file, table });
      strange += 1;
      if (table !== undefined || strange === MOST_STRANGE) break;
    }
    if (strange > 0 && found.at(-1)?.file !== file) {
      const names = [...new Set(tables.map(({ name }) => name))].join(', ');
      throw new UsageError(
        `${file.path} has the fields of no file of ${vendor}: export all columns or fields of ${names}.`,
      );
    }
  }
  const users = tables.filter(({ hasUsers }) => hasUsers).map(({ name }) => name);
  if (found.some(({ table }) => users.includes(table))) return found;
  throw new UsageError(`No file has a row of the users of ${vendor}: export ${users.join(' or ')} with all columns.`);
}

type PlacedRecord = VendorRecord & { readonly path: string };

/** The records of all files with this table. */
export async function* recordsOf<Name extends string>(
  tables: readonly TableFile<Name>[],
  name: Name,
): AsyncGenerator<PlacedRecord> {
  for (const { file, table } of tables) {
    if (table !== name) continue;
    for await (const record of file.records()) yield { ...record, path: file.path };
  }
}

/** A row beside those of the users. */
export const placedRow = ({ number, values, path }: PlacedRecord): Row =>
  new Row(values, ` of row ${number} of ${basename(path)}`);

/** What a reader needs of the rows of a table, by their user. A row that cannot be read is an error of its user. */
export class ByUser<T> {
  private readonly lists = new Map<string, (T | FieldFault)[]>();
  /** Rows without a user. */
  readonly strays: WrongRecord[] = [];

  /**
   * Adds the value of each row of the table. A row whose value is null is left out.
   *
   * @param userOf the column that has the user, or what reads it
   */
  async addAll<Name extends string>(
    tables: readonly TableFile<Name>[],
    name: Name,
    userOf: string | ((row: Row) => string),
    read: (row: Row) => T | null,
  ): Promise<this> {
    for await (const record of recordsOf(tables, name)) {
      const row = placedRow(record);
      try {
        this.add(typeof userOf === 'string' ? row.requiredText(userOf) : userOf(row), row, read);
      } catch (error) {
        if (!(error instanceof FieldFault)) throw error;
        this.strays.push({ number: record.number, path: record.path, wrong: error.message });
      }
    }
    return this;
  }

  private add(user: string, row: Row, read: (row: Row) => T | null): void {
    const value = valueOr(() => read(row));
    if (value === null) return;
    const list = this.lists.get(user);
    if (list === undefined) this.lists.set(user, [value]);
    else list.push(value);
  }

  get isEmpty(): boolean {
    return this.lists.size === 0;
  }

  of(user: string): readonly T[] {
    return (this.lists.get(user) ?? []).map((value) => {
      if (value instanceof FieldFault) throw value;
      return value;
    });
  }
}

function valueOr<T>(read: () => T): T | FieldFault {
  try {
    return read();
  } catch (error) {
    if (error instanceof FieldFault) return error;
    throw error;
  }
}

export type RecordPlace = Pick<WrongRecord, 'number' | 'path' | 'record'>;

/** What a record says about its user. */
export type UserOfRecord = Omit<VendorUser, keyof RecordPlace>;

/** The user of a record, or what is wrong with it. */
export function userOr(place: RecordPlace, read: () => UserOfRecord): VendorUser | WrongRecord {
  const user = valueOr(read);
  return user instanceof FieldFault ? { ...place, wrong: user.message } : { ...user, ...place };
}

/** The users of a table. */
export async function* usersOf<Name extends string>(
  tables: readonly TableFile<Name>[],
  name: Name,
  read: (row: Row) => UserOfRecord,
): AsyncGenerator<VendorUser | WrongRecord> {
  for await (const { number, values, path } of recordsOf(tables, name)) {
    yield userOr({ number, path }, () => read(new Row(values)));
  }
}
