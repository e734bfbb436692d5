import { describe, expect, it } from 'vitest';
import { GATES } from '#scripts/lib/gates.ts';
import { folderWith } from './folder.ts';

const provider = { 'provider/src/main.ts': "import './base/a.ts';", 'provider/src/base/a.ts': '' };

describe('the gate of circles', () => {
  it('accepts folders of which none reaches itself again', async () => {
    const root = folderWith({
      ...provider,
      'src/a/one.ts': "import './two.ts'; export * from '../b/three.ts';",
      'src/a/two.ts': '',
      'src/b/three.ts': "import type { T } from 'rxjs';",
    });
    expect(await GATES.circles.check(root)).toMatchObject({ ok: true, output: '' });
  });

  it.each([
    ['import()', "export const load = () => import('./two.ts');", "import './one.ts';"],
    ['a type', "import type { Two } from './two.ts';", "import type { One } from './one.ts';"],
    ['an export', "export { two } from './two.ts';", "import { one } from './one.ts';"],
  ])('names two files that import each other by %s', async (_, one, two) => {
    const root = folderWith({ ...provider, 'src/a/one.ts': one, 'src/a/two.ts': two });
    const { ok, output } = await GATES.circles.check(root);
    expect(ok).toBe(false);
    expect(output).toContain('2 files import each other');
    expect(output).toContain('src/a/one.ts imports src/a/two.ts');
  });

  it('names folders that import each other, although no files do', async () => {
    const root = folderWith({
      'src/a/one.ts': '',
      'provider/src/users/store.ts': "import '../sessions/find.ts';",
      'provider/src/users/tables.ts': '',
      'provider/src/sessions/find.ts': '',
      'provider/src/sessions/store.ts': "import '../users/tables.ts';",
    });
    const { ok, output } = await GATES.circles.check(root);
    expect(ok).toBe(false);
    expect(output).not.toContain('files import');
    expect(output).toContain('provider/src/users imports provider/src/sessions');
  });

  it('treats a file in a folder with folders as a separate node', async () => {
    const root = folderWith({
      ...provider,
      'src/services.ts': "import type { A } from './a/one.ts';",
      'src/contract.ts': '',
      'src/a/one.ts': "import '../contract.ts';",
    });
    expect(await GATES.circles.check(root)).toMatchObject({ ok: true });
  });
});
