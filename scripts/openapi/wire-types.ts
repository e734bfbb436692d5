import { join } from 'node:path';
import { API, TypeFlags, type Checker, type Symbol as TypeSymbol, type Type } from 'typescript/unstable/sync';
import { ROOT } from '../lib/root.mjs';
import type { JsonSchema } from './json-schema.ts';
import { docOf, TypeSchemas } from './type-schemas.ts';

/** What the types say of one call. */
export interface TypedCall {
  /** The docstring; empty without one. */
  readonly doc: string;
  /** The fields of the reply, without the `data` around those of the client API. */
  readonly reply: JsonSchema;
  /** The body, if it is described by a type. */
  readonly json?: JsonSchema;
}

export interface WireTypes {
  /** The calls by their names, such as `users.create`: those of `api` and those of `backendApi`. */
  readonly client: ReadonlyMap<string, TypedCall>;
  readonly backend: ReadonlyMap<string, TypedCall>;
  /** The endpoints and pages of OAuth by their names, such as `token`. */
  readonly oauth: ReadonlyMap<string, TypedCall>;
  readonly pages: ReadonlyMap<string, string>;
  /** The calls that are in no table of the APIs, by their names, such as `sessionKeys`. */
  readonly further: ReadonlyMap<string, TypedCall>;
  /** The named types. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

const PROJECT = join(ROOT, 'scripts/openapi/tsconfig.wire.json');

/** Reads the types of the calls with the TypeScript compiler. */
export function readWireTypes(): WireTypes {
  const compiler = new API({ cwd: ROOT });
  try {
    const project = compiler.updateSnapshot({ openProjects: [PROJECT] }).getProject(PROJECT);
    if (project === undefined) throw new Error(`${PROJECT} has no project.`);
    const { checker, program } = project;
    const exported = (file: string, name: string): TypeSymbol => {
      const source = program.getSourceFile(join(ROOT, file));
      const module = source && checker.getSymbolAtLocation(source);
      const symbol = module && checker.getExportsOfModule(module).find((each) => each.name === name);
      if (symbol === undefined) throw new Error(`${file} does not export ${name}.`);
      return symbol;
    };
    const authenticated = 'src/application/api/authenticated.ts';
    const login = checker.getDeclaredTypeOfSymbol(exported(authenticated, 'AuthenticationReply'));
    const step = checker.getDeclaredTypeOfSymbol(exported(authenticated, 'IntermediateReply'));
    const schemas = new TypeSchemas(checker);
    const replies = new Replies(schemas, { login, step });
    const client = replies.of(exported('src/application/api/api.ts', 'api'));
    const backend = replies.of(exported('provider/src/base/backend-api/backend-api.ts', 'backendApi'));
    const oauthFile = 'provider/src/apps/idp/protocol/oauth-calls.ts';
    const oauth = new Map(replies.callsOf(exported(oauthFile, 'oauthCalls')));
    const pages = new Map(replies.docsOf(exported(oauthFile, 'oauthPages')));
    const further = new Map([
      ...replies.callsOf(exported('provider/src/apps/idp/protocol/discovery-calls.ts', 'discoveryCalls')),
      ...replies.callsOf(exported('provider/src/api/further-calls.ts', 'furtherCalls')),
    ]);
    return {
      client,
      backend,
      oauth,
      pages,
      further,
      schemas: Object.fromEntries([...schemas.components].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  } finally {
    compiler.close();
  }
}

class Replies {
  private readonly checker: Checker;

  constructor(
    readonly schemas: TypeSchemas,
    /** The reply of a login, and what a login that lacks a factor answers instead (`ReplyFields` of the provider's contract). */
    readonly steps: { readonly login: Type; readonly step: Type },
  ) {
    this.checker = schemas.checker;
  }

  /** The calls of a table by area and name. */
  of(table: TypeSymbol): ReadonlyMap<string, TypedCall> {
    const areas = this.properties(this.typeOf(table)).flatMap((area) =>
      this.callsOf(area).map(([name, call]) => [`${area.name}.${name}`, call] as const),
    );
    return new Map(areas);
  }

  /** The calls of an area by name. */
  callsOf(area: TypeSymbol): readonly (readonly [name: string, call: TypedCall])[] {
    return this.properties(this.typeOf(area)).map((call) => {
      const types = this.checker.getNonNullableType(this.member(this.typeOf(call), 'types'));
      if (types === undefined) throw new Error(`${area.name}.${call.name} has no types.`);
      const reply = this.reply(this.member(types, 'reply'));
      const json = this.json(types);
      return [call.name, { doc: docOf(call, this.checker), reply, ...(json === null ? {} : { json }) }];
    });
  }

  /** The docstrings of the members of a table. */
  docsOf(table: TypeSymbol): readonly (readonly [name: string, doc: string])[] {
    return this.properties(this.typeOf(table)).map((member) => [member.name, docOf(member, this.checker)]);
  }

  /** The schema of a body that is described by a type; null for others. Servers ignore further fields. */
  private json(types: Type): JsonSchema | null {
    const symbol = this.checker.getPropertyOfType(types, 'json');
    if (symbol === undefined) return null;
    const type = this.typeOf(symbol);
    if ((type.flags & TypeFlags.Null) !== 0) return null;
    const { properties, required } = this.schemas.fieldsOf(type);
    return {
      type: 'object',
      properties,
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: true,
    };
  }

  private reply(type: Type): JsonSchema {
    const whole = this.flat(type);
    if (!this.checker.isTypeAssignableTo(type, this.steps.login)) return whole;
    const own = this.properties(type).map(({ name }) => name);
    const login = new Set(this.properties(this.steps.login).map(({ name }) => name));
    const fields = this.schemas.fieldsOf(type);
    const step = this.schemas.fieldsOf(this.steps.step);
    const kept = own.filter((name) => !login.has(name) || name === 'status_code' || name === 'request_id');
    const properties = { ...pick(fields.properties, kept), ...step.properties };
    const required = [...fields.required.filter((name) => kept.includes(name)), ...step.required];
    const lacking: JsonSchema = { type: 'object', properties: ok(properties), required, additionalProperties: false };
    const isPlain = kept.length === 2;
    return { anyOf: [whole, isPlain ? this.schemas.add('IntermediateReply', lacking) : lacking] };
  }

  /** The fields of the reply as one object. A reply of one named type becomes a component. */
  private flat(type: Type): JsonSchema {
    const fields = this.schemas.fieldsOf(type);
    const schema = { type: 'object', ...fields, properties: ok(fields.properties) };
    // Replies of OAuth have no fields but their own.
    const own = this.schemas.nameOf(type);
    if (own !== null) return this.schemas.add(own, schema);
    const parts = type.isIntersectionType() ? type.getTypes() : [];
    const names = parts.map((part) => this.schemas.nameOf(part)).filter((name) => name !== 'ReplyBase');
    const [name] = names;
    if (names.length !== 1 || typeof name !== 'string') return schema;
    return this.schemas.add(name.endsWith('Reply') ? name : `${name}Reply`, schema);
  }

  private typeOf(symbol: TypeSymbol): Type {
    const type = this.checker.getTypeOfSymbol(symbol);
    if (type === undefined) throw new Error(`${symbol.name} has no type.`);
    return type;
  }

  private properties(type: Type): readonly TypeSymbol[] {
    return this.checker.getPropertiesOfType(type);
  }

  private member(type: Type, name: string): Type {
    const symbol = this.checker.getPropertyOfType(type, name);
    if (symbol === undefined) throw new Error(`${this.checker.typeToString(type)} has no ${name}.`);
    return this.typeOf(symbol);
  }
}

const pick = (fields: Readonly<Record<string, JsonSchema>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

/** A reply that is no error has the status 200. */
const ok = (fields: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> =>
  'status_code' in fields ? { ...fields, status_code: { type: 'number', const: 200 } } : fields;
