import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { initOptionsFrom } from '#composition/tools/init/init-options.ts';
import { initApp } from '#composition/tools/init/init.ts';
import { ROOT } from '#scripts/lib/root.mjs';

/** An app in a temporary folder, which depends on the package. */
export interface FreshApp {
  read(name: string): string;
  has(name: string): boolean;
  write(name: string, text: string): void;
  /**
   * Runs `init`.
   *
   * @param answers by the start of the question; null is a process without a terminal
   */
  init(args: readonly string[], answers?: Readonly<Record<string, boolean>> | null): Promise<Run>;
}

interface Run {
  readonly status: number;
  readonly said: string;
  readonly questions: readonly string[];
}

/** The files of an app with `portico` among its dependencies, as `npm install` adds it. */
export function freshApp(files: Readonly<Record<string, string>>): FreshApp {
  const folder = mkdtempSync(join(tmpdir(), 'portico-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return {
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    has: (name) => existsSync(join(folder, name)),
    write,
    init: async (args, answers = null) => {
      const options = initOptionsFrom(args);
      if (options === null) throw new Error('The arguments ask for help.');
      const lines: string[] = [];
      const questions: string[] = [];
      const ask = async (question: string): Promise<boolean> => {
        questions.push(question);
        return Object.entries(answers ?? {}).find(([start]) => question.startsWith(start))?.[1] ?? false;
      };
      const status = await initApp(options, {
        folder,
        guide: (page) => ({ path: `node_modules/portico/${page}`, text: readFileSync(join(ROOT, page), 'utf8') }),
        ask: answers === null ? null : ask,
        say: (line) => lines.push(line),
        write: (name, text) => write(name, text),
      });
      return { status, said: lines.join('\n'), questions };
    },
  };
}

/** A package.json that depends on these packages and on `portico`. */
export const manifestWith = (packages: readonly string[], fields: object = {}): string =>
  `${JSON.stringify({ ...fields, dependencies: Object.fromEntries([...packages, 'portico'].map((name) => [name, '*'])) }, null, 2)}\n`;
