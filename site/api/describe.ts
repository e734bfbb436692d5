/** The reference's entry of one declaration. */
import { readFileSync, existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import type { ESTree } from 'vite';
import { ROOT } from '../../scripts/lib/root.mjs';
import { docstringOf, membersOf, withoutComments, type Docstring } from './docstring.ts';
import type { Modules, DeclarationPlace } from './modules.ts';

export type Kind = 'class' | 'function' | 'constant' | 'interface' | 'type' | 'enum';

export interface DeclarationDescription {
  readonly kind: Kind;
  readonly docs: Docstring;
  /** The formatted source, without comments. */
  readonly signature: string;
  /** The names in the signature that are declared in the package. */
  readonly names: ReadonlyMap<string, DeclarationPlace>;
  readonly members: readonly { readonly name: string; readonly docs: Docstring }[];
  readonly source: { readonly path: string; readonly line: number };
}

const KINDS: Readonly<Partial<Record<ESTree.Node['type'], Kind>>> = {
  ClassDeclaration: 'class',
  TSDeclareFunction: 'function',
  FunctionDeclaration: 'function',
  VariableDeclaration: 'constant',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  TSEnumDeclaration: 'enum',
};

const declarationOf = (node: ESTree.Node): ESTree.Node =>
  node.type === 'ExportNamedDeclaration' && node.declaration ? node.declaration : node;

export function describe(modules: Modules, place: DeclarationPlace): DeclarationDescription {
  const module = modules.module(place.file);
  const nodes = module.declared.get(place.name) ?? [];
  const [first] = nodes;
  const kind = first && KINDS[declarationOf(first).type];
  if (kind === undefined)
    throw new Error(`${place.file} declares ${place.name} in a way that the reference does not know.`);
  const all = nodes.map((node) => docstringOf(module, node));
  const written = nodes.map((node) => {
    const text = withoutComments(module, node, membersOf(node).hidden);
    return text.replace(/^export\s+/u, '').replace(/^declare\s+/u, '');
  });
  const signature = formatDeclaration(written.join('\n'), `${place.file}: ${place.name}`);
  const names = new Map<string, DeclarationPlace>();
  for (const [name = ''] of signature.matchAll(/\b[A-Za-z_$][\w$]*\b/gu)) {
    const found = name === place.name || names.has(name) ? undefined : modules.find(place.file, name);
    if (found && (found.file !== place.file || found.name !== place.name)) names.set(name, found);
  }
  return {
    kind,
    docs: all.find(({ text }) => text !== '') ?? all.find(({ tags }) => tags.length > 0) ?? { text: '', tags: [] },
    signature,
    names,
    members: nodes.flatMap((node) =>
      membersOf(node).shown.flatMap((member) => {
        const docs = docstringOf(module, member);
        return docs.text === '' && docs.tags.length === 0 ? [] : [{ name: memberName(module.source, member), docs }];
      }),
    ),
    source: sourceOf(place),
  };
}

/** Declarations without `declare`, one after the other. */
export function formatDeclaration(text: string, name: string): string {
  // A class or function without a body is only valid with `declare`.
  const declared = `declare ${text}`.replaceAll(/\n(?=(?:function|const|class) )/gu, '\ndeclare ');
  const { code, errors } = isolatedDeclarationSync('declaration.ts', declared);
  if (errors.length > 0) throw new Error(`${name} cannot be formatted: ${errors[0]?.message}`);
  return code
    .replaceAll(/^declare /gmu, '')
    .replaceAll('\t', '  ')
    .replaceAll(/"([^"'\\]*)"/gu, "'$1'")
    .trimEnd();
}

function memberName(source: string, member: ESTree.Node): string {
  if (!('key' in member) || !member.key) return member.type === 'TSIndexSignature' ? '[…]' : '(…)';
  const name = source.slice(member.key.start, member.key.end);
  const isMethod =
    member.type === 'MethodDefinition' || member.type === 'TSMethodSignature' || member.type.includes('AbstractMethod');
  return isMethod ? `${name}()` : name;
}

/** The position of the declaration in the TypeScript sources. */
function sourceOf({ file, name }: DeclarationPlace): DeclarationDescription['source'] {
  const base = relative(join(ROOT, 'dist/types'), file).replace(/\.d\.ts$/u, '');
  const path = [`${base}.ts`, `${base}.tsx`].find((one) => existsSync(join(ROOT, one)));
  if (path === undefined) throw new Error(`The source of ${file} is not there: build the types again.`);
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  const declares = new RegExp(String.raw`\b(?:class|interface|type|function|const|enum)\s+${name}\b`, 'u');
  return { path, line: lines.findIndex((line) => declares.test(line)) + 1 };
}
