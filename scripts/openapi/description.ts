import { api, API_PREFIX, type Endpoint } from '#application/api/index.ts';
import { gates } from '#application/api/gates.ts';
import type { RefusalType } from '#domain/rules/refusal.ts';
import type { CallGate } from '#domain/rules/gates.ts';
import { backendGates } from '#provider/accounts/sessions/reading/backend-gates.ts';
import { backendApi, BACKEND_PREFIX } from '#provider/base/backend-api/backend-api.ts';
import provider from '../../provider/package.json' with { type: 'json' };
import { backendSummaries } from './backend-summaries.ts';
import { CALLERS_TEXT } from './callers.ts';
import { clientSummaries } from './client-summaries.ts';
import { errorSchemas, SCHEMA_ERROR, type ErrorFormat } from './errors.ts';
import { errorResponses, errorStatuses, usualTypes } from './error-responses.ts';
import { furtherOperations } from './further-operations.ts';
import { oauthOperations } from './oauth-operations.ts';
import { openApiPath, operationOf, type DescribedCall, type Operation } from './operations.ts';
import { SharedExamples } from './reply-examples.ts';
import { SECURITY_SCHEMES } from './security.ts';
import { OAUTH_TAGS, tagName, tagsOf } from './tags.ts';
import { ThrownTypes } from './thrown.ts';
import { readWireTypes, type TypedCall } from './wire-types.ts';

/** A value for each area and name of a call. */
type Cells<Value> = Readonly<Record<string, Readonly<Record<string, Value>>>>;

interface Table {
  readonly format: ErrorFormat;
  readonly prefix: string;
  readonly calls: Cells<Endpoint>;
  readonly gates: Cells<CallGate>;
  readonly summaries: Cells<string>;
}

const TABLES: readonly Table[] = [
  { format: 'client', prefix: API_PREFIX, calls: api, gates, summaries: clientSummaries },
  { format: 'backend', prefix: BACKEND_PREFIX, calls: backendApi, gates: backendGates, summaries: backendSummaries },
];

/** The value of a table at an area and name. */
function cellOf<Value>(table: Cells<Value>, area: string, name: string): Value {
  const value = table[area]?.[name];
  if (value === undefined) throw new Error(`A table has no row for ${area}.${name}.`);
  return value;
}

/** What the sources say of the calls of a table. */
interface Sources {
  readonly typed: ReadonlyMap<string, TypedCall>;
  readonly thrown: ThrownTypes;
  /** The types of errors that every call can have. */
  readonly everywhere: ReadonlySet<RefusalType>;
}

function describedCalls(
  { format, calls, gates: gateTable, summaries }: Table,
  { typed, thrown, everywhere }: Sources,
): readonly DescribedCall[] {
  const ownOf = thrown.byCall(format);
  return Object.entries(calls).flatMap(([area, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]): DescribedCall => {
      const types = typed.get(`${area}.${name}`);
      if (types === undefined) throw new Error(`${area}.${name} has no types.`);
      const gate = cellOf(gateTable, area, name);
      return {
        format,
        endpoint,
        gate,
        everywhere,
        own: ownOf(area, name, gate),
        typed: types,
        summary: cellOf(summaries, area, name),
        tag: tagName(format, area),
      };
    }),
  );
}

/** The OpenAPI 3.1 description of the provider's APIs. */
export function openApiDescription(): object {
  const types = readWireTypes();
  const thrown = new ThrownTypes();
  const usual = { client: thrown.everywhere('client'), backend: thrown.everywhere('backend') };
  const schemas = {
    ...types.schemas,
    SchemaError: SCHEMA_ERROR,
    ...errorSchemas(),
    ...usualTypes('client', usual.client),
    ...usualTypes('backend', usual.backend),
  };
  const examples = new SharedExamples(schemas);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const table of TABLES) {
    for (const call of describedCalls(table, { typed: types[table.format], thrown, everywhere: usual[table.format] })) {
      const path = table.prefix + openApiPath(call.endpoint.path);
      const methods = (paths[path] ??= {});
      methods[call.endpoint.method.toLowerCase()] = operationOf(call, examples);
    }
  }
  const statuses = errorStatuses('client');
  const others = [
    ...oauthOperations({ types: { ...types, schemas }, examples, statuses, usual }),
    ...furtherOperations({ types: types.further, examples, statuses, usual, thrown }),
  ];
  for (const { path, method, operation } of others) (paths[path] ??= {})[method] = operation;
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
      responses: errorResponses(usual),
      schemas,
      examples: examples.components,
    },
  };
}
