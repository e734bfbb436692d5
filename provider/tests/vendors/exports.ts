import { readFileSync } from 'node:fs';
import { csvOf } from './export-files.ts';
import type { Vendor, VendorFile, VendorOptions, VendorUser, WrongRecord } from '#provider/operation/vendors/vendor.ts';

export type Values = Readonly<Record<string, unknown>>;

/** What a person of an export has, by which the lines are judged. */
export interface Person {
  readonly label: string;
  readonly id: string;
  readonly password?: string;
  /** bcrypt reads 72 bytes, so that a longer password fits, too. */
  readonly prefix?: true;
  readonly app?: { readonly at: number; readonly code: string };
  readonly codes?: readonly string[];
  readonly used?: readonly string[];
  readonly keys?: readonly { readonly credential_id: string; readonly pkcs8: string; readonly flags: number }[];
  readonly counter?: number;
  readonly handle?: string;
  /** The account of a client. */
  readonly client?: true;
}

export interface Export {
  readonly secret?: string;
  readonly rp_id: string;
  readonly people: readonly Person[];
  readonly tables: Readonly<Record<string, readonly Values[]>>;
}

/** An export in `exports/`, whose `made` says how it came about. */
export function exportOf(name: string): Export & Values {
  return JSON.parse(readFileSync(new URL(`exports/${name}.json`, import.meta.url), 'utf8')) as Export & Values;
}

/** The first row of a table of an export in `exports/`, as a pattern for others. */
export const firstRow = (name: string, table: string): Values => exportOf(name).tables[table]?.[0] ?? {};

export const asLines = (rows: readonly Values[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
export const asCsv = (rows: readonly Values[]): string => csvOf([...new Set(rows.flatMap((row) => Object.keys(row)))], rows.map(asCells)); // prettier-ignore

export function fileOf(path: string, records: readonly Values[]): VendorFile {
  return {
    path,
    async *records() {
      for (const [at, values] of records.entries()) yield { number: at + 1, values };
    },
  };
}

export const filesOf = (tables: Export['tables'], ending = 'json'): readonly VendorFile[] =>
  Object.entries(tables).map(([name, rows]) => fileOf(`${name}.${ending}`, rows));

/** The cells of a CSV: all values are texts. */
export function asCells(values: Values): Values {
  const cells = Object.entries(values).map(([name, value]) => {
    if (value === null || value === undefined) return [name, ''];
    if (typeof value === 'boolean') return [name, value ? 't' : 'f'];
    return [name, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  return Object.fromEntries(cells) as Values;
}

export const inCells = (tables: Export['tables']): Export['tables'] =>
  Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.map(asCells)]));

/** `userId` as `user_id`, the spelling of other adapters. */
export const inSnakeCase = (tables: Export['tables']): Export['tables'] =>
  Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [
      name,
      rows.map((row) => {
        const names = Object.entries(row).map(([column, value]) => {
          return [column.replaceAll(/(?<=[a-z])[A-Z]+/gu, (capital) => `_${capital.toLowerCase()}`), value];
        });
        return Object.fromEntries(names) as Values;
      }),
    ]),
  );

export const optionsOf = ({ secret, rp_id }: Pick<Export, 'secret' | 'rp_id'>): VendorOptions => {
  return { secret: secret ?? null, rp_id };
};

export interface Outcome {
  readonly users: readonly VendorUser[];
  readonly wrong: readonly WrongRecord[];
}

export async function reading(vendor: Vendor, files: readonly VendorFile[], options: VendorOptions): Promise<Outcome> {
  const users: VendorUser[] = [];
  const wrong: WrongRecord[] = [];
  for await (const each of vendor.users(files, options)) {
    if ('line' in each) users.push(each);
    else wrong.push(each);
  }
  return { users, wrong };
}

/** The export with one change to a row, which its label or index names. */
export function changed({ people, tables, ...rest }: Export, table: string, label: string, values: Values): Export {
  const id = people.find((person) => person.label === label)?.id;
  const isTarget = (row: Values): boolean => [row['id'], row['userId'], row['user_id']].includes(id);
  const rows = (tables[table] ?? []).map((row) => (isTarget(row) ? { ...row, ...values } : row));
  return { ...rest, people, tables: { ...tables, [table]: rows } };
}
