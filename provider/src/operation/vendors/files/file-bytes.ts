import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UsageError } from '#provider/base/usage-error.ts';

const MIB = 2 ** 20;
/** Exports of users become five to thirty times larger. A file of zeros becomes a thousand times larger, and is no export. */
const MOST_TIMES = 200;
/** Small files are unpacked however well they are packed. */
const ALWAYS_BYTES = 2 * MIB;

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
const PGP_TEXT = '-----BEGIN PGP MESSAGE';
const HEAD_BYTES = PGP_TEXT.length;

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Refuses what must be unpacked or decrypted by another program. */
function refuseOthers(path: string, head: Buffer): void {
  if (head.subarray(0, ZIP.length).equals(ZIP)) throw new UsageError(`${path} is a ZIP archive: unpack it first.`);
  if (head.toString('latin1') !== PGP_TEXT) return;
  throw new UsageError(`${path} is encrypted with PGP: decrypt it first, such as by gpg --decrypt.`);
}

const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** The bytes of a file, unpacked if it is a gzip file. */
export async function* fileBytes(path: string): AsyncGenerator<Buffer, void> {
  const head = await headOf(path);
  refuseOthers(path, head);
  const source = createReadStream(path);
  if (isGzip(head)) yield* unpacked(path, source);
  else yield* source as AsyncIterable<Buffer>;
}

async function* unpacked(path: string, source: ReturnType<typeof createReadStream>): AsyncGenerator<Buffer, void> {
  let size = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      const isTooLarge = size > ALWAYS_BYTES && size > source.bytesRead * MOST_TIMES;
      const fault = `${path} becomes more than ${MOST_TIMES} times larger when it is unpacked, as no export of users does.`;
      done(isTooLarge ? new UsageError(fault) : null, chunk);
    },
  });
  const output = pipeline(source, createGunzip(), bounded, () => undefined);
  try {
    yield* output as AsyncIterable<Buffer>;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_')) throw error;
    throw new UsageError(`${path} is a gzip file that is damaged or cut off (${code}).`, { cause: error });
  } finally {
    source.destroy();
  }
}
