import { STATUS_CODES } from 'node:http';
import { api, API_PREFIX, type Endpoint } from '#application/api/index.ts';
import { gates } from '#application/api/gates.ts';
import { REFUSALS } from '#domain/rules/refusal.ts';
import type { CallGate } from '#domain/rules/gates.ts';
import { backendGates } from '#provider/accounts/sessions/reading/backend-gates.ts';
import { backendApi, BACKEND_PREFIX } from '#provider/base/backend-api/backend-api.ts';
import provider from '../../provider/package.json' with { type: 'json' };
import { backendSummaries } from './backend-summaries.ts';
import { CALLERS_TEXT } from './callers.ts';
import { clientSummaries } from './client-summaries.ts';
import { errorExample, errorSchema, SCHEMA_ERROR, typesByStatus, type ErrorFormat } from './errors.ts';
import { schemaRef } from './json-schema.ts';
import { openApiPath, operationOf, responseName, type DescribedCall, type Operation } from './operations.ts';
import { SharedExamples } from './reply-examples.ts';
import { SECURITY_SCHEMES } from './security.ts';
import { tagName, tagsOf } from './tags.ts';
import { readWireTypes, type TypedCall } from './wire-types.ts';

interface Table {
  readonly format: ErrorFormat;
  readonly prefix: string;
  readonly calls: object;
  readonly gates: object;
  readonly summaries: object;
}

const TABLES: readonly Table[] = [
  { format: 'client', prefix: API_PREFIX, calls: api, gates, summaries: clientSummaries },
  { format: 'backend', prefix: BACKEND_PREFIX, calls: backendApi, gates: backendGates, summaries: backendSummaries },
];

/** The value of a table at an area and name. */
function cellOf<Value>(table: object, area: string, name: string): Value {
  const value = (table as Readonly<Record<string, Readonly<Record<string, Value>>>>)[area]?.[name];
  if (value === undefined) throw new Error(`A table has no row for ${area}.${name}.`);
  return value;
}

function describedCalls(
  { format, calls, gates: gateTable, summaries }: Table,
  typed: ReadonlyMap<string, TypedCall>,
): readonly DescribedCall[] {
  return Object.entries(calls as Readonly<Record<string, Readonly<Record<string, Endpoint>>>>).flatMap(
    ([area, endpoints]) =>
      Object.entries(endpoints).map(([name, endpoint]): DescribedCall => {
        const types = typed.get(`${area}.${name}`);
        if (types === undefined) throw new Error(`${area}.${name} has no types.`);
        return {
          format,
          endpoint,
          gate: cellOf<CallGate>(gateTable, area, name),
          typed: types,
          summary: cellOf<string>(summaries, area, name),
          tag: tagName(format, area),
        };
      }),
  );
}

/** The responses with an error, by the names of their components. */
function errorResponses(format: ErrorFormat): Readonly<Record<string, object>> {
  const entries = [...typesByStatus(format)].map(([status, types]) => {
    const [first = 'internal_server_error'] = types;
    const schema = errorSchema(status, types);
    const isShape = format === 'client' && status === 400;
    const content = {
      'application/json': {
        schema: isShape ? { anyOf: [schema, schemaRef('SchemaError')] } : schema,
        example: errorExample(first),
      },
      // Clients recognize a required captcha by its text.
      ...(types.includes('captcha_required')
        ? { 'text/plain': { schema: { type: 'string', const: REFUSALS.captcha_required[1] } } }
        : {}),
    };
    const description = `${STATUS_CODES[status] ?? 'Error'}.`;
    return [responseName(format, status), { description, content }] as const;
  });
  return Object.fromEntries(entries);
}

/** The OpenAPI 3.1 description of the provider's APIs. */
export function openApiDescription(): object {
  const types = readWireTypes();
  const schemas = { ...types.schemas, SchemaError: SCHEMA_ERROR };
  const examples = new SharedExamples(schemas);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const table of TABLES) {
    const statuses = [...typesByStatus(table.format).keys()];
    for (const call of describedCalls(table, types[table.format])) {
      const path = table.prefix + openApiPath(call.endpoint.path);
      const methods = (paths[path] ??= {});
      methods[call.endpoint.method.toLowerCase()] = operationOf(call, { statuses, examples });
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portico',
      version: provider.version,
      description: `The APIs of the provider: the client API of browsers and the backend API of the app’s own server.\n\n${CALLERS_TEXT}`,
      license: { name: provider.license, identifier: provider.license },
    },
    servers: [{ url: '/', description: 'The provider that serves this description.' }],
    tags: TABLES.flatMap(({ format, calls }) => tagsOf(format, Object.keys(calls))),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      responses: { ...errorResponses('client'), ...errorResponses('backend') },
      schemas,
      examples: examples.components,
    },
  };
}
