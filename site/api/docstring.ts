import type { ESTree, ParseResult } from 'vite';

/** A docstring: its text, and its tags with their texts. */
export interface Docstring {
  readonly text: string;
  readonly tags: readonly { readonly tag: string; readonly text: string }[];
}

const EMPTY: Docstring = { text: '', tags: [] };

/** The docstring right before a node. */
export function docstringOf(
  { source, comments }: { readonly source: string; readonly comments: ParseResult['comments'] },
  node: { readonly start: number },
): Docstring {
  const before = [...comments].reverse().find(({ end }) => end <= node.start);
  if (before?.type !== 'Block' || !before.value.startsWith('*')) return EMPTY;
  if (source.slice(before.end, node.start).trim() !== '') return EMPTY;
  return parseDocstring(before.value);
}

/** @param value the text between the marks of the comment */
export function parseDocstring(value: string): Docstring {
  const text = value
    .slice(1)
    .replaceAll(/\n[ \t]*\* ?/gu, '\n')
    .trim();
  const [first = '', ...rest] = text.split(/(?:^|\n)(?=@[a-z])/u);
  const hasText = !first.startsWith('@');
  const tags = (hasText ? rest : [first, ...rest]).filter(Boolean).map((part) => {
    const { tag = '', words = '' } = /^@(?<tag>\w+)\s*(?<words>[\s\S]*)$/u.exec(part)?.groups ?? {};
    return { tag, text: words.replaceAll(/\s+/gu, ' ').trim() };
  });
  return { text: hasText ? first.trim() : '', tags };
}

/** The source of nodes without comments and without the given omissions. */
export function withoutComments(
  { source, comments }: { readonly source: string; readonly comments: ParseResult['comments'] },
  node: { readonly start: number; readonly end: number },
  leftOut: readonly { readonly start: number; readonly end: number }[] = [],
): string {
  let text = '';
  let at = node.start;
  const gaps = [...comments, ...leftOut].filter(({ start, end }) => start >= node.start && end <= node.end);
  for (const gap of gaps.sort((one, other) => one.start - other.start)) {
    if (gap.start < at) continue;
    text += source.slice(at, gap.start);
    at = gap.end;
  }
  return (text + source.slice(at, node.end)).replaceAll(/\n\s*\n/gu, '\n');
}

/** The public members of a class or of an object type. */
export function membersOf(node: ESTree.Node): {
  readonly shown: readonly ESTree.Node[];
  readonly hidden: readonly ESTree.Node[];
} {
  const inner = node.type === 'ExportNamedDeclaration' && node.declaration ? node.declaration : node;
  const members: readonly ESTree.Node[] =
    inner.type === 'TSInterfaceDeclaration' || inner.type === 'ClassDeclaration'
      ? inner.body.body
      : inner.type === 'TSTypeAliasDeclaration' && inner.typeAnnotation.type === 'TSTypeLiteral'
        ? inner.typeAnnotation.members
        : [];
  const isHidden = (member: ESTree.Node): boolean =>
    ('accessibility' in member && (member.accessibility === 'private' || member.accessibility === 'protected')) ||
    ('key' in member && member.key?.type === 'PrivateIdentifier');
  return { shown: members.filter((member) => !isHidden(member)), hidden: members.filter(isHidden) };
}
