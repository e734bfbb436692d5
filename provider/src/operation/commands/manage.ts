import { createInterface } from 'node:readline/promises';
import { isRecord } from '#domain/shape.ts';
import { pathName } from '../operators/commands.ts';
import type { Row } from '../operators/desk/listing.ts';
import { importFile } from './import-file.ts';
import { operate, type ActionRunner } from './operate.ts';
import type { OperatorRequest } from './requests.ts';
import { tableText } from './table.ts';
import { UsageError } from '#provider/base/usage-error.ts';

/** Writes a part of the output that is followed by more. */
export type Print = (text: string) => void;

/** Runs a command on the data, and resolves with the rest of its output. */
export async function manage(options: OperatorRequest, write: Print): Promise<string> {
  const { question } = options.command;
  if (question !== undefined && !options.yes) await confirm(question);
  const operating = await operate(options, options.by);
  try {
    if (options.name === 'users import') {
      return await untilInterrupted(process, async (signal) => importFile(operating, options, write, signal));
    }
    const isWhole = options.name === 'users export' && options.fields['all'] === true;
    return isWhole || options.command.everyPage === true
      ? await everyPage(operating, options, write)
      : render(options, await pageOf(operating, options, options.fields));
  } finally {
    await operating.close();
  }
}

/** The signals that a terminal sends for Ctrl-C, and a process manager to stop a program. */
const INTERRUPTIONS = ['SIGINT', 'SIGTERM'] as const;

/** Runs work that can stop itself when it is interrupted. A second signal ends the process immediately. */
export async function untilInterrupted<T>(
  signals: Pick<NodeJS.EventEmitter, 'once' | 'off'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interruption = new AbortController();
  const stop = (): void => {
    interruption.abort();
    for (const name of INTERRUPTIONS) signals.off(name, stop);
  };
  for (const name of INTERRUPTIONS) signals.once(name, stop);
  try {
    return await work(interruption.signal);
  } finally {
    for (const name of INTERRUPTIONS) signals.off(name, stop);
  }
}

async function confirm(question: string): Promise<void> {
  const error = new UsageError('Nothing was done. Give --yes to skip the question.');
  if (!process.stdin.isTTY) throw error;
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await asking.question(`${question} Type yes: `);
  asking.close();
  if (answer.trim() !== 'yes') throw error;
}

interface Page {
  readonly rows: readonly Row[];
  readonly next: string | null;
  readonly message: string | null;
}

async function pageOf(operating: ActionRunner, { name }: OperatorRequest, fields: Row): Promise<Page> {
  const { rows, next, said: message } = await operating.run(pathName(name), fields);
  return {
    rows: Array.isArray(rows) ? rows.filter((row) => isRecord(row)) : [],
    next: typeof next === 'string' ? next : null,
    message: typeof message === 'string' ? message : null,
  };
}

/** JSON that escapes characters that a terminal would interpret or reorder, or that some programs treat as line ends. */
function visibleJson(row: Row, indent?: number): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const odd = /[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}]/gu;
  return JSON.stringify(row, null, indent).replaceAll(odd, (found) => found.replaceAll(/[^]/g, escaped));
}

function render({ command, json, name }: OperatorRequest, { rows, next, message }: Page): string {
  if (json) return [...rows, ...(next === null ? [] : [{ next }])].map((row) => visibleJson(row)).join('\n');
  if (message !== null) return message;
  // A person's data is one file, which a table in pages would cut off.
  if (command.json === true) return rows.map((row) => visibleJson(row, name === 'users export' ? 0 : 2)).join('\n');
  if (rows.length === 0) return 'There are none.';
  const more = next === null ? '' : `\nmore: --after ${next}`;
  return tableText(command.columns ?? [], rows) + more;
}

/** Writes all pages, no matter how many there are. */
async function everyPage(operating: ActionRunner, options: OperatorRequest, write: Print): Promise<string> {
  let after: string | null = null;
  let last: string | null = null;
  do {
    const fields: Row = { ...options.fields, ...(after === null ? {} : { after }) };
    const page: Page = await pageOf(operating, options, fields);
    for (const row of page.rows) {
      if (last !== null) write(last);
      last = visibleJson(row);
    }
    after = page.next;
  } while (after !== null);
  return last ?? '';
}
