import { TypeFlags, type Checker, type Symbol as TypeSymbol, type Type } from 'typescript/unstable/sync';
import { orNull, schemaRef, type JsonSchema } from './json-schema.ts';

/** The fields of an object, and whether it may have others. */
interface ObjectFields {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: boolean | JsonSchema;
}

/** The docstring on one line for each paragraph. */
export const docOf = (symbol: TypeSymbol, checker: Checker): string =>
  symbol
    .getDocumentationComment(checker)
    .split(/\n\s*\n/u)
    .map((paragraph) => paragraph.replaceAll(/\s+/gu, ' ').trim())
    .join('\n\n')
    .trim();

/** Makes schemas of TypeScript types. An interface or a named type of the sources becomes a component of its name. */
export class TypeSchemas {
  readonly components = new Map<string, JsonSchema>();
  private readonly types = new Map<string, number>();

  constructor(readonly checker: Checker) {}

  schemaOf(type: Type): JsonSchema {
    const name = this.nameOf(type);
    if (name === null) return this.unnamed(type);
    const known = this.types.get(name);
    if (known !== undefined && known !== type.id) throw new Error(`Two types of the wire have the name ${name}.`);
    if (known === undefined) {
      this.types.set(name, type.id);
      const symbol = type.getAliasSymbol() ?? type.getSymbol();
      this.add(name, this.unnamed(type), symbol === undefined ? '' : docOf(symbol, this.checker));
    }
    return schemaRef(name);
  }

  /** Adds a component. */
  add(name: string, schema: JsonSchema, description = ''): JsonSchema {
    this.components.set(name, description === '' ? schema : { description, ...schema });
    return schemaRef(name);
  }

  /** The fields of an object or of an intersection of objects. */
  fieldsOf(type: Type): ObjectFields {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const symbol of this.checker.getPropertiesOfType(type)) {
      const of = this.checker.getTypeOfSymbol(symbol);
      if (of === undefined) throw new Error(`The field ${symbol.name} has no type.`);
      const parts = of.isUnionType() ? of.getTypes() : [of];
      const isOptional = parts.some(({ flags }) => (flags & TypeFlags.Undefined) !== 0);
      if (!isOptional) required.push(symbol.name);
      properties[symbol.name] = this.field(symbol, of);
    }
    const [index] = this.checker.getIndexInfosOfType(type);
    return { properties, required, additionalProperties: index === undefined ? false : this.open(index.valueType) };
  }

  /** The name of the type's component; null if it is described in place. */
  nameOf(type: Type): string | null {
    const alias = type.getAliasSymbol();
    if (alias !== undefined && (type.getAliasTypeArguments() ?? []).length === 0 && isOwn(alias)) return alias.name;
    const symbol = type.isClassOrInterface() ? type.getSymbol() : undefined;
    return symbol !== undefined && isOwn(symbol) ? symbol.name : null;
  }

  private open(type: Type): boolean | JsonSchema {
    if ((type.flags & TypeFlags.Never) !== 0) return false;
    const schema = this.schemaOf(type);
    return Object.keys(schema).length === 0 ? true : schema;
  }

  private field(symbol: TypeSymbol, type: Type): JsonSchema {
    const schema = this.schemaOf(type);
    const description = docOf(symbol, this.checker);
    const isTime =
      symbol.name.endsWith('_at') && (schema.type === 'string' || schema.type?.includes('string') === true);
    return { ...schema, ...(isTime ? { format: 'date-time' } : {}), ...(description === '' ? {} : { description }) };
  }

  private unnamed(type: Type): JsonSchema {
    const { flags } = type;
    if ((flags & (TypeFlags.Any | TypeFlags.Unknown)) !== 0) return {};
    if ((flags & TypeFlags.String) !== 0) return { type: 'string' };
    if ((flags & TypeFlags.Number) !== 0) return { type: 'number' };
    if ((flags & TypeFlags.Null) !== 0) return { type: 'null' };
    if ((flags & TypeFlags.NonPrimitive) !== 0) return { type: 'object' };
    if (type.isUnionType()) return this.union(type.getTypes());
    if ((flags & TypeFlags.Boolean) !== 0) return { type: 'boolean' };
    if (type.isLiteralType()) return { type: typeof type.value, const: type.value };
    if (isOpenText(type)) return { type: 'string' };
    if (this.checker.isArrayType(type)) {
      const [item] = type.isTypeReference() ? this.checker.getTypeArguments(type) : [];
      if (item !== undefined) return { type: 'array', items: this.schemaOf(item) };
    }
    if (type.isObjectType() || type.isIntersectionType()) return { type: 'object', ...this.fieldsOf(type) };
    throw new Error(`The type ${this.checker.typeToString(type)} has no schema.`);
  }

  private union(all: readonly Type[]): JsonSchema {
    const parts = all.filter(({ flags }) => (flags & TypeFlags.Undefined) === 0);
    const others = parts.filter(({ flags }) => (flags & TypeFlags.Null) === 0);
    const schema = this.choice(others);
    return others.length < parts.length ? orNull(schema) : schema;
  }

  private choice(parts: readonly Type[]): JsonSchema {
    const [first] = parts;
    if (first !== undefined && parts.length === 1) return this.schemaOf(first);
    const literals = parts.filter((part) => part.isLiteralType());
    const rest = parts.filter((part) => !part.isLiteralType());
    const values = literals.map(({ value }) => value);
    const [open] = rest;
    if (open !== undefined && rest.length === 1 && isOpenText(open)) return { type: 'string', examples: values };
    const choices = [...literalsSchema(values), ...rest.map((part) => this.schemaOf(part))];
    return choices.length === 1 ? (choices[0] ?? {}) : { anyOf: choices };
  }
}

/** One schema for the texts, and one for both booleans. */
function literalsSchema(values: readonly unknown[]): readonly JsonSchema[] {
  const texts = values.filter((value) => typeof value === 'string');
  const booleans = values.filter((value) => typeof value === 'boolean');
  const others = values.filter((value) => typeof value !== 'string' && typeof value !== 'boolean');
  const [only] = booleans;
  return [
    ...(texts.length === 0 ? [] : [{ type: 'string', enum: texts }]),
    ...(booleans.length === 2 ? [{ type: 'boolean' }] : []),
    ...(booleans.length === 1 ? [{ type: 'boolean', const: only }] : []),
    ...others.map((value) => ({ type: typeof value, const: value })),
  ];
}

/** `string & {}`: any text, beside the texts that are known. */
const isOpenText = (type: Type): boolean =>
  type.isIntersectionType() && type.getTypes().some(({ flags }) => (flags & TypeFlags.String) !== 0);

/** True for a type of the sources; false for one of the language's library, such as `Readonly`. */
const isOwn = (symbol: TypeSymbol): boolean =>
  symbol.name !== '__type' && symbol.declarations.some(({ path }) => !/node_modules|bundled:/u.test(path));
