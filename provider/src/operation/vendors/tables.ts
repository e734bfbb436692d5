import { UsageError } from '#provider/base/usage-error.ts';
import type { VendorFile } from './vendor.ts';
import type { Fields } from './values.ts';

/** The records of a file in which the fields of its table must appear. */
const SAMPLE = 50;

type Marks<T extends string> = Readonly<Record<T, (fields: Fields) => boolean>>;

/**
 * The files of an export by the table that each holds, as the fields of its first records show. The first table whose mark fits
 * counts.
 */
export async function filesByTable<T extends string>(
  files: readonly VendorFile[],
  marks: Marks<T>,
): Promise<Readonly<Record<T, readonly VendorFile[]>>> {
  const names = Object.keys(marks) as T[];
  const tables = Object.fromEntries(names.map((name) => [name, [] as VendorFile[]])) as Record<T, VendorFile[]>;
  for (const file of files) {
    const table = await tableOf(file, names, marks);
    if (table !== null) tables[table].push(file);
  }
  return tables;
}

async function tableOf<T extends string>(file: VendorFile, names: readonly T[], marks: Marks<T>): Promise<T | null> {
  let count = 0;
  for await (const { values } of file.records()) {
    const table = names.find((name) => marks[name](values));
    if (table !== undefined) return table;
    count += 1;
    if (count >= SAMPLE) break;
  }
  if (count === 0) return null;
  throw new UsageError(
    `Nothing was imported. ${file.path} has the fields of no file of this export. Its records must have those of: ${names.join(', ')}.`,
  );
}

/** The records of several files by a key. */
export async function recordsByKey(
  files: readonly VendorFile[],
  keyOf: (fields: Fields) => string | null,
): Promise<Map<string, Fields>> {
  const records = new Map<string, Fields>();
  for (const file of files) {
    for await (const { values } of file.records()) {
      const key = keyOf(values);
      if (key !== null) records.set(key, values);
    }
  }
  return records;
}

/** Whether a record has one of these fields, even if it is empty. */
export function hasField(...names: readonly string[]): (fields: Fields) => boolean {
  return (fields) => names.some((name) => Object.hasOwn(fields, name));
}
