import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const compressed = promisify(brotliCompress);
/** The second-best level: the best takes three times as long, for two per cent. The first visitor waits for it. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/** The telephone tables as a script for browsers, plain and compressed. */
export interface PhoneNumbersScript {
  readonly text: string;
  readonly brotli: Uint8Array<ArrayBuffer>;
}

let script: Promise<PhoneNumbersScript> | null = null;

/**
 * The script that defines `libphonenumber` and `phoneExamples`, made from the package's own files. It is read and compressed at the first
 * call.
 */
export function phoneNumbersScript(): Promise<PhoneNumbersScript> {
  script ??= make().catch((error: unknown) => {
    script = null;
    throw error;
  });
  return script;
}

async function make(): Promise<PhoneNumbersScript> {
  const folder = dirname(createRequire(import.meta.url).resolve('libphonenumber-js/package.json'));
  const [library, examples] = await Promise.all(
    // The complete tables: the smaller ones accept numbers that `users/phone-numbers.ts` refuses.
    ['bundle/libphonenumber-max.js', 'examples.mobile.json'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  const code = (library ?? '').replace(/\n\/\/# sourceMappingURL=.*\n*$/u, '');
  const text = `${code}\nwindow.phoneExamples = ${JSON.stringify(JSON.parse(examples ?? ''))};\n`;
  return { text, brotli: Uint8Array.from(await compressed(text, QUALITY)) };
}
