import { CALLERS_TEXT } from './callers.ts';
import type { JsonSchema } from './json-schema.ts';

interface Media {
  readonly schema: JsonSchema;
}

interface PageOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly 'x-error-types'?: readonly string[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

/** What the page shows of a description. */
export interface PageDescription {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, PageOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** The rows of the catalogue of errors. */
type ErrorRow = readonly [type: string, status: number, message: string];

const HEAD = `# The reference of the HTTP APIs

All calls of the client API (\`/sdk/v1\`), the backend API (\`/v1\`) and OAuth (\`/oauth2\`), the starts of social logins, and the files below
\`/.well-known\`. This page and an OpenAPI 3.1 description are generated from the tables that the server itself reads (\`node scripts/lib/jiti.mjs scripts/openapi.ts --write\`).

The provider serves the description at \`/openapi.json\`, with an \`ETag\`, to programs and pages of every origin. It is the same for every
project and contains nothing secret. Both packages have the same file: \`portico\` as \`provider/openapi.json\`, and \`portico-provider\` as
\`portico-provider/openapi.json\`. Generators make clients from it: \`npx openapi-typescript http://localhost:4100/openapi.json -o portico.d.ts\`
makes types for TypeScript.

A request may have more fields than its call lists: the server ignores them. Null counts as a field that is left out. A reply has no other
fields than those listed here, except in objects whose fields your project chooses, such as metadata. Every reply of the client API and
the backend API also has \`status_code\` and \`request_id\`. The client API wraps a reply, but no error, in \`data\`.
`;

const cell = (text: string): string => text.replaceAll(/\s+/gu, ' ').replaceAll('|', '\\|').trim();

const anchorOf = (name: string): string => name.toLowerCase();

function typeText(schema: JsonSchema): string {
  const { $ref, anyOf, oneOf, type, items } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return `[${name}](#${anchorOf(name)})`;
  }
  if (anyOf !== undefined || oneOf !== undefined) return (anyOf ?? oneOf ?? []).map(typeText).join(' or ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const).replaceAll('"', '')}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (type === 'array' && items !== undefined) return `list of ${typeText(items)}`;
  if (Array.isArray(type)) return (type as readonly string[]).join(' or ');
  return typeof type === 'string' ? type : 'any';
}

/** A table of the fields of an object; empty for one without fields of its own. */
function fieldsTable({ properties = {}, required = [] }: JsonSchema): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const type = typeText(schema).replace(/ or null$/u, isRequired ? ' or null' : '');
    return `| \`${name}\`${isRequired ? '' : '?'} | ${type} | ${cell(schema.description ?? '')} |`;
  });
  return rows.length === 0 ? '' : ['| field | type | |', '|---|---|---|', ...rows].join('\n');
}

const jsonOf = (content: Readonly<Record<string, Media>> | undefined): JsonSchema | undefined =>
  content?.['application/json']?.schema ?? Object.values(content ?? {})[0]?.schema;

/** The fields of the reply, without the `data` around those of the client API. */
function replyText(operation: PageOperation): string {
  const good = operation.responses['200'] ?? operation.responses['201'];
  const schema = jsonOf(good?.content) ?? {};
  const fields = schema.properties?.['data'] ?? schema;
  const { anyOf = [fields] } = fields;
  const texts = anyOf.map((each) => {
    if (each.$ref !== undefined) return typeText(each);
    const names = Object.entries(each.properties ?? {}).filter(
      ([name]) => name !== 'status_code' && name !== 'request_id',
    );
    return names.map(([name, inner]) => `\`${name}\` ${typeText(inner)}`).join(', ');
  });
  const [first = ''] = texts;
  return first === '' ? '' : `Reply: ${texts.join('; or, if the login lacks something, ')}.`;
}

/** The types of errors that not every call has. */
function errorsText({ 'x-error-types': types = [] }: PageOperation): string {
  return types.length === 0 ? '' : `Errors: ${types.map((type) => `\`${type}\``).join(', ')}.`;
}

function operationText(path: string, method: string, operation: PageOperation): string {
  const body = jsonOf(operation.requestBody?.content);
  const parameters = operation.parameters ?? [];
  const inPath = parameters.map(({ name, in: place, description }) => `\`${name}\` (${place}): ${cell(description)}`);
  return [
    `### ${operation.summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    operation.description ?? '',
    inPath.join('\n\n'),
    body === undefined ? '' : fieldsTable(body.items ?? body),
    replyText(operation),
    errorsText(operation),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function schemaText([name, schema]: readonly [string, JsonSchema]): string {
  const table = fieldsTable(schema);
  return [`### ${name}`, schema.description ?? '', table === '' ? typeText(schema) : table]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The page of the reference, in Markdown. */
export function referencePage({ tags, paths, components }: PageDescription, errors: readonly ErrorRow[]): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const areas = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const texts = own.map(({ path, method, operation }) => operationText(path, method, operation));
    return [`## ${name}`, description, ...texts].join('\n\n');
  });
  const schemes = Object.entries(components.securitySchemes).map(
    ([name, { description }]) => `| \`${name}\` | ${cell(description)} |`,
  );
  const rows = errors.map(([type, status, message]) => `| \`${type}\` | ${status} | ${cell(message)} |`);
  return [
    HEAD.trimEnd(),
    '## Authentication',
    ['| scheme | credentials |', '|---|---|', ...schemes].join('\n'),
    CALLERS_TEXT,
    ...areas,
    '## Types',
    ...Object.entries(components.schemas)
      .filter(([name]) => !/Error(?:Type)?\d+$/u.test(name))
      .map(schemaText),
    '## Errors',
    'The text of a call lists only the errors that not every call can have. Each error has `status_code`, `request_id`, `error_type`, `error_message` and `error_url`, a page with the remedy.',
    ['| type | status | message |', '|---|---|---|', ...rows].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}
