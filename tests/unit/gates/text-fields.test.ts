import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor, type JSXOpeningElement } from 'oxc-parser';
import { expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';

/** The component that knows when an input method composes. */
const FIELD = 'src/presentation/components/TextField.tsx';
const WITHOUT_TEXT = new Set(['checkbox', 'radio', 'file', 'hidden', 'button', 'submit']);

function isTyped({ name, attributes }: JSXOpeningElement): boolean {
  const values = new Map(
    attributes.flatMap((one) =>
      one.type === 'JSXAttribute' && one.name.type === 'JSXIdentifier' ? [[one.name.name, one.value] as const] : [],
    ),
  );
  if (values.has('contentEditable')) return true;
  if (name.type !== 'JSXIdentifier' || !/^(?:input|textarea)$/u.test(name.name)) return false;
  const type = values.get('type');
  if (type?.type === 'Literal' && typeof type.value === 'string' && WITHOUT_TEXT.has(type.value)) return false;
  return values.get('readOnly') !== null;
}

/** The lines of elements that take text past the component. */
function fieldsIn(file: string, text: string): string[] {
  const found: string[] = [];
  new Visitor({
    JSXOpeningElement(element) {
      if (isTyped(element)) found.push(`${file}:${text.slice(0, element.start).split('\n').length}`);
    },
  }).visit(parseSync(file, text).program);
  return found;
}

it('every field for text of the widgets is a TextField', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => `src/${name}`);
  expect(files).toContain(FIELD);
  const found = files.flatMap((file) => fieldsIn(file, readFileSync(join(ROOT, file), 'utf8')));
  expect(found.map((place) => place.replace(/:\d+$/u, ''))).toEqual([FIELD]);
});

it.each([
  ['<input onChange={edit} />', true],
  ['<input type="email" />', true],
  ['<input type={type} />', true],
  ['<input readOnly={busy} />', true],
  ['<textarea />', true],
  ['<p contentEditable />', true],
  ['<input type="checkbox" onChange={edit} />', false],
  ['<input readOnly value={email} />', false],
  ['<TextField onText={edit} />', false],
])('of %s it says that it takes text past the component: %s', (markup, isFound) => {
  expect(fieldsIn('one.tsx', `const a = ${markup};`)).toEqual(isFound ? ['one.tsx:1'] : []);
});
