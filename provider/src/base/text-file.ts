import { readFileSync } from 'node:fs';

/** The text has another encoding, which some shells and editors of Windows use. */
export class OtherEncoding extends Error {
  /** Takes the place of a system error's code, such as `ENOENT`, in messages. */
  readonly code: string;

  constructor(encoding: 'UTF-16' | 'not UTF-8') {
    const code = `${encoding}: save it as UTF-8`;
    super(`it is ${code}`);
    this.code = code;
  }
}

/**
 * The text of a file that people write, without the byte order mark that some editors add.
 *
 * @param file a path, or a descriptor
 * @throws an error of the system, or an `OtherEncoding`; both have a `code`
 */
export const textOfFile = (file: string | number): string => textOfBytes(readFileSync(file));

/** Like `textOfFile`, for bytes that were already read. */
export function textOfBytes(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) throw new OtherEncoding('UTF-16');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new OtherEncoding('not UTF-8');
  }
}
