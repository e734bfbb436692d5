import type { Shape } from '#domain/shape.ts';
import { FIELD_NOTES, OAUTH_NOTES, PARAMETER_NOTES } from './field-notes.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Operation } from './operations.ts';
import type { FieldNote } from './request-fields.ts';

/** An operation and its place in `paths`. */
export interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

type Notes = Readonly<Record<string, FieldNote>>;

const NOTES: Notes = { ...FIELD_NOTES, ...OAUTH_NOTES };
export const FORM = 'application/x-www-form-urlencoded';
/** Of a path, not of a call. */
const METHOD_STATUS = 405;

function noteOf(notes: Notes, name: string): FieldNote {
  const note = notes[name];
  if (note === undefined) throw new Error(`${name} has no note.`);
  return note;
}

const isOptional = (kind: string): boolean => kind.endsWith('?');

interface FormBody {
  readonly required: boolean;
  readonly content: { readonly [FORM]: { readonly schema: JsonSchema; readonly example: object } };
}

/** @param further what the schema says of other fields */
export function formBody(form: Shape, further: Pick<JsonSchema, 'patternProperties'> = {}): FormBody {
  const entries = Object.entries<string>(form);
  const required = entries.filter(([, kind]) => !isOptional(kind)).map(([name]) => name);
  const properties = entries.map(
    ([name]) => [name, { type: 'string', description: noteOf(NOTES, name).about }] as const,
  );
  const example = Object.fromEntries(required.map((name) => [name, noteOf(NOTES, name).example]));
  const schema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...further,
    ...(required.length === 0 ? {} : { required }),
  };
  return { required: required.length > 0, content: { [FORM]: { schema, example } } };
}

/** The parameters of a query. */
export const queryParameters = (query: Shape): readonly object[] =>
  Object.entries<string>(query).map(([name, kind]) => {
    const { about, example } = noteOf(NOTES, name);
    return { name, in: 'query', required: !isOptional(kind), description: about, schema: { type: 'string' }, example };
  });

export const pathParameters = (path: string): readonly object[] =>
  [...path.matchAll(/:(\w+)/gu)].map(([, name = '']) => {
    const { about, example } = noteOf(PARAMETER_NOTES, name);
    return { name, in: 'path', required: true, description: about, schema: { type: 'string' }, example };
  });

type ErrorsOf = 'OAuth' | 'Bearer' | 'Page' | 'Project';

export const errorRefs = (kind: ErrorsOf, statuses: readonly number[]): object =>
  Object.fromEntries(
    statuses
      .filter((status) => status !== METHOD_STATUS)
      .map((status) => [status, { $ref: `#/components/responses/${kind}Error${status}` }]),
  );

/** A reply that sends the browser to another page. */
export const redirect = (description: string): object => ({
  303: { description, headers: { Location: { description: 'Its address.', schema: { type: 'string' } } } },
});
