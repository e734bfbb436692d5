import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, type ESTree } from 'vite';
import { importedFile } from '../lib/import-names.ts';
import { ROOT } from '../lib/root.mjs';

type Node = ESTree.Node;

/** A part of a source file. */
export interface Place {
  readonly file: string;
  readonly node: Node;
}

interface Module {
  /** The top-level declarations by name. */
  readonly declarations: ReadonlyMap<string, Node>;
  /** The imported names: the file and the name in it. */
  readonly imports: ReadonlyMap<string, readonly [file: string, name: string]>;
}

/** The members of a record of functions; `*` has what all members may use. */
type Members = Map<string, Place[]>;

const EVERY = '*';

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** The nodes directly below a node, without types. */
function childrenOf(node: Node): readonly Node[] {
  return Object.entries(node)
    .flatMap(([, value]: [string, unknown]): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isNode)
    .filter(({ type }) => !type.startsWith('TS') || type.endsWith('Expression'));
}

/** A node and all nodes below it. */
export const nodesIn = (node: Node): readonly Node[] => [node, ...childrenOf(node).flatMap(nodesIn)];

/** What a piece of code names and writes. */
interface Mentions {
  readonly names: ReadonlySet<string>;
  /** The texts, without those that are only compared. */
  readonly texts: ReadonlySet<string>;
}

function mentionsIn(root: Node): Mentions {
  const names = new Set<string>();
  const texts = new Set<string>();
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'Identifier') names.add(node.name);
    if (node.type === 'Literal' && typeof node.value === 'string') texts.add(node.value);
    open.push(...usedIn(node));
  }
  return { names, texts };
}

/** The children of a node that are used: neither the names of members nor compared texts. */
function usedIn(node: Node): readonly Node[] {
  const children = childrenOf(node);
  if (node.type === 'MemberExpression' && !node.computed) return children.filter((child) => child !== node.property);
  if (node.type === 'Property' && !node.computed && !node.shorthand)
    return children.filter((child) => child !== node.key);
  if (node.type === 'BinaryExpression') return children.filter(({ type }) => type !== 'Literal');
  return children;
}

function declarationsOf({ body }: ESTree.Program): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>();
  for (const statement of body) {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (node?.type === 'VariableDeclaration') {
      for (const { id, init } of node.declarations) if (id.type === 'Identifier' && init) found.set(id.name, init);
    }
    if ((node?.type === 'FunctionDeclaration' || node?.type === 'ClassDeclaration') && node.id) {
      found.set(node.id.name, node);
    }
  }
  return found;
}

/** Follows the names in the sources from declaration to declaration. */
export class SourceGraph {
  private readonly modules = new Map<string, Module>();

  /** The declarations of a file, or the named ones. */
  placesIn(file: string, names?: readonly string[]): readonly Place[] {
    const { declarations } = this.module(file);
    const missing = names?.find((name) => !declarations.has(name));
    if (missing !== undefined) throw new Error(`${file} does not declare ${missing}.`);
    return [...declarations].filter(([name]) => names?.includes(name) ?? true).map(([, node]) => ({ file, node }));
  }

  /** The texts in these places, and in everything that they use. */
  textsFrom(places: readonly Place[]): ReadonlySet<string> {
    const texts = new Set<string>();
    const seen = new Set<Node>();
    const open = [...places];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (seen.has(place.node)) continue;
      seen.add(place.node);
      const mentions = mentionsIn(place.node);
      for (const text of mentions.texts) texts.add(text);
      for (const name of mentions.names) {
        const found = this.resolve(place.file, name);
        if (found !== undefined) open.push(found);
      }
    }
    return texts;
  }

  /** The functions of a record, such as the routes of an area, by their names. */
  membersOf({ file, node }: Place): Members {
    if (node.type === 'Identifier') {
      const found = this.resolve(file, node.name);
      return found === undefined ? new Map() : this.membersOf(found);
    }
    if (node.type === 'ObjectExpression') return this.membersOfObject(file, node);
    if (node.type === 'CallExpression') {
      const all = node.arguments.map((argument): Members => {
        const members = this.membersOf({ file, node: argument });
        return members.size > 0 ? members : new Map([[EVERY, [{ file, node: argument }]]]);
      });
      const made = node.callee.type === 'Identifier' ? this.resolve(file, node.callee.name) : undefined;
      const result =
        made === undefined ? new Map<string, Place[]>() : this.membersOf({ ...made, node: resultOf(made.node) });
      return merged([...all, result, new Map([[EVERY, [{ file, node: node.callee }]]])]);
    }
    const result = resultOf(node);
    if (result !== node) return this.membersOf({ file, node: result });
    return node.type === 'FunctionDeclaration' ? new Map([[EVERY, [{ file, node }]]]) : new Map();
  }

  private membersOfObject(file: string, { properties }: ESTree.ObjectExpression): Members {
    return merged(
      properties.map((property): Members => {
        if (property.type === 'SpreadElement') return this.membersOf({ file, node: property.argument });
        const { key, value } = property;
        const name = key.type === 'Identifier' ? key.name : EVERY;
        return new Map([[name, [{ file, node: value }]]]);
      }),
    );
  }

  private resolve(file: string, name: string): Place | undefined {
    const { declarations, imports } = this.module(file);
    const own = declarations.get(name);
    if (own !== undefined) return { file, node: own };
    const [from, original] = imports.get(name) ?? [];
    return from === undefined || original === undefined ? undefined : this.resolve(from, original);
  }

  private module(file: string): Module {
    const known = this.modules.get(file);
    if (known !== undefined) return known;
    const { program, module } = parseSync(file, readFileSync(join(ROOT, file), 'utf8'));
    const imports = new Map<string, readonly [string, string]>();
    for (const { moduleRequest, entries } of module.staticImports) {
      const from = importedFile(file, moduleRequest.value);
      if (from === undefined || !/\.(?:ts|tsx|mjs)$/u.test(from) || !existsSync(join(ROOT, from))) continue;
      for (const { importName, localName, isType } of entries) {
        if (!isType && importName.name) imports.set(localName.value, [from, importName.name]);
      }
    }
    const made: Module = { declarations: declarationsOf(program), imports };
    this.modules.set(file, made);
    return made;
  }
}

/** What a function returns without further statements, or the node itself. */
function resultOf(node: Node): Node {
  if (node.type === 'ParenthesizedExpression') return node.expression;
  if (node.type !== 'ArrowFunctionExpression' || node.body.type === 'BlockStatement') return node;
  return node.body;
}

function merged(all: readonly Members[]): Members {
  const found: Members = new Map();
  for (const members of all) {
    for (const [name, places] of members) found.set(name, [...(found.get(name) ?? []), ...places]);
  }
  return found;
}
