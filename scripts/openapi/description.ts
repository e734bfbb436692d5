import { api, API_PREFIX, type Endpoint } from '#application/api/index.ts';
import { gates } from '#application/api/gates.ts';
import type { CallGate } from '#domain/rules/gates.ts';
import { backendGates } from '#provider/accounts/sessions/reading/backend-gates.ts';
import { backendApi, BACKEND_PREFIX } from '#provider/base/backend-api/backend-api.ts';
import provider from '../../provider/package.json' with { type: 'json' };
import { backendSummaries } from './backend-summaries.ts';
import { CALLERS_TEXT } from './callers.ts';
import { clientSummaries } from './client-summaries.ts';
import { errorSchemas, SCHEMA_ERROR, type ErrorFormat } from './errors.ts';
import { errorResponses, errorStatuses } from './error-responses.ts';
import { oauthOperations } from './oauth-operations.ts';
import { openApiPath, operationOf, type DescribedCall, type Operation } from './operations.ts';
import { SharedExamples } from './reply-examples.ts';
import { SECURITY_SCHEMES } from './security.ts';
import { OAUTH_TAGS, tagName, tagsOf } from './tags.ts';
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

/** The OpenAPI 3.1 description of the provider's APIs. */
export function openApiDescription(): object {
  const types = readWireTypes();
  const schemas = { ...types.schemas, SchemaError: SCHEMA_ERROR, ...errorSchemas() };
  const examples = new SharedExamples(schemas);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const table of TABLES) {
    const statuses = errorStatuses(table.format);
    for (const call of describedCalls(table, types[table.format])) {
      const path = table.prefix + openApiPath(call.endpoint.path);
      const methods = (paths[path] ??= {});
      methods[call.endpoint.method.toLowerCase()] = operationOf(call, { statuses, examples });
    }
  }
  const statuses = errorStatuses('client');
  for (const { path, method, operation } of oauthOperations({ types: { ...types, schemas }, examples, statuses })) {
    (paths[path] ??= {})[method] = operation;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portico',
      version: provider.version,
      description: `The APIs of the provider: the client API of browsers, the backend API of the app’s own server, and OAuth for other apps.\n\n${CALLERS_TEXT}`,
      license: { name: provider.license, identifier: provider.license },
    },
    servers: [{ url: '/', description: 'The provider that serves this description.' }],
    tags: [...TABLES.flatMap(({ format, calls }) => tagsOf(format, Object.keys(calls))), ...OAUTH_TAGS],
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      responses: errorResponses(),
      schemas,
      examples: examples.components,
    },
  };
}
