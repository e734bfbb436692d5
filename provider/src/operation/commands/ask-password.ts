import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from '#provider/base/usage-error.ts';

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/** A longer line is no password: this server accepts 4096 bytes. */
const MOST_BYTES = 8_192;

/**
 * A password that a person types at the terminal, where it is not shown; or the first line of the input, if that is no terminal.
 */
export async function askPassword(
  question: string,
  input: Input = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<string> {
  return input.isTTY === true ? fromTerminal(question, input, output) : firstLine(input);
}

async function fromTerminal(question: string, input: Input, output: NodeJS.WritableStream): Promise<string> {
  // The terminal shows nothing itself while readline reads it, and what readline would show goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  output.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      const stop = (): void => reject(new UsageError('Interrupted. Nothing was imported.'));
      asking.once('line', resolve);
      asking.once('SIGINT', stop);
      asking.once('close', stop);
    });
  } finally {
    output.write('\n');
    asking.close();
  }
}

async function firstLine(input: Input): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.from(chunk);
    chunks.push(part);
    bytes += part.length;
    if (part.includes('\n') || bytes > MOST_BYTES) break;
  }
  const line = utf8(Buffer.concat(chunks)).split('\n', 1)[0] ?? '';
  return line.replace(/\r$/u, '');
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new UsageError('Nothing was imported. The password on the input is not text in UTF-8.', { cause: error });
  }
}
