/** What a TypeScript source imports and which dangerous names it uses, read from its syntax tree. */
import { parseSync, Visitor, type ESTree } from 'vite';

const MARKUP_SINKS = new Set(['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'dangerouslySetInnerHTML', 'srcdoc']);

export interface Import {
  /** Null where it is computed. */
  readonly specifier: string | null;
  readonly line: number;
  /** `type` leaves no trace in the built file. */
  readonly kind: 'static' | 'type' | 'dynamic';
}

interface Use {
  readonly name: string;
  readonly line: number;
}

interface Source {
  readonly imports: readonly Import[];
  readonly uses: readonly Use[];
  readonly errors: readonly string[];
}

type Node = ESTree.Node;

export function readSource(path: string, source: string): Source {
  const { program, errors } = parseSync(path, source);
  const imports: Import[] = [];
  const uses: Use[] = [];
  const lineOf = (node: Node): number => source.slice(0, node.start).split('\n').length;
  const imported = (node: Node, from: Node | undefined, kind: Import['kind']): void =>
    void imports.push({ specifier: textOf(from), line: lineOf(node), kind });
  const used = (node: Node, name: string): void => void uses.push({ name, line: lineOf(node) });
  const reexported = (node: ESTree.ExportNamedDeclaration | ESTree.ExportAllDeclaration): void => {
    const specifiers = node.type === 'ExportAllDeclaration' ? [] : node.specifiers;
    if (node.source !== null)
      imported(
        node,
        node.source,
        kindOf(
          node.exportKind,
          specifiers.map((one) => one.exportKind),
        ),
      );
  };
  const called = (node: ESTree.CallExpression | ESTree.NewExpression): void => {
    if (isNamed(node.callee, 'require')) imported(node, node.arguments[0], 'static');
    if (isNamed(node.callee, 'eval')) used(node, 'eval');
    if (isNamed(node.callee, 'Function')) used(node, 'new Function');
  };
  const sink = (node: Node, name: string): void => {
    if (MARKUP_SINKS.has(name)) used(node, name);
  };

  new Visitor({
    ImportDeclaration(node) {
      const kinds = node.specifiers.map((one) => (one.type === 'ImportSpecifier' ? one.importKind : 'value'));
      imported(node, node.source, kindOf(node.importKind, kinds));
    },
    ExportNamedDeclaration: reexported,
    ExportAllDeclaration: reexported,
    ImportExpression: (node) => imported(node, node.source, 'dynamic'),
    TSImportType: (node) => imported(node, node.source, 'type'),
    TSExternalModuleReference: (node) => imported(node, node.expression, 'static'),
    CallExpression: called,
    NewExpression: called,
    MemberExpression(node) {
      const name = memberName(node);
      sink(node, name);
      if ((name === 'write' || name === 'writeln') && endsWith(node.object, 'document')) used(node, `document.${name}`);
      if (name === 'credentials' && endsWith(node.object, 'navigator')) used(node, 'navigator.credentials');
      if (name === 'eval' && endsWith(node.object, 'globalThis')) used(node, 'eval');
    },
    JSXAttribute({ name }) {
      if (name.type === 'JSXIdentifier' && (MARKUP_SINKS.has(name.name) || name.name === 'srcDoc'))
        used(name, name.name);
    },
    Property: ({ key }) => sink(key, key.type === 'Identifier' ? key.name : (textOf(key) ?? '')),
  }).visit(program);
  return { imports, uses, errors: errors.map((error) => error.message) };
}

/** The text of a string, or of a template that holds nothing else. */
function textOf(node: Node | undefined): string | null {
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? null;
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}

/** `import { type A, type B }` is as type-only as `import type { A, B }`, but a bare `import 'x'` is not. */
function kindOf(kind: string | undefined, kinds: readonly (string | undefined)[]): Import['kind'] {
  return kind === 'type' || (kinds.length > 0 && kinds.every((one) => one === 'type')) ? 'type' : 'static';
}

const isNamed = (node: Node, name: string): boolean => node.type === 'Identifier' && node.name === name;

function memberName(node: ESTree.MemberExpression): string {
  if (node.computed) return node.property.type === 'Literal' ? String(node.property.value) : '';
  return node.property.type === 'Identifier' ? node.property.name : '';
}

/** `document`, `window.document` and `this.document` all end with `document`. */
const endsWith = (node: Node, name: string): boolean =>
  isNamed(node, name) || (node.type === 'MemberExpression' && memberName(node) === name);
