import { stat } from 'node:fs/promises';
import { fileBytes } from './file-bytes.ts';
import { UsageError } from '#provider/base/usage-error.ts';

const MIB = 2 ** 20;
/** The values of a document need several times its length. */
export const MOST_BYTES_OF_DOCUMENT = 256 * MIB;

/** PowerShell redirects the output of programs in UTF-16. */
function encodingOf(start: Uint8Array): string {
  const [first, second] = start;
  // Without a mark, an ASCII character has a zero beside it.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : 'utf-8';
}

/** The text of a file without its byte order mark. Bytes that are no text become U+FFFD: only their record is wrong. */
export async function* textChunks(path: string, fatal = false): AsyncGenerator<string, void> {
  let decoder: TextDecoder | null = null;
  for await (const part of fileBytes(path)) {
    decoder ??= new TextDecoder(encodingOf(part), { fatal });
    const text = decoder.decode(part, { stream: true });
    if (text !== '') yield text;
  }
  const end = decoder?.decode() ?? '';
  if (end !== '') yield end;
}

/** Whether all bytes of a file are text, so that each U+FFFD in it is one of the old system. */
export async function isWholeText(path: string): Promise<boolean> {
  try {
    for await (const _ of textChunks(path, true));
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
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
  for await (const chunk of textChunks(path)) {
    text += chunk;
    if (text.length <= MOST_BYTES_OF_DOCUMENT) continue;
    throw new UsageError(`${path} is one JSON document of more than ${MOST_BYTES_OF_DOCUMENT / MIB} MiB when it is unpacked: export the users in several files.`); // prettier-ignore
  }
  return text;
}
