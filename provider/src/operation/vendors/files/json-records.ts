import { JSONParser } from '@streamparser/json';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';

/** A record of a file, or what is wrong with it. */
export type FileRecord =
  | { readonly number: number; readonly values: Readonly<Record<string, unknown>> }
  | { readonly number: number; readonly wrong: string };

/** The names under which replies and exports list their users. */
const LISTS = ['users', 'Users', 'data', 'results', 'items'] as const;
const BROKEN = 'the JSON is broken here or cut off, so nothing after it can be read';

/** A reply has little beside its list: the number of all users, and the place of the next page. */
const MOST_FIELDS_OF_REPLY = 5;

/** The items of a value: those of the list of a reply, else the value itself. */
function itemsOf(value: unknown): readonly unknown[] {
  if (!isRecord(value) || Object.keys(value).length > MOST_FIELDS_OF_REPLY) return [value];
  const name = LISTS.find((each) => Array.isArray(value[each]));
  return name === undefined ? [value] : (value[name] as readonly unknown[]);
}

class Numbers {
  private count = 0;

  record(value: unknown): FileRecord {
    this.count += 1;
    const number = this.count;
    return isRecord(value) ? { number, values: value } : { number, wrong: 'it must be a JSON object' };
  }

  wrong(wrong: string): FileRecord {
    this.count += 1;
    return { number: this.count, wrong };
  }
}

async function* valuesAt(chunks: AsyncIterable<string>, paths: readonly string[]): AsyncGenerator<unknown, boolean> {
  let values: unknown[] = [];
  // Several documents may follow each other.
  const parser = new JSONParser({ paths: [...paths], keepStack: false, separator: '' });
  parser.onValue = ({ value }) => void values.push(value);
  let isBroken = false;
  parser.onError = () => void (isBroken = true);
  for await (const chunk of chunks) {
    parser.write(chunk);
    yield* values;
    values = [];
    if (isBroken) return false;
  }
  if (!parser.isEnded) parser.end();
  yield* values;
  return !isBroken;
}

async function* recordsAt(chunks: AsyncIterable<string>, paths: readonly string[]): AsyncGenerator<FileRecord> {
  const numbers = new Numbers();
  const values = valuesAt(chunks, paths);
  let next = await values.next();
  for (; next.done !== true; next = await values.next()) {
    for (const item of itemsOf(next.value)) yield numbers.record(item);
  }
  if (next.value) return;
  yield numbers.wrong(BROKEN);
}

/** The items of an array. */
export function arrayRecords(chunks: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  return recordsAt(chunks, ['$.*']);
}

/** The items of the list of an object; objects without such a list are records themselves. */
export async function* objectRecords(open: () => AsyncIterable<string>): AsyncGenerator<FileRecord> {
  let count = 0;
  for await (const record of recordsAt(
    open(),
    LISTS.map((name) => `$.${name}.*`),
  )) {
    // A broken document without a list is told below.
    if (count === 0 && 'wrong' in record) break;
    count += 1;
    yield record;
  }
  if (count === 0) yield* recordsAt(open(), ['$']);
}

/** Whole documents: one in the text or each line, or the items of an array. */
export function* documentRecords(text: string): Generator<FileRecord> {
  const numbers = new Numbers();
  const whole = parseJson(text);
  if (whole !== undefined) {
    for (const each of Array.isArray(whole) ? (whole as readonly unknown[]) : [whole]) yield numbers.record(each);
    return;
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const documents = lines.map((line) => parseJson(line));
  if (documents.some(isRecord)) {
    for (const each of documents) yield each === undefined ? numbers.wrong('it is not JSON') : numbers.record(each);
  } else yield numbers.wrong(BROKEN);
}

/** A record in each line. */
export async function* lineRecords(lines: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  const numbers = new Numbers();
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const value = parseJson(line);
    if (value === undefined) yield numbers.wrong('it is not JSON');
    else for (const item of itemsOf(value)) yield numbers.record(item);
  }
}
