import { describe, expect, it } from 'vitest';
import { GATES } from '#scripts/lib/gates.ts';
import { folderWith } from './folder.ts';

const ELEMENTS = "import type { Elements } from './elements.ts';\n";
const check = (jsx: string, before = '', files: Readonly<Record<string, string>> = {}) =>
  GATES.texts.check(
    folderWith({
      'src/presentation/one.tsx': `${before}export function One({ a, is, children }: Props) {\n  return (\n${jsx}\n  );\n}\n`,
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`src/presentation/${name}`, text])),
    }),
  );

const SLOT = 'interface Props { readonly children: ReactNode }\n';
const ELEMENT_SLOT = `${ELEMENTS}interface Props { readonly children: Elements }\n`;

describe('the gate of bare texts', () => {
  it.each([
    ['a text beside an icon', "<p><Icon />{t('x')}</p>"],
    ['a text after one that can go away', "<p>{is && <Icon />}{t('x')}</p>"],
    ['two texts', '<p>+{a}</p>'],
    ['a text that can go away', "<p><b />{is && t('x')}</p>"],
    ['a text of a list', '<p><b />{a.map((one) => one.name)}</p>'],
    ['a text among elements of a list', '<p>{a.map((one) => (one.is ? <b /> : one.name))}</p>'],
    ['a text in place of an element', "<p>{is ? <b /> : t('x')}</p>"],
    ['a text in place of an element, in an attribute', "<One title={is ? <b /> : t('x')} />"],
    ['a text in a fragment', "<>{t('x')}</>"],
    ['a space in a fragment', "<p>{is && <>{' '}<b /></>}</p>"],
    ['a space beside what can go away', "<p><b />{' '}{is && <b />}</p>"],
    ['a space beside a component', '<p><b /> <One /></p>'],
    ['a text that a component gets beside others', "<One>{t('x')}<b /></One>"],
    ['a text that a provider passes on', "<Tools.Provider value={a}>{t('x')}</Tools.Provider>"],
    ['a slot beside others that may hold a text', '<p><b />{children}</p>', SLOT],
    ['a component that renders a text', "is ? <b /> : t('x')"],
    ['a component that renders what it gets', 'children', SLOT],
  ])('names %s', async (_, jsx, before = '') => {
    const { ok, output } = await check(jsx, before);
    expect(ok).toBe(false);
    expect(output).toMatch(/^src\/presentation\/one\.tsx:\d+ a .*: give it an element of its own/u);
  });

  it.each([
    ['a text alone in its element', "<p>{is ? t('x') : a.name}</p>"],
    ['a text that can go away, alone in its element', "<p>{is && t('x')}</p>"],
    ['elements beside each other', '<p>{is && <b />}{is ? <i /> : null}{a.map((one) => <u key={one}>{one}</u>)}</p>'],
    ['a list of a block', '<p><b />{a.map((one) => { const two = <u />; return is ? two : <i />; })}</p>'],
    ['a space between two elements that stay', '<p><b /> <i /></p>'],
    ['words between two elements that stay', '<p>one <b /> two</p>'],
    ['digits that are not translated', '<p translate="no">+{a}<wbr /></p>'],
    ['a text that a component puts alone into an element', "<One>{t('x')}</One>"],
    ['a slot for elements', '<p><b />{children}</p>', ELEMENT_SLOT],
    ['a component that renders the elements that it gets', 'children', `${ELEMENT_SLOT}const two = <b />;\n`],
    [
      'a function that gets elements',
      'children(a)',
      `${ELEMENTS}interface Props { readonly children: (a: A) => Elements }\nconst two = <b />;\n`,
    ],
  ])('accepts %s', async (_, jsx, before = '') => {
    expect(await check(jsx, before)).toMatchObject({ ok: true, output: '' });
  });

  it('reads the type of a slot where it is declared', async () => {
    const before = "import type { OneProps } from './types.ts';\n";
    const types = (type: string) => ({
      'types.ts': `export interface OneProps { readonly children: ${type} }\nexport interface Two { readonly children: Elements }\n`,
    });
    const jsx = '<p><b />{children}</p>';
    expect(await check(jsx, before, types('Elements'))).toMatchObject({ ok: true });
    expect(await check(jsx, before, types('ReactNode'))).toMatchObject({ ok: false });
  });

  it('fails where it finds no element at all', async () => {
    expect(await check('null')).toMatchObject({ ok: false });
  });

  it('finds none in the widget', async () => {
    expect(await GATES.texts.check()).toMatchObject({ ok: true, output: '' });
  });
});
