import { truncateSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ExportFile, type UnreadableRecord } from '#provider/operation/vendors/files/export-file.ts';
import { MOST_BYTES_OF_DOCUMENT } from '#provider/operation/vendors/files/text-chunks.ts';
import type { FileForm } from '#provider/operation/vendors/vendor.ts';
import { exportFolder } from './export-files.ts';

const file = exportFolder();
let count = 0;

interface ReadFile {
  readonly values: readonly unknown[];
  readonly numbers: readonly number[];
  readonly wrong: readonly UnreadableRecord[];
}

async function read(content: string | Uint8Array, form: FileForm = {}): Promise<ReadFile> {
  count += 1;
  const wrong: UnreadableRecord[] = [];
  const exported = new ExportFile(file(`export-${count}`, content), form, (record) => void wrong.push(record));
  const records: { readonly number: number; readonly values: unknown }[] = [];
  for await (const record of exported.records()) records.push(record);
  const before = wrong.length;
  const again: unknown[] = [];
  for await (const record of exported.records()) again.push(record);
  expect(again, 'a file can be read again').toEqual(records);
  expect(wrong.length, 'a wrong record is reported once').toBe(before);
  return { values: records.map(({ values }) => values), numbers: records.map(({ number }) => number), wrong };
}

const ADA = { id: '1', name: 'Ada' };
const ZOE = { id: '2', name: 'Zo\u00eb \u{1F600}' };
const BOTH = [ADA, ZOE];

