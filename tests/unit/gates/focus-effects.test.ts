import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';

/** What moves the focus, or selects or writes a field. */
const TAKES = /\.(?:focus|select|setSelectionRange|showModal)\(|\btakeFocus\(|\.value = /u;

/** The lines of effects that do so after the paint. */
function lateEffectsIn(file: string, text: string): string[] {
  const found: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [effect], start }) {
      if (callee.type !== 'Identifier' || callee.name !== 'useEffect' || effect === undefined) return;
      if (TAKES.test(text.slice(effect.start, effect.end)))
        found.push(`${file}:${text.slice(0, start).split('\n').length}`);
    },
  }).visit(parseSync(file, text).program);
  return found;
}

it('no effect of the widgets moves the focus, selects or writes after the paint', () => {
  const files = readdirSync(join(ROOT, 'src/presentation'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/u.test(name))
    .map((name) => `src/presentation/${name}`);
  expect(files.length).toBeGreaterThan(200);
  expect(files.flatMap((file) => lateEffectsIn(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

it.each([
  ['useEffect(() => field.current?.focus(), []);', true],
  ['useEffect(() => {\n  if (a) takeFocus(b);\n});', true],
  ['useEffect(() => {\n  input.value = text;\n});', true],
  ['useBeforePaint(() => field.current?.focus(), []);', false],
  ['useEffect(() => announce(text), [text]);', false],
])('of %s it says that it takes the focus late: %s', (text, isFound) => {
  expect(lateEffectsIn('one.tsx', text)).toEqual(isFound ? ['one.tsx:1'] : []);
});
