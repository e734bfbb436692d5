import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { CommandError } from './command-error.ts';
import { INIT_HELP, initOptionsFrom } from './init/init-options.ts';
import { initApp, type Surroundings } from './init/init.ts';

const { stdin, stdout } = process;

/** Rejects if the person ends the input. All questions come before the first file is written. */
async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: stdin, output: stdout });
  try {
    const end = new Promise<never>((_resolve, reject) => {
      terminal.once('close', () => reject(new CommandError('\nStopped. Nothing was written.')));
    });
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), end]);
    return /^y(?:es)?$/iu.test(answer.trim());
  } finally {
    terminal.close();
  }
}

function write(path: string, text: string, isNew: boolean): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: isNew ? 'wx' : 'w' });
  } catch (error) {
    throw new CommandError(`Cannot write ${path}: ${(error as NodeJS.ErrnoException).code ?? ''}.`);
  }
}

/** `npx portico init`, in the folder of the process. Answers the exit status. */
export async function runInit(args: readonly string[]): Promise<number> {
  const options = initOptionsFrom(args);
  if (options === null) {
    stdout.write(INIT_HELP);
    return 0;
  }
  const folder = process.cwd();
  const home = dirname(fileURLToPath(import.meta.resolve('portico/package.json')));
  const surroundings: Surroundings = {
    folder,
    guide: (page) => {
      const path = join(home, page);
      return { path: relative(folder, path), text: readFileSync(path, 'utf8') };
    },
    ask: stdin.isTTY && stdout.isTTY ? ask : null,
    say: (line) => stdout.write(`${line}\n`),
    write: (path, text, isNew) => write(join(folder, path), text, isNew),
  };
  return initApp(options, surroundings);
}
