import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import { UsageError } from '#provider/base/usage-error.ts';
import type { FileForm, VendorFile, VendorRecord } from '../vendor.ts';
import { csvRecords, delimiterIn } from './csv-records.ts';
import { arrayRecords, documentRecords, lineRecords, objectRecords, type FileRecord } from './json-records.ts';
import { headOf, isWholeText, textChunks, wholeText } from './text-chunks.ts';

/** Enough to see the form of a file. */
const HEAD = 65_536;

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Whether each line is an object of its own, but for a broken one here and there. */
function hasObjectInEachLine(head: string): boolean {
  const lines = head.split('\n');
  // The last one may be cut off.
  if (head.length > HEAD) lines.pop();
  const texts = lines.filter((line) => line.trim() !== '');
  const objects = texts.filter((line) => isRecord(parseJson(line)));
  return objects.length > 0 && objects.length * 2 >= texts.length;
}

async function* recordsOf(path: string, form: FileForm): AsyncGenerator<FileRecord> {
  const head = await headOf(path, HEAD);
  const start = head.trimStart().charAt(0);
  const open = (): AsyncIterable<string> => textChunks(path);
  if (start !== '[' && start !== '{') yield* csvRecords(open(), form.csv, delimiterIn(head));
  else if (form.hasWholeDocuments === true) yield* documentRecords(await wholeText(path));
  else if (start === '[') yield* arrayRecords(open());
  else if (hasObjectInEachLine(head)) yield* lineRecords(linesOf(open()));
  else yield* objectRecords(open);
}

const WRONG_BYTES = 'it has bytes that are not text in UTF-8: convert the file, such as by iconv -f latin1 -t utf-8';

/** A record that cannot be read at all. */
export interface UnreadableRecord {
  readonly path: string;
  readonly number: number;
  readonly wrong: string;
}

/** A file of an export: a JSON array, an object with a list, a JSON object in each line, or CSV, as its content shows. */
export class ExportFile implements VendorFile {
  /** The record that was read last. */
  last: VendorRecord | null = null;
  /** Whether all bytes are text; undefined until it is known. */
  private isText: boolean | undefined;
  /** The file is read more than once, and its wrong records are reported once. */
  private reportedTo = 0;

  /** @param report is called with each record that cannot be read */
  constructor(
    readonly path: string,
    private readonly form: FileForm,
    private readonly report: (record: UnreadableRecord) => void,
  ) {}

  readonly records = async function* (this: ExportFile): AsyncGenerator<VendorRecord, void> {
    try {
      for await (const record of recordsOf(this.path, this.form)) {
        const wrong = 'wrong' in record ? record.wrong : await this.wrongBytes(record.values);
        if (wrong !== null) this.reportOnce(record.number, wrong);
        else if (!('wrong' in record)) {
          this.last = record;
          yield record;
        }
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
      throw new UsageError(`Cannot read ${this.path}: ${code}.`, { cause: error });
    }
  }.bind(this);

  private async wrongBytes(values: VendorRecord['values']): Promise<string | null> {
    if (!JSON.stringify(values).includes('\uFFFD')) return null;
    this.isText ??= await isWholeText(this.path);
    return this.isText ? null : WRONG_BYTES;
  }

  private reportOnce(number: number, wrong: string): void {
    if (number <= this.reportedTo) return;
    this.reportedTo = number;
    this.report({ path: this.path, number, wrong });
  }
}
