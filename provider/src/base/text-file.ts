import { readFileSync } from 'node:fs';

/** The text is in another encoding, as some shells of Windows write it. */
export class OtherEncoding extends Error {
  /** In the place of the code of a system error, such as `ENOENT`, which messages quote. */
  readonly code = 'UTF-16: save it as UTF-8';

  constructor() {
    super('it is UTF-16: save it as UTF-8');
  }
}

/**
 * The text of a file that people write, without the byte order mark that editors put before it.
 *
 * @param file a path, or a descriptor
 * @throws an error of the system, or an `OtherEncoding`; both have a `code`
 */
export const textOfFile = (file: string | number): string => textOfBytes(readFileSync(file));

/** As `textOfFile`, of bytes that were read. */
export function textOfBytes(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) throw new OtherEncoding();
  return new TextDecoder().decode(bytes);
}
