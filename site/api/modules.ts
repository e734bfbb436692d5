/** Reads type declarations: the declarations, imports and exports of a module, and the declaration of a name. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, type ESTree, type ParseResult } from 'vite';

/** A name in a module: the next step of a search. */
interface Reference {
  readonly from: string;
  readonly name: string;
}

export interface Module {
  readonly file: string;
  readonly source: string;
  readonly comments: ParseResult['comments'];
  /** The statements that declare a name: several for overloads, and for a constant and a type of one name. */
  readonly declared: ReadonlyMap<string, readonly ESTree.Node[]>;
  readonly imported: ReadonlyMap<string, Reference>;
  readonly exported: ReadonlyMap<string, string | Reference>;
  readonly all: readonly string[];
}

/** A declaration of the package, by the file of its declaration and its name there. */
export interface DeclarationPlace {
  readonly file: string;
  readonly name: string;
}

const textOf = (name: ESTree.ModuleExportName): string => (name.type === 'Literal' ? name.value : name.name);

/** The names that a statement declares. */
function namesOf(node: ESTree.Node): readonly string[] {
  switch (node.type) {
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
      return [node.id.name];
    case 'ClassDeclaration':
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      return node.id ? [node.id.name] : [];
    default:
      return [];
  }
}

export class Modules {
  private readonly read = new Map<string, Module>();

  module(file: string): Module {
    const known = this.read.get(file);
    if (known) return known;
    const module = readModule(file);
    this.read.set(file, module);
    return module;
  }

  /** The exports of a module by public name, without those from other packages. */
  exportsOf(file: string): ReadonlyMap<string, DeclarationPlace> {
    const module = this.module(file);
    const found = new Map<string, DeclarationPlace>();
    for (const from of module.all) for (const [name, place] of this.exportsOf(from)) found.set(name, place);
    for (const [name, target] of module.exported) {
      const place = typeof target === 'string' ? this.find(file, target) : this.follow(target);
      if (place) found.set(name, place);
    }
    return found;
  }

  /** The declaration of a name that a module uses; undefined for names of the language and of other packages. */
  find(file: string, name: string): DeclarationPlace | undefined {
    const module = this.module(file);
    if (module.declared.has(name)) return { file, name };
    const reference = module.imported.get(name);
    return reference && this.follow(reference);
  }

  private follow({ from, name }: Reference): DeclarationPlace | undefined {
    return this.exportsOf(from).get(name);
  }
}

/** The declaration file of an import, or null for another package. */
function fileOf(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  const file = join(dirname(from), specifier.replace(/\.tsx?$/u, '.d.ts'));
  if (!existsSync(file)) throw new Error(`${from} names ${specifier}, which is not there.`);
  return file;
}

function readModule(file: string): Module {
  const source = readFileSync(file, 'utf8');
  const { program, comments, errors } = parseSync(file, source);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const declared = new Map<string, ESTree.Node[]>();
  const imported = new Map<string, Reference>();
  const exported = new Map<string, string | Reference>();
  const all: string[] = [];
  const declare = (node: ESTree.Node, statement: ESTree.Node): readonly string[] => {
    const names = namesOf(node);
    for (const name of names) declared.set(name, [...(declared.get(name) ?? []), statement]);
    return names;
  };
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      const from = fileOf(file, statement.source.value);
      for (const specifier of from === null ? [] : statement.specifiers) {
        if (specifier.type !== 'ImportSpecifier') continue;
        imported.set(specifier.local.name, { from: from ?? '', name: textOf(specifier.imported) });
      }
    } else if (statement.type === 'ExportAllDeclaration') {
      const from = fileOf(file, statement.source.value);
      if (from !== null) all.push(from);
    } else if (statement.type === 'ExportNamedDeclaration') {
      const from = statement.source && fileOf(file, statement.source.value);
      if (statement.declaration) {
        for (const name of declare(statement.declaration, statement)) exported.set(name, name);
      }
      if (statement.source && from === null) continue;
      for (const { local, exported: shown } of statement.specifiers) {
        exported.set(textOf(shown), from ? { from, name: textOf(local) } : textOf(local));
      }
    } else declare(statement, statement);
  }
  return { file, source, comments, declared, imported, exported, all };
}
