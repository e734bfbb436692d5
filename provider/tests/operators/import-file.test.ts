import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { importFile } from '#provider/operation/commands/import-file.ts';
import { untilInterrupted } from '#provider/operation/commands/manage.ts';
import type { ActionRunner } from '#provider/operation/commands/operate.ts';
import { readProject } from '#provider/operation/options/project-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-import-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const users = (count: number): string =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ external_id: `crm-${n}` })).join('\n');

const project = readProject(null, null, true);
/** Has every user made, and calls `made` after each batch. */
const runner = (made: () => void = () => undefined): ActionRunner => ({
  project,
  mostBytes: 1_000_000,
  close: () => Promise.resolve(),
  run(_, { lines }) {
    made();
    return Promise.resolve({ rows: (lines as object[]).map(() => ({ result: 'imported', user_id: 'user' })) });
  },
});

/** Imports the file in a process that gets these signals. */
const imported = (path: string, signals: EventEmitter, fields: object, made?: () => void): Promise<string> =>
  untilInterrupted(signals, async (signal) =>
    importFile(runner(made), { fields: { file: path, ...fields }, json: false }, () => undefined, signal),
  );

describe('an import that is interrupted', () => {
  it.each(['SIGINT', 'SIGTERM'])(
    'finishes the batches under way, and says how many users were made and how to go on: %s',
    async (name) => {
      const signals = new EventEmitter();
      let batches = 0;
      const path = file('many.jsonl', users(3_500));
      const importing = imported(path, signals, {}, () => {
        batches += 1;
        if (batches === 2) signals.emit(name);
      });
      await expect(importing).rejects.toThrow(
        'Interrupted. 2000 imported, 0 were there already, 0 refused. 1500 lines are left: give the same file again to go on. ' +
          'Users who are there already do not change.',
      );
      expect(batches).toBe(2);
      expect(signals.listenerCount(name), 'a further signal ends the process').toBe(0);
    },
  );

  it('says that nothing was imported while the lines are checked', async () => {
    const signals = new EventEmitter();
    const importing = imported(file('few.jsonl', users(3)), signals, {});
    signals.emit('SIGINT');
    await expect(importing).rejects.toThrow('Interrupted while the lines were checked. Nothing was imported.');
  });

  it('has imported all if the last line was sent already', async () => {
    const signals = new EventEmitter();
    const importing = imported(file('three.jsonl', users(3)), signals, {}, () => void signals.emit('SIGINT'));
    expect(await importing).toBe('3 imported, 0 were there already, 0 refused.');
  });
});

describe('an import of a file', () => {
  const said = (path: string, fields: object = { dry_run: true }): Promise<string> =>
    imported(path, new EventEmitter(), fields);

  it('counts one line as one', async () => {
    expect(await said(file('one.jsonl', users(1)))).toBe('1 line is in order.');
    expect(await said(file('two.jsonl', users(2)))).toBe('2 lines are in order.');
  });

  it.each([
    ['empty.jsonl', '', 'has no line with a user.'],
    ['spaces.jsonl', '\uFEFF\n \n', 'has no line with a user.'],
    ['users.csv', '\nemail,name\nada@example.com,Ada', 'is not JSON of a user.'],
    ['array.json', '[{ "external_id": "crm-1" }]', 'is not JSON of a user.'],
  ])('names the format and its page if it is %s', async (name, text, problem) => {
    const path = file(name, text);
    for (const fields of [{}, { dry_run: true }]) {
      const error = (await said(path, fields).catch((thrown: unknown) => thrown)) as Error;
      expect(error.message).toMatch(/^Nothing was imported\. /u);
      expect(error.message).toContain(problem);
      expect(error.message).toContain('docs/people.md of the package portico, "Importing and exporting users"');
      expect(error.message).toContain('CSV');
      expect(error.message).not.toContain('ada,');
    }
  });
});
