import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { UsageError } from '#provider/base/usage-error.ts';

const MIB = 2 ** 20;
/** The values of a document need several times its length. */
export const MOST_BYTES_OF_DOCUMENT = 256 * MIB;

/** PowerShell redirects the output of programs in UTF-16. */
function encodingOf(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** The text of a file without its byte order mark. Bytes that are no text become U+FFFD: only their record is wrong. */
export async function* textChunks(path: string): AsyncGenerator<string, void> {
  let decoder: TextDecoder | null = null;
  for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
    decoder ??= new TextDecoder(encodingOf(part));
    const text = decoder.decode(part, { stream: true });
    if (text !== '') yield text;
  }
  const end = decoder?.decode() ?? '';
  if (end !== '') yield end;
}

/** The first characters of a file. */
export async function headOf(path: string, length: number): Promise<string> {
  let head = '';
  for await (const chunk of textChunks(path)) {
    head += chunk;
    if (head.length > length) break;
  }
  return head.slice(0, length + 1);
}

/** The text of a file that must be read as a whole. */
export async function wholeText(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MOST_BYTES_OF_DOCUMENT) {
    throw new UsageError(
      `${path} is one JSON document of ${Math.ceil(size / MIB)} MiB, and at most ${MOST_BYTES_OF_DOCUMENT / MIB} MiB are read: export the users in several files.`,
    );
  }
  let text = '';
  for await (const chunk of textChunks(path)) text += chunk;
  return text;
}
