import { describe, expect, it } from 'vitest';
import { GATES } from '#scripts/lib/gates.ts';
import { folderWith } from './folder.ts';

/** The files `file-0.ts` to `file-N.ts` of a folder, each with the text that `textOf` has for it. */
const room = (folder: string, count: number, textOf: (at: number) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${folder}/file-${at}.ts`, textOf(at)]));
const importsNext = (count: number) => (at: number) =>
  at + 1 < count ? `import type { T } from './file-${at + 1}.ts';` : '';

describe('the gate of folders', () => {
  it('accepts 25 files, and 8 floors', async () => {
    const root = folderWith({ ...room('src/a', 25, () => ''), ...room('kit/b', 8, importsNext(8)) });
    expect(await GATES.rooms.check(root)).toMatchObject({ ok: true, output: '', note: '2 folders' });
  });

  it.each(['src/a', 'server-rules', 'kit/a', 'provider/src/a'])('refuses 26 files in %s', async (folder) => {
    const { ok, output } = await GATES.rooms.check(folderWith(room(folder, 26, () => '')));
    expect(ok).toBe(false);
    expect(output).toBe(`${folder} has 26 files, more than 25`);
  });

  it('refuses nine floors, and names them', async () => {
    const { ok, output } = await GATES.rooms.check(folderWith(room('src/a', 9, importsNext(9))));
    expect(ok).toBe(false);
    expect(output).toMatch(
      /^src\/a has more than 8 floors: file-0\.ts imports file-1\.ts imports .* imports file-8\.ts$/u,
    );
  });

  it('counts the files and floors of each folder for itself', async () => {
    const root = folderWith({
      ...room('src/a', 20, () => ''),
      ...room('src/a/b', 20, () => ''),
      ...room('src/c', 8, importsNext(8)),
      'src/d/top.ts': "import '../c/file-0.ts';",
    });
    expect(await GATES.rooms.check(root)).toMatchObject({ ok: true });
  });

  it('fails where it finds no folder', async () => {
    expect((await GATES.rooms.check(folderWith({ 'docs/a.ts': '' }))).ok).toBe(false);
  });
});