describe('a file of an export', () => {
  it.each([
    ['an array', JSON.stringify(BOTH)],
    ['an indented array', JSON.stringify(BOTH, null, 2)],
    ['an object with a list', JSON.stringify({ users: BOTH })],
    ['an indented object with a list', JSON.stringify({ Users: BOTH, PaginationToken: 'x' }, null, 2)],
    [
      'pages one after the other',
      `${JSON.stringify({ Users: [ADA] }, null, 2)}\n${JSON.stringify({ Users: [ZOE] }, null, 2)}`,
    ],
    [
      'pages in an array',
      JSON.stringify([
        { data: [ADA], total_count: 2 },
        { data: [ZOE], total_count: 2 },
      ]),
    ],
    ['lines', `${JSON.stringify(ADA)}\n\n${JSON.stringify(ZOE)}\n`],
    ['lines of Windows', `${JSON.stringify(ADA)}\r\n${JSON.stringify(ZOE)}\r\n`],
    ['indented objects', `${JSON.stringify(ADA, null, 2)}\n${JSON.stringify(ZOE, null, 2)}`],
    ['CSV', 'id,name\n1,Ada\n2,Zo\u00eb \u{1F600}\n'],
    ['CSV of Windows', '"id","name"\r\n"1","Ada"\r\n"2","Zo\u00eb \u{1F600}"'],
    ['CSV that repeats its header', 'id,name\n1,Ada\nid,name\n2,Zo\u00eb \u{1F600}\n,\n'],
  ])('is read by its content: %s', async (_, text) => {
    const plain = await read(text);
    expect(plain).toEqual({ values: BOTH, numbers: [1, 2], wrong: [] });
    expect((await read(`\uFEFF${text}`)).values, 'with a byte order mark').toEqual(BOTH);
    const wide = Buffer.from(`\uFEFF${text}`, 'utf16le');
    expect((await read(wide)).values, 'as PowerShell writes it').toEqual(BOTH);
  });

  it('is read in parts, whatever is at their ends', async () => {
    const people = Array.from({ length: 1_500 }, (_, n) => ({ id: String(n), name: `Zo\u00eb \u{1F600} "${'x'.repeat(n % 90)}", and \\` })); // prettier-ignore
    expect((await read(JSON.stringify(people))).values).toEqual(people);
    expect((await read(people.map((each) => JSON.stringify(each)).join('\n'))).values).toEqual(people);
    const csv = people.map(({ id, name }) => `${id},"${name.replaceAll('"', '""')}"`).join('\n');
    expect((await read(`id,name\n${csv}`)).values).toEqual(people);
  });

  it('goes on after a line that is broken', async () => {
    const text = `{"id":"1"}\n{"id":"2"\n{"id":"3"}\n[4]\n{"id":"5"}`;
    const { values, wrong } = await read(text);
    expect(values).toEqual([{ id: '1' }, { id: '3' }, { id: '5' }]);
    expect(wrong.map(({ number, wrong: reason }) => [number, reason])).toEqual([[2, 'it is not JSON'], [4, 'it must be a JSON object']]); // prettier-ignore
    expect((await read(`{"id":\n${text}`)).values, 'also if it is the first').toHaveLength(3);
  });

  it('names a row whose values may be in the wrong columns, and reads the others', async () => {
    const { values, numbers, wrong } = await read('id,hash,name\n1,x,Ada\n2,Zoe\n3,x,Hopper, Grace\n4,y,Alan\n');
    expect(values).toEqual([{ id: '1', hash: 'x', name: 'Ada' }, { id: '4', hash: 'y', name: 'Alan' }]); // prettier-ignore
    expect(numbers).toEqual([1, 4]);
    expect(wrong.map(({ number }) => number)).toEqual([2, 3]);
  });

  it('names the record from which on nothing can be read', async () => {
    const cut = JSON.stringify(BOTH).slice(0, -5);
    expect(await read(cut)).toMatchObject({ values: [ADA], wrong: [{ number: 2, wrong: expect.stringContaining('cut off') }] }); // prettier-ignore
    expect(await read('id,name\n1,Ada\n2,"Zoe\n3,Alan\n')).toMatchObject({ values: [ADA], wrong: [{ number: 2 }] });
  });

  it('names a record with bytes that are no text', async () => {
    const bytes = Buffer.concat([Buffer.from('{"id":"1"}\n{"id":"'), Buffer.from([0xe9]), Buffer.from('"}\n{"id":"3"}')]); // prettier-ignore
    const { values, wrong } = await read(bytes);
    expect(values).toEqual([{ id: '1' }, { id: '3' }]);
    expect(wrong).toMatchObject([{ number: 2, wrong: expect.stringContaining('UTF-8') }]);
  });

  it('stays whole for a vendor whose documents say more than their list', async () => {
    const [realm, page] = [
      { id: 'r', users: BOTH },
      { id: 's', users: [] },
    ];
    const whole = { hasWholeDocuments: true };
    for (const text of [JSON.stringify(realm), JSON.stringify(realm, null, 2), `\uFEFF${JSON.stringify([realm])}`]) {
      expect((await read(text, whole)).values).toEqual([realm]);
    }
    const { values, wrong } = await read(`${JSON.stringify(realm)}\n{"id":\n${JSON.stringify(page)}\n`, whole);
    expect(values).toEqual([realm, page]);
    expect(wrong).toMatchObject([{ number: 2, wrong: 'it is not JSON' }]);
    const cut = JSON.stringify(realm, null, 2).slice(0, -9);
    expect(await read(cut, whole)).toMatchObject({ values: [], wrong: [{ number: 1, wrong: expect.stringContaining('cut off') }] }); // prettier-ignore
  });

  it('is not read whole if that fills the memory', async () => {
    const path = file('huge.json', '{');
    truncateSync(path, MOST_BYTES_OF_DOCUMENT + 1);
    const huge = new ExportFile(path, { hasWholeDocuments: true }, () => undefined);
    await expect(huge.records().next()).rejects.toThrow('one JSON document of 257 MiB, and at most 256 MiB are read: export the users in several files.'); // prettier-ignore
  });

  it('has nothing to read if it is empty', async () => {
    for (const text of ['', '\uFEFF\n \n', '[]', '{"users":[]}', 'id,name\n']) {
      expect((await read(text)).values.filter((value) => Object.keys(value as object).join() !== 'users')).toEqual([]);
    }
  });
});
