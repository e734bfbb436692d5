import { describe, expect, it } from 'vitest';
import { GATES } from '#scripts/lib/gates.ts';
import { projectWith } from './folder.ts';
import { soakIt } from '../../soak-tests.ts';

describe('the lint gate', () => {
  const wrong: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    [
      'a cycle',
      {
        'src/a.ts': "import { b } from './b.ts';\nexport const a = (): number => b();\n",
        'src/b.ts': "import { a } from './a.ts';\nexport const b = (): number => a();\n",
      },
      'no-cycle',
    ],
    [
      'a cycle of types',
      {
        'src/a.ts': "import type { B } from './b.ts';\nexport interface A {\n  readonly b: B | null;\n}\n",
        'src/b.ts': "import type { A } from './a.ts';\nexport interface B {\n  readonly a: A | null;\n}\n",
      },
      'no-cycle',
    ],
    ['a default export', { 'src/a.ts': 'export default 1;\n' }, 'no-default-export'],
    ['any', { 'src/a.ts': 'export const a = (b: any): unknown => b;\n' }, 'no-explicit-any'],
    ['a floating promise', { 'src/a.ts': 'Promise.resolve(1);\n' }, 'no-floating-promises'],
    [
      'a switch that forgets a case',
      {
        'src/a.ts':
          "export function a(b: 'x' | 'y'): number {\n  switch (b) {\n    case 'x':\n      return 1;\n  }\n  return 0;\n}\n",
      },
      'switch-exhaustiveness-check',
    ],
    [
      'a conditional hook',
      {
        'src/A.tsx':
          "import { useState } from 'react';\nexport function A({ on }: { on: boolean }) {\n  if (on) useState(1);\n  return null;\n}\n",
      },
      'rules-of-hooks',
    ],
    ['an image without a text', { 'src/A.tsx': 'export const A = () => <img src="a.png" />;\n' }, 'alt-text'],
    [
      'a focused test',
      { 'tests/a.test.ts': "import { it } from 'vitest';\nit.only('is', () => {});\n" },
      'no-focused-tests',
    ],
    [
      'a replaced module where files share modules',
      { 'tests/mock.test.ts': "import { vi } from 'vitest';\nvi.mock('node:dns', () => ({}));\n" },
      'no-restricted-properties',
    ],
  ];
  const SOUND = {
    'src/sound.ts': 'export const a = 1;\n',
    'tests/mock.alone.test.ts': "import { vi } from 'vitest';\nvi.mock('node:dns', () => ({}));\n",
  };
  /** All of them in one project, each in a folder of its own, and the sound file beside them. */
  const together = async () => {
    const all = wrong.flatMap(([, files], index) =>
      Object.entries(files).map(([path, text]) => [path.replace('/', `/${index}/`), text] as const),
    );
    return GATES.lint.check(projectWith({ ...Object.fromEntries(all), ...SOUND }));
  };

  it('names what is wrong, each with its file, and nothing else', async () => {
    const { ok, output } = await together();
    expect(ok).toBe(false);
    for (const [index, [name, , rule]] of wrong.entries()) {
      const said = output.split(/\n\s*\n/u).filter((one) => one.includes(`/${index}/`));
      expect(said.join('\n'), name).toContain(rule);
    }
    for (const path of Object.keys(SOUND)) expect(output).not.toContain(path);
  });

  it('fails when there was nothing to read', async () => {
    expect((await GATES.lint.check(projectWith({}))).ok).toBe(false);
  });

  soakIt('accepts a sound file', async () => {
    expect(await GATES.lint.check(projectWith({ 'src/a.ts': 'export const a = 1;\n' }))).toMatchObject({ ok: true });
  });
});

describe('the type gates', () => {
  const sources = { 'types/core-platform.d.ts': 'export {};\n', 'src/application/b.ts': 'export {};\n' };

  it('names a wrong type, and lets no browser into the core', async () => {
    const wrong = { 'src/domain/a.ts': "export const a: number = 'x';\n" };
    const root = projectWith({ ...sources, ...wrong, 'src/domain/b.ts': 'export const b = window;\n' });
    const types = await GATES.types.check(root);
    expect(types).toMatchObject({ ok: false, output: expect.stringContaining('TS2322') });
    expect(types.output).not.toContain('window');
    expect(await GATES.core.check(root)).toMatchObject({ ok: false, output: expect.stringContaining('window') });
  });
});

describe('the format gate', () => {
  it('names a file that is written otherwise', async () => {
    const root = projectWith({ 'src/a.ts': 'export const a = "1"\n' });
    expect(await GATES.format.check(root)).toMatchObject({ ok: false, output: expect.stringContaining('src/a.ts') });
  });
});
