import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { ExportFile, type UnreadableRecord } from '#provider/operation/vendors/files/export-file.ts';
import { VENDORS } from '#provider/operation/vendors/vendors.ts';
import type { Loss, VendorOptions, VendorUser, WrongRecord } from '#provider/operation/vendors/vendor.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The folder of a test file's exports. */
export function exportFolder(): (name: string, content: string | Uint8Array) => string {
  const folder = mkdtempSync(join(tmpdir(), 'portico-export-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
}

export interface ReadExport {
  readonly users: readonly VendorUser[];
  readonly wrong: readonly (WrongRecord | UnreadableRecord)[];
}

/** What a vendor makes of these files. */
export async function readExport(
  name: string,
  paths: readonly string[],
  options: VendorOptions = { rp_id: null, secret: null },
): Promise<ReadExport> {
  const vendor = VENDORS[name];
  if (vendor === undefined) throw new Error(`There is no vendor ${name}.`);
  const users: VendorUser[] = [];
  const wrong: (WrongRecord | UnreadableRecord)[] = [];
  const files = paths.map((path) => new ExportFile(path, vendor, (record) => void wrong.push(record)));
  for await (const item of vendor.users(files, options)) {
    if ('wrong' in item) wrong.push(item);
    else users.push(item);
  }
  return { users, wrong };
}

/** The line of the user with this old id. */
export function lineOf({ users }: ReadExport, id: string): Fields {
  const found = users.find(({ line }) => line['external_id'] === id || line['user_id'] === id);
  if (found === undefined) throw new Error(`There is no user ${id}.`);
  return found.line;
}

/** What the user with this old id loses. */
export function lossesOf({ users }: ReadExport, id: string): readonly Loss['what'][] {
  const found = users.find(({ line }) => line['external_id'] === id || line['user_id'] === id);
  return found?.losses.map(({ what }) => what) ?? [];
}

const quoted = (value: unknown): string => {
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return /[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows of CSV as json2csv writes them: objects and lists are JSON in their cells. */
export function csvOf(columns: readonly string[], records: readonly Fields[]): string {
  return [columns, ...records.map((record) => columns.map((column) => record[column]))]
    .map((cells) => cells.map(quoted).join(','))
    .join('\n');
}
