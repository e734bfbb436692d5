import type { Kind, Shape } from '#domain/shape.ts';
import { SECOND_FACTOR } from '#application/api/authenticated.ts';
import { FIELD_NOTES, STEP_NOTES } from './field-notes.ts';
import { orNull, type JsonSchema } from './json-schema.ts';
import { OBJECT_NOTES } from './object-notes.ts';
import type { FieldNote, ObjectNote } from './request-fields.ts';

const KINDS: Readonly<Record<Kind, JsonSchema>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  'string[]': { type: 'array', items: { type: 'string' } },
  'object[]': { type: 'array', items: { type: 'object' } },
};

const FIELDS: Readonly<Record<string, FieldNote>> = { ...FIELD_NOTES, ...STEP_NOTES };
const OBJECTS: Readonly<Record<string, ObjectNote>> = OBJECT_NOTES;

function noteOf(field: string, kind: Kind): FieldNote | ObjectNote {
  const note = kind === 'object' ? OBJECTS[field] : FIELDS[field];
  if (note === undefined) throw new Error(`${field} has no note.`);
  return note;
}

const isOptional = (kind: string): boolean => kind.endsWith('?');
const kindOf = (kind: string): Kind => kind.replace('?', '') as Kind;

function schemaOfField(field: string, fieldKind: string): JsonSchema {
  const kind = kindOf(fieldKind);
  const note = noteOf(field, kind);
  const { about } = note;
  const inner = 'fields' in note && note.fields !== null ? shapeSchema(note.fields) : KINDS[kind];
  // Servers treat null like a field that is left out.
  return { ...(isOptional(fieldKind) ? orNull(inner) : inner), description: about };
}

/** The fields within an object, which have no notes of their own. */
function shapeSchema(shape: Shape): JsonSchema {
  const entries = Object.entries(shape);
  const required = entries.filter(([, kind]) => !isOptional(kind)).map(([field]) => field);
  const properties = entries.map(([field, kind]) => {
    const schema = KINDS[kindOf(kind)];
    return [field, isOptional(kind) ? orNull(schema) : schema] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}

interface RequestBody {
  readonly schema: JsonSchema;
  readonly example: unknown;
  readonly required: boolean;
}

interface BodyOfCall {
  readonly body: Shape;
  readonly list: boolean;
}

/** The body of a call; null for a call without fields. `isLogin` adds the fields of the second factor. */
export function requestBody({ body, list }: BodyOfCall, isLogin: boolean): RequestBody | null {
  const fields = Object.entries<string>(isLogin ? { ...body, ...SECOND_FACTOR } : body);
  if (fields.length === 0) return null;
  const required = fields.filter(([, kind]) => !isOptional(kind)).map(([field]) => field);
  const schema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(([field, kind]) => [field, schemaOfField(field, kind)])),
    ...(required.length === 0 ? {} : { required }),
  };
  // A call that requires nothing shows its own optional fields.
  const shown = required.length > 0 ? required : Object.keys(body).slice(0, 2);
  const example = Object.fromEntries(
    shown.map((field) => [field, noteOf(field, kindOf(body[field] ?? 'string')).example]),
  );
  const isNeeded = list || required.length > 0;
  return list
    ? { schema: { type: 'array', items: schema }, example: [example], required: isNeeded }
    : { schema, example, required: isNeeded };
}
