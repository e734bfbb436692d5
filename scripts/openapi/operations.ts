import type { Endpoint } from '#application/api/index.ts';
import { AUTHENTICATED } from '#application/api/authenticated.ts';
import { BACKEND_OAUTH_PREFIX, BACKEND_PREFIX } from '#provider/base/backend-api/backend-api.ts';
import type { CallGate } from '#domain/rules/gates.ts';
import { CALLER_KINDS, isOpen } from '#domain/rules/gates.ts';
import type { RefusalType } from '#domain/rules/refusal.ts';
import { responsesOf } from './error-responses.ts';
import type { ErrorFormat } from './errors.ts';
import { FIELD_NOTES, PARAMETER_NOTES } from './field-notes.ts';
import type { JsonSchema } from './json-schema.ts';
import type { SharedExamples } from './reply-examples.ts';
import type { FieldNote } from './request-fields.ts';
import { requestBody } from './request-schemas.ts';
import type { TypedCall } from './wire-types.ts';

/** One call of a table, with everything that the tables say of it. */
export interface DescribedCall {
  readonly format: ErrorFormat;
  readonly endpoint: Endpoint;
  readonly gate: CallGate;
  readonly typed: TypedCall;
  readonly summary: string;
  readonly tag: string;
  /** The types of errors that every call of the API can have, and those of this call. */
  readonly everywhere: ReadonlySet<RefusalType>;
  readonly own: ReadonlySet<RefusalType>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly [field: string]: unknown;
}

/** Endpoints that clients call without credentials. */
const WITHOUT_CREDENTIALS: ReadonlySet<string> = new Set(['projects.bootstrap', 'events.log']);
const PARAMETERS: Readonly<Record<string, FieldNote>> = PARAMETER_NOTES;
const FIELDS: Readonly<Record<string, FieldNote>> = FIELD_NOTES;

/** The path as OpenAPI writes it: `{id}` for `:id`. */
export const openApiPath = (path: string): string => path.replaceAll(/:(\w+)/gu, '{$1}');

function parametersOf({ path, query = {} }: Endpoint): readonly object[] {
  const inPath = [...path.matchAll(/:(\w+)/gu)].map(([, name = '']) => ({
    ...parameter(name, 'path', PARAMETERS[name]),
    required: true,
  }));
  const inQuery = Object.entries(query).map(([name, kind]) => ({
    ...parameter(name, 'query', FIELDS[name]),
    required: !kind.endsWith('?'),
  }));
  return [...inPath, ...inQuery];
}

function parameter(name: string, place: 'path' | 'query', note: FieldNote | undefined): object {
  if (note === undefined) throw new Error(`The parameter ${name} has no note.`);
  return { name, in: place, description: note.about, schema: { type: 'string' }, example: note.example };
}

/** True for a login, and for a call that continues one: its body may have the fields of the second factor. */
const isLogin = ({ format, endpoint, gate, typed }: DescribedCall): boolean =>
  format === 'client'
    ? endpoint.reply === AUTHENTICATED || gate.takesStep === true
    : 'mfa' in (typed.reply.properties ?? {}) || typed.reply.$ref?.includes('Authenticated') === true;

function securityOf({ format, endpoint, gate }: DescribedCall): readonly object[] {
  if (format === 'backend') return [{ projectSecret: [] }];
  if (WITHOUT_CREDENTIALS.has(endpoint.name)) return [{}, { publicToken: [] }];
  const needsSession = gate.none !== 'passes' && gate.takesStep !== true;
  return [...(needsSession ? [] : [{ publicToken: [] }]), { sessionToken: [] }];
}

/** Who may make the call, from the table of calls and kinds of sessions. */
function callersOf({ gate }: DescribedCall): string {
  if (isOpen(gate)) return '';
  const types = [...new Set(CALLER_KINDS.map((kind) => gate[kind]))].filter((answer) => answer !== 'passes');
  const refused = types.map((type) => {
    const kinds = CALLER_KINDS.filter((kind) => gate[kind] === type).map((kind) => `\`${kind}\``);
    return `${kinds.join(', ')} (\`${type}\`)`;
  });
  return refused.length === 0 ? '' : `Refused callers: ${refused.join('; ')}.`;
}

export function operationOf(call: DescribedCall, examples: SharedExamples): Operation {
  const { format, endpoint, typed, summary, tag, everywhere, own } = call;
  const parameters = parametersOf(endpoint);
  const body = requestBody(endpoint, isLogin(call));
  const description = [typed.doc, callersOf(call)].filter((text) => text !== '').join('\n\n');
  const isOAuth = `${BACKEND_PREFIX}${endpoint.path}`.startsWith(BACKEND_OAUTH_PREFIX);
  const hasBody = endpoint.method !== 'GET';
  const types = [...own].filter((type) => !everywhere.has(type)).sort();
  return {
    operationId: `${format}.${endpoint.name}`,
    tags: [tag],
    summary,
    ...(description === '' ? {} : { description }),
    security: securityOf(call),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: body.required,
            content: { 'application/json': { schema: body.schema, example: body.example } },
          },
        }),
    responses: {
      200: { description: 'Success.', content: { 'application/json': success(format, typed.reply, examples) } },
      ...responsesOf({ format, isOAuth: format === 'backend' && isOAuth, hasBody, everywhere, own }),
    },
    ...(types.length === 0 ? {} : { 'x-error-types': types }),
  };
}

function success(format: ErrorFormat, reply: JsonSchema, examples: SharedExamples): object {
  const schema: JsonSchema =
    format === 'backend'
      ? reply
      : { type: 'object', properties: { data: reply }, required: ['data'], additionalProperties: false };
  const named = reply.$ref ?? reply.anyOf?.[0]?.$ref;
  if (named === undefined) return { schema, example: examples.of(schema) };
  const name = `${format === 'client' ? 'Client' : 'Backend'}${named.slice(named.lastIndexOf('/') + 1)}`;
  return { schema, examples: { reply: examples.shared(name, schema) } };
}
