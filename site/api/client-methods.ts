/** The methods of a client that load on demand: their types are inferred, as one object with objects inside. */
import { dirname, join } from 'node:path';
import type { ESTree } from 'vite';
import { ROOT } from '../../scripts/lib/root.mjs';
import { formatDeclaration } from './describe.ts';
import { docstringOf, type Docstring } from './docstring.ts';
import type { Modules, DeclarationPlace } from './modules.ts';
import { simpleType } from './simple-types.ts';

const FUNCTION = 'publicApi';
const FILE = join(ROOT, 'dist/types/src/application/client/public-api.d.ts');

/** The declarations of the object; the methods have a separate page. */
export const isClientMethods = ({ file, name }: DeclarationPlace): boolean =>
  file === FILE && (name === FUNCTION || name === 'PublicApi');

export interface Method {
  /** `otps.email.send`. */
  readonly path: string;
  /** Other members of the same type, which is not a function type. */
  readonly others: string[];
  readonly docs: Docstring;
  readonly signature: string;
  readonly names: ReadonlyMap<string, DeclarationPlace>;
  /** The declaration. */
  readonly type: string;
}

export interface MethodGroup {
  readonly name: string;
  readonly docs: Docstring;
  readonly methods: readonly Method[];
}

type NamedProperty = ESTree.TSPropertySignature & { readonly key: { readonly name: string } };

const propertiesOf = (node: ESTree.Node | undefined): readonly NamedProperty[] => {
  if (node?.type === 'TSIntersectionType') return node.types.flatMap(propertiesOf);
  if (node?.type !== 'TSTypeLiteral') return [];
  return node.members.filter(
    (member): member is NamedProperty => member.type === 'TSPropertySignature' && member.key.type === 'Identifier',
  );
};

/** A function's type as the declaration of a function of that name. */
function signatureOf(source: string, name: string, type: ESTree.Node): ReturnType<typeof simpleType> {
  if (type.type !== 'TSFunctionType') {
    const { text, imports } = simpleType(source, type);
    return { text: `const ${name}: ${text};`, imports };
  }
  const parts = [...type.params, type.returnType.typeAnnotation].map((part) => simpleType(source, part));
  const texts = parts.map(({ text }) => text);
  const returned = texts.pop() ?? 'void';
  return {
    text: `function ${name}(${texts.join(', ')}): ${returned};`,
    imports: new Map(parts.flatMap(({ imports }) => [...imports])),
  };
}

export function clientMethods(modules: Modules): readonly MethodGroup[] {
  const module = modules.module(FILE);
  const [statement] = module.declared.get(FUNCTION) ?? [];
  const declared = statement?.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  const type = declared?.type === 'TSDeclareFunction' ? declared.returnType?.typeAnnotation : undefined;
  if (type?.type !== 'TSTypeLiteral') throw new Error(`${FILE} does not say what ${FUNCTION} returns.`);

  const find = (name: string, specifier: string | undefined): DeclarationPlace | undefined =>
    specifier === undefined
      ? modules.find(FILE, name)
      : modules.exportsOf(join(dirname(FILE), specifier.replace(/\.ts$/u, '.d.ts'))).get(name);

  const methodsOf = (node: ESTree.Node | undefined, path: string): readonly Method[] => {
    const found: Method[] = [];
    for (const property of propertiesOf(node)) {
      const at = `${path}.${property.key.name}`;
      const inner = property.typeAnnotation?.typeAnnotation;
      if (inner === undefined) continue;
      if (propertiesOf(inner).length > 0) {
        found.push(...methodsOf(inner, at));
        continue;
      }
      const same = found.find((method) => method.type === module.source.slice(inner.start, inner.end));
      if (same && inner.type !== 'TSFunctionType') {
        same.others.push(at);
        continue;
      }
      const { text, imports } = signatureOf(module.source, property.key.name, inner);
      const names = new Map<string, DeclarationPlace>();
      for (const [name = ''] of text.matchAll(/\b[A-Za-z_$][\w$]*\b/gu)) {
        const place = find(name, imports.get(name));
        if (place) names.set(name, place);
      }
      const signature = formatDeclaration(text, at).replace(/^(?:function|const) /u, '');
      const docs = docstringOf(module, property);
      found.push({ path: at, others: [], docs, signature, names, type: module.source.slice(inner.start, inner.end) });
    }
    return found;
  };

  return propertiesOf(type).map((property) => ({
    name: property.key.name,
    docs: docstringOf(module, property),
    methods: methodsOf(property.typeAnnotation?.typeAnnotation, property.key.name),
  }));
}
