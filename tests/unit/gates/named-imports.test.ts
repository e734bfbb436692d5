import { expect, it } from 'vitest';
import { GATES } from '#scripts/lib/gates.ts';
import { folderWith } from './folder.ts';

it.each([
  ['src/domain/a.ts', "import type { B } from './contacts/b.ts';"],
  ['src/composition/lazy/a.ts', "export { b } from '../mount.tsx';"],
  ['src/composition/a.ts', "import { b } from '#domain/b.ts';"],
  ['provider/src/accounts/users/a.ts', "import { b } from '../sessions/b.ts'; import '#provider/base/c.ts';"],
  ['provider/src/main.ts', "import { b } from './base/b.ts';"],
  ['provider/tests/flows/a.ts', "import { b } from '../kit/b.ts';"],
])('an import may stay as it is in %s', async (file, text) => {
  const root = folderWith({ [file]: text, 'src/domain/z.ts': '' });
  expect(await GATES.namedImports.check(root)).toMatchObject({ ok: true, output: '' });
});

it.each([
  ['src/composition/a.ts', '../domain/b.ts', '#domain/b.ts'],
  ['provider/src/accounts/users/a.ts', '../../../../server-rules/b.ts', '#server-rules/b.ts'],
  ['provider/src/accounts/users/a.ts', '../../base/db/b.ts', '#provider/base/db/b.ts'],
  ['kit/a.ts', '../src/application/ports/index.ts', '#application/ports/index.ts'],
  ['provider/tests/flows/a.ts', '../../../tests/kits/b.ts', '#tests/kits/b.ts'],
  ['tests/unit/a.ts', '../../scripts/lib/root.mjs', '#scripts/lib/root.mjs'],
])('an import in %s of %s needs a name', async (file, path, name) => {
  for (const text of [`import '${path}';`, `export * from '${path}';`, `const x = () => import('${path}');`]) {
    const { ok, output } = await GATES.namedImports.check(folderWith({ [file]: text }));
    expect(ok).toBe(false);
    expect(output).toBe(`${file}: import '${path}' as '${name}'`);
  }
});
