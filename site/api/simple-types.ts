/** Simplifies inferred types to their handwritten form. */
import type { ESTree } from 'vite';

interface SimpleType {
  readonly text: string;
  /** The declaration files that the text's names come from, by name. */
  readonly imports: ReadonlyMap<string, string>;
}

/** The members of an endpoint's type: its path parameters, body, reply and query. */
const PARTS: Readonly<Record<string, number>> = { BodyFor: 1, ReplyFor: 2 };

const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const childrenOf = (node: ESTree.Node): readonly ESTree.Node[] =>
  Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isNode)
    .sort((one, other) => one.start - other.start);

interface NamedType {
  readonly name: string;
  readonly specifier: string | null;
  readonly parameters: readonly ESTree.TSType[];
}

/** A type that is called by its name, imported in place or not. */
function namedType(node: ESTree.Node): NamedType | null {
  if (node.type === 'TSImportType' && node.qualifier?.type === 'Identifier') {
    return { name: node.qualifier.name, specifier: node.source.value, parameters: node.typeArguments?.params ?? [] };
  }
  if (node.type === 'TSTypeReference' && node.typeName.type === 'Identifier') {
    return { name: node.typeName.name, specifier: null, parameters: node.typeArguments?.params ?? [] };
  }
  return null;
}

export function simpleType(source: string, node: ESTree.Node): SimpleType {
  const imports = new Map<string, string>();

  const print = (one: ESTree.Node): string => {
    const named = namedType(one);
    if (named) return printNamed(named);
    let text = '';
    let at = one.start;
    for (const child of childrenOf(one)) {
      if (child.start < at) continue;
      text += source.slice(at, child.start) + print(child);
      at = child.end;
    }
    return (text + source.slice(at, one.end)).replaceAll(/\breadonly (?=\w+\??:)/gu, '');
  };

  const printNamed = ({ name, specifier, parameters }: NamedType): string => {
    const [first] = parameters;
    const part = PARTS[name];
    const endpoint = first && namedType(first);
    if (part !== undefined && endpoint?.name === 'Endpoint') {
      const inner = endpoint.parameters[part];
      return inner ? print(inner) : 'object';
    }
    if (name === 'Infer' && first) return printShape(first);
    if (specifier !== null) imports.set(name, specifier);
    return parameters.length === 0 ? name : `${name}<${parameters.map(print).join(', ')}>`;
  };

  /** `{ code: 'string'; minutes: 'number?' }` describes `{ code: string; minutes?: number }`. */
  const printShape = (shape: ESTree.Node): string => {
    if (shape.type !== 'TSTypeLiteral') return print(shape);
    const fields = shape.members.flatMap((member) => {
      if (member.type !== 'TSPropertySignature' || !member.typeAnnotation) return [];
      const kind = source.slice(member.typeAnnotation.typeAnnotation.start, member.typeAnnotation.typeAnnotation.end);
      const [, type = kind, optional = ''] = /^["'](.*?)(\?)?["']$/u.exec(kind) ?? [];
      return [`${source.slice(member.key.start, member.key.end)}${optional}: ${type}`];
    });
    return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
  };

  const text = print(node)
    .replaceAll(/ & object\b/gu, '')
    .replaceAll(/(?<=\?: [^;,(){}]*?) \| undefined(?=[;,)])/gu, '');
  return { text, imports };
}
