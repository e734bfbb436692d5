import { REFUSALS, type RefusalType } from '#domain/rules/refusal.ts';
import { OAUTH_STATUS, type OAuthErrorCode } from '#provider/apps/idp/protocol/oauth-error.ts';
import { schemaRef, type JsonSchema } from './json-schema.ts';

/** The two formats of errors. */
export type ErrorFormat = 'client' | 'backend';

const TYPES = Object.keys(REFUSALS) as RefusalType[];

/** In the backend API these become others (`backend-terms.ts`). */
const NOT_IN: Readonly<Record<ErrorFormat, ReadonlySet<RefusalType>>> = {
  client: new Set(['rate_limit_exceeded', 'browser_not_allowed', 'admin_secret_required']),
  backend: new Set(['too_many_requests', 'unregistered_origin', 'captcha_required', 'admin_secret_required']),
};

/** The status of every type, and the types of every status, in ascending order. */
export function typesByStatus(format: ErrorFormat): ReadonlyMap<number, readonly RefusalType[]> {
  const found = new Map<number, RefusalType[]>();
  for (const type of TYPES.filter((each) => !NOT_IN[format].has(each))) {
    const [status] = REFUSALS[type];
    found.set(status, [...(found.get(status) ?? []), type]);
  }
  return new Map([...found].sort(([one], [other]) => one - other));
}

const apiName = (format: ErrorFormat): string => (format === 'client' ? 'Client' : 'Backend');

/** The schema of an error with one of the types. */
function errorSchema(format: ErrorFormat, status: number): JsonSchema {
  return {
    type: 'object',
    properties: {
      status_code: { type: 'number', const: status },
      request_id: { type: 'string', description: 'Names the request in the log of the server.' },
      error_type: schemaRef(`${apiName(format)}ErrorType${status}`),
      error_message: { type: 'string', description: 'For a person.' },
      error_url: { type: 'string', format: 'uri', description: 'A page with the cause, the field and the remedy.' },
      error_details: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Such as the names of the wrong fields.',
      },
    },
    required: ['status_code', 'request_id', 'error_type', 'error_message', 'error_url'],
    additionalProperties: false,
  };
}

/** A reference to the schema of the errors of a status. */
export const errorRef = (format: ErrorFormat, status: number): JsonSchema =>
  schemaRef(`${apiName(format)}Error${status}`);

/** The schemas of errors, and of their types with their messages, by the names of their components. */
export function errorSchemas(): Readonly<Record<string, JsonSchema>> {
  const entries = (['client', 'backend'] as const).flatMap((format) =>
    [...typesByStatus(format)].flatMap(([status, types]): [string, JsonSchema][] => [
      [
        `${apiName(format)}ErrorType${status}`,
        { oneOf: types.map((type) => ({ const: type, description: REFUSALS[type][1] })) },
      ],
      [`${apiName(format)}Error${status}`, errorSchema(format, status)],
      ...(format === 'backend'
        ? [[`BackendOAuthError${status}`, withOAuthFields(status)] as [string, JsonSchema]]
        : []),
    ]),
  );
  return Object.fromEntries(entries);
}

export function errorExample(type: RefusalType): object {
  return {
    status_code: REFUSALS[type][0],
    request_id: 'request-id-test-1',
    error_type: type,
    error_message: REFUSALS[type][1],
    error_url: `https://login.example.com/errors/${type}`,
  };
}

/** The codes of OAuth with a status, in any order. */
export const codesOf = (status: number): readonly OAuthErrorCode[] =>
  (Object.keys(OAUTH_STATUS) as OAuthErrorCode[]).filter((code) => OAUTH_STATUS[code] === status);

/** An error in the format of OAuth (RFC 6749, section 5.2). */
export const oauthErrorSchema = (codes: readonly OAuthErrorCode[]): JsonSchema => ({
  type: 'object',
  properties: {
    error: { type: 'string', enum: codes },
    error_description: { type: 'string', description: 'For the developer of the app.' },
  },
  required: ['error', 'error_description'],
  additionalProperties: false,
});

/** An error of the backend API with the fields of OAuth. */
function withOAuthFields(status: number): JsonSchema {
  const { properties = {}, required = [], ...schema } = errorSchema('backend', status);
  const codes = codesOf(status);
  const type = properties['error_type'] ?? {};
  const text = { type: 'string' };
  return {
    ...schema,
    properties: {
      ...properties,
      error_type: codes.length === 0 ? type : { anyOf: [type, { type: 'string', enum: codes }] },
      error: { ...text, description: 'The code of OAuth.' },
      error_description: text,
      error_uri: text,
    },
    required: [...required, 'error', 'error_description', 'error_uri'],
  };
}

/** A body that does not have the fields of its call, in the client API. */
export const SCHEMA_ERROR: JsonSchema = {
  type: 'object',
  description: 'The body does not have the fields of the call.',
  properties: {
    status_code: { type: 'number', const: 400 },
    request_id: { type: 'string' },
    body: {
      type: 'array',
      items: {
        type: 'object',
        properties: { dataPath: { type: 'array', items: { type: 'string' } }, message: { type: 'string' } },
        required: ['dataPath', 'message'],
        additionalProperties: false,
      },
    },
  },
  required: ['status_code', 'request_id', 'body'],
  additionalProperties: false,
};
