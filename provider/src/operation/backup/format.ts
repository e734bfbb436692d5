import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parseJson } from '#domain/json.ts';
import { hasShape, isRecord, type Shape } from '#domain/shape.ts';
import type { DatabaseHead, TableHead } from './dump.ts';

/** The version of the format. */
export const FORMAT = 1;

/** The file is not a valid backup. The message follows the file's name. */
export class BackupError extends Error {}

/** The first line: the format, and the folder's master key, which is needed to decrypt the database. */
export interface FileHead {
  readonly portico_backup: number;
  readonly made_at: string;
  readonly keys: string;
}

const FILE = { portico_backup: 'number', made_at: 'string', keys: 'string' } as const satisfies Shape;
const DATABASE = { migrations: 'string[]', sequences: 'object[]', tables: 'number' } as const satisfies Shape;
const TABLE = { table: 'string', columns: 'string[]', rows: 'number', digest: 'string' } as const satisfies Shape;

export const isDatabaseHead = (line: unknown): line is DatabaseHead => hasShape(DATABASE, line);
export const isTableHead = (line: unknown): line is TableHead => hasShape(TABLE, line);

export function lineOf(content: unknown): string {
  return `${JSON.stringify(content)}\n`;
}

/** The content of each line. */
export async function* contentsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void> {
  for await (const line of linesOf(source)) yield parseJson(line);
}

/** Not `readline`, which also breaks lines at U+2028 and U+2029 since Node 24. */
export async function* linesOf(
  source: AsyncIterable<Uint8Array>,
  decoder = new TextDecoder(),
): AsyncGenerator<string, void> {
  let rest = '';
  for await (const part of source) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

/** Makes the lines of a file. The last one contains the checksum of the others. */
export class BackupLines {
  private readonly hash = createHash('sha256');

  line(content: unknown): string {
    const text = lineOf(content);
    this.hash.update(text);
    return text;
  }

  last(): string {
    return `${JSON.stringify({ sha256: this.hash.digest('hex') })}\n`;
  }
}

/** All lines of a file except the last, which must contain their checksum. If it does not, rejects with a BackupError at the end. */
export async function* readBackup(path: string): AsyncGenerator<unknown, void> {
  const hash = createHash('sha256');
  // Its callback gets the same error that the loop throws.
  const unzipped = pipeline(createReadStream(path), createGunzip(), () => undefined);
  let before: string | null = null;
  try {
    for await (const line of linesOf(unzipped)) {
      if (before !== null) {
        hash.update(`${before}\n`);
        yield parseJson(before);
      }
      before = line;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new BackupError('is damaged or incomplete', { cause: error });
  }
  const end = before === null ? null : parseJson(before);
  if (!isRecord(end) || end['sha256'] !== hash.digest('hex')) throw new BackupError('is damaged or incomplete');
}

/** The head of a file, in its first lines. */
export async function readHead(lines: AsyncIterator<unknown>): Promise<FileHead> {
  const { value } = await lines.next();
  if (!hasShape(FILE, value)) throw new BackupError('is not a backup');
  if (value.portico_backup !== FORMAT)
    throw new BackupError('was made by a newer version; restore it with that version');
  return value;
}

/** The contents of a valid backup. */
export interface BackupContents {
  readonly rows: number;
  /** The length of all rows as texts. */
  readonly length: number;
}

/** Reads the whole file. Rejects with a BackupError if a line is missing or changed. */
export async function checkBackup(path: string): Promise<BackupContents> {
  const lines = readBackup(path);
  await readHead(lines);
  const { value: head } = await lines.next();
  if (!isDatabaseHead(head)) throw new BackupError('does not begin with a database');
  let [rows, length, promised, tables] = [0, 0, 0, 0];
  for await (const line of lines) {
    if (typeof line === 'string') {
      rows += 1;
      length += line.length;
    } else if (isTableHead(line)) {
      tables += 1;
      promised += line.rows;
    } else throw new BackupError('is damaged or incomplete');
  }
  if (tables !== head.tables || rows !== promised) throw new BackupError('is damaged or incomplete');
  return { rows, length };
}
