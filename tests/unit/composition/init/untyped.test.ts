import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { FRAMEWORK_NAMES, frameworkOf } from '#composition/tools/init/frameworks.ts';
import { guideFiles } from '#composition/tools/init/guide-files.ts';
import { untypedName, untypedText } from '#composition/tools/init/untyped.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { starterFiles } from '../../docs/guide-files.ts';
import { freshApp, manifestWith } from './fresh-app.ts';

const untyped = FRAMEWORK_NAMES.flatMap((name) => {
  const { guide, recipe } = frameworkOf(name);
  return recipe?.types === undefined
    ? []
    : [[name, { guide, files: Object.keys(recipe.files), types: recipe.types }] as const];
});

/** The scripts of a file: all of it, or those of a component. */
const scriptsOf = (text: string): readonly string[] => {
  const scripts = [...text.matchAll(/<script(?: setup)?>\n([\s\S]*?)<\/script>/gu)].map(([, script = '']) => script);
  return scripts.length > 0 ? scripts : [text];
};

describe('in an app in JavaScript, the files of init', () => {
  it.each(untyped)(
    'for %s have no types, and import each other by their names there',
    (_name, { guide, files, types }) => {
      const shown = guideFiles(readFileSync(join(ROOT, guide), 'utf8'));
      const texts = files.map((file) => shown.get(file) ?? '');
      for (const [type] of types)
        expect(
          texts.some((text) => text.includes(type)),
          type,
        ).toBe(true);
      for (const [index, text] of texts.entries()) {
        const name = untypedName(files[index] ?? '');
        const after = untypedText(text, types);
        expect([name, /\.tsx?\b| lang=/u.exec(after)?.[0]]).toEqual([name, undefined]);
        for (const script of scriptsOf(after)) {
          expect([name, parseSync(name, script, { lang: name.endsWith('x') ? 'jsx' : 'js' }).errors]).toEqual([
            name,
            [],
          ]);
        }
      }
    },
  );

  it('replace those of the starter', async () => {
    const app = freshApp({ ...starterFiles('vite-react-js'), 'package.json': manifestWith(['vite', 'react']) });
    const replaced = ['src/main.jsx', 'src/App.jsx', 'vite.config.js'];
    expect(await app.init(replaced.flatMap((file) => ['--replace', file]))).toMatchObject({ status: 0 });
    expect(['src/portico.js', 'src/Account.jsx', 'server.js'].filter((name) => !app.has(name))).toEqual([]);
    expect(['src/main.tsx', 'src/portico.ts', 'vite.config.ts'].filter((name) => app.has(name))).toEqual([]);
    expect(app.read('src/main.jsx')).toContain("import { client } from './portico.js';");
    expect(app.read('vite.config.js')).toContain("'/api': 'http://localhost:3001'");
  });
});
