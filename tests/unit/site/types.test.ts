import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { parseDocstring } from '../../../site/api/docstring.ts';
import { simpleType } from '../../../site/api/simple-types.ts';
import { namesIn } from '../../../site/make/markup.ts';

const simple = (type: string): string => {
  const source = `type X = ${type};`;
  const [node] = parseSync('x.d.ts', source).program.body;
  if (node?.type !== 'TSTypeAliasDeclaration') throw new Error('no type');
  return simpleType(source, node.typeAnnotation).text;
};

describe('The API reference', () => {
  it('shows an inferred type as a person would write it', () => {
    expect(simple('import("./a.ts").Deleted')).toBe('Deleted');
    expect(simple('{ readonly a: import("./a.ts").B<string>[] }')).toBe('{ a: B<string>[] }');
    const endpoint = (reply: string) =>
      `import("../e.ts").Endpoint<never, import("../s.ts").Infer<{ readonly code: "string"; readonly minutes: "number?"; }>, ${reply}, import("../s.ts").Infer<{}>>`;
    expect(simple(`Promise<import("../e.ts").ReplyFor<${endpoint('import("../e.ts").ReplyBase & object')}>>`)).toBe(
      'Promise<ReplyBase>',
    );
    expect(simple(`import("../e.ts").BodyFor<${endpoint('object')}>`)).toBe('{ code: string; minutes?: number }');
  });

  it('reads a docstring with its tags', () => {
    expect(
      parseDocstring(
        '*\n * What it does.\n *\n * More.\n *\n * @param name the name\n *   of it\n * @throws {Error} when not\n ',
      ),
    ).toEqual({
      text: 'What it does.\n\nMore.',
      tags: [
        { tag: 'param', text: 'name the name of it' },
        { tag: 'throws', text: '{Error} when not' },
      ],
    });
    expect(parseDocstring('* @returns one ')).toEqual({ text: '', tags: [{ tag: 'returns', text: 'one' }] });
  });

  it('links whole names in code, and no property of that name', () => {
    const links = { User: '/api/headless#User' };
    expect(namesIn('a: User, UserEmail, x.User', links).filter(({ to }) => to !== undefined)).toEqual([
      { text: 'User', to: '/api/headless#User' },
    ]);
    const text = ' readonly user?: Partial<User>; ';
    expect(
      namesIn(text, links)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});
