import { REFUSALS, type RefusalType } from '#domain/rules/refusal.ts';
import type { JsonSchema } from './json-schema.ts';

/** The two formats of errors. */
export type ErrorFormat = 'client' | 'backend';

const TYPES = Object.keys(REFUSALS) as RefusalType[];

/** In the backend API these become others (`backend-terms.ts`). */
const NOT_IN: Readonly<Record<ErrorFormat, ReadonlySet<RefusalType>>> = {
  client: new Set(['bad_request', 'rate_limit_exceeded', 'browser_not_allowed', 'admin_secret_required']),
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

/** The schema of an error with one of the types. */
export function errorSchema(status: number, types: readonly RefusalType[]): JsonSchema {
  return {
    type: 'object',
    properties: {
      status_code: { type: 'number', const: status },
      request_id: { type: 'string', description: 'Names the request in the log of the server.' },
      error_type: { oneOf: types.map((type) => ({ const: type, description: REFUSALS[type][1] })) },
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

export function errorExample(type: RefusalType): object {
  return {
    status_code: REFUSALS[type][0],
    request_id: 'request-id-test-1',
    error_type: type,
    error_message: REFUSALS[type][1],
    error_url: `https://login.example.com/errors/${type}`,
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
