import { STATUS_CODES } from 'node:http';
import { REFUSALS, type RefusalType } from '#domain/rules/refusal.ts';
import { codesOf, errorExample, errorRef, oauthErrorSchema, typesByStatus, type ErrorFormat } from './errors.ts';
import { schemaRef, type JsonSchema } from './json-schema.ts';

type Responses = Readonly<Record<string, object>>;

const JSON_TYPE = 'application/json';
const HTML = { 'text/html': { schema: { type: 'string' } } };

/** The errors that a call can have. */
interface CallErrors {
  readonly format: ErrorFormat;
  /** Whether they also have the fields of OAuth. */
  readonly isOAuth: boolean;
  /** Whether the call has a body. */
  readonly hasBody: boolean;
  /** The types that every call of the API can have, and those of this call. */
  readonly everywhere: ReadonlySet<RefusalType>;
  readonly own: ReadonlySet<RefusalType>;
}

const BODY_STATUSES: ReadonlySet<number> = new Set([408, 413, 415]);
/** Of a path, not of a call. */
const METHOD_STATUS = 405;

const apiName = (format: ErrorFormat): string => (format === 'client' ? 'Client' : 'Backend');

/** The responses with an error of a call, by their statuses. */
export function responsesOf({ format, isOAuth, hasBody, everywhere, own }: CallErrors): Responses {
  const kind = `${apiName(format)}${isOAuth ? 'OAuth' : ''}`;
  const entries = [...typesByStatus(format)].flatMap(([status, types]): [number, object][] => {
    const isUsual = types.some((type) => everywhere.has(type));
    const further = types.filter((type) => own.has(type) && !everywhere.has(type));
    const isOf = status !== METHOD_STATUS && (hasBody || !BODY_STATUSES.has(status));
    if (!isOf || (!isUsual && further.length === 0)) return [];
    const [first] = further;
    if (first === undefined) return [[status, { $ref: `#/components/responses/${kind}Error${status}` }]];
    const usual = isUsual ? [schemaRef(`${apiName(format)}UsualError${status}`)] : [];
    const schema: JsonSchema = {
      allOf: [
        schemaRef(`${kind}Error${status}`),
        { properties: { error_type: { anyOf: [...usual, { type: 'string', enum: further }] } } },
      ],
    };
    const captcha = types.includes('captcha_required') ? CAPTCHA : {};
    return [[status, response(status, withShape(format, status, schema), exampleOf(first, isOAuth), captcha)]];
  });
  return Object.fromEntries(entries);
}

/** A body can also lack the fields of its call. */
const withShape = (format: ErrorFormat, status: number, schema: JsonSchema): JsonSchema =>
  format === 'client' && status === 400 ? { anyOf: [schema, schemaRef('SchemaError')] } : schema;

const exampleOf = (type: RefusalType, isOAuth: boolean): object => ({
  ...errorExample(type),
  ...(isOAuth
    ? {
        error: 'invalid_request',
        error_description: REFUSALS[type][1],
        error_uri: `https://login.example.com/errors/${type}`,
      }
    : {}),
});

/** The schemas of the types that every call of an API can have, by the names of their components. */
export const usualTypes = (
  format: ErrorFormat,
  everywhere: ReadonlySet<RefusalType>,
): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    [...typesByStatus(format)].flatMap(([status, types]): [string, JsonSchema][] => {
      const usual = types.filter((type) => everywhere.has(type));
      return usual.length === 0 ? [] : [[`${apiName(format)}UsualError${status}`, { type: 'string', enum: usual }]];
    }),
  );

/** Clients recognize a required captcha by its text. */
const CAPTCHA = { 'text/plain': { schema: { type: 'string', const: REFUSALS.captcha_required[1] } } };

/** The statuses of errors, in ascending order. */
export const errorStatuses = (format: ErrorFormat): readonly number[] => [...typesByStatus(format).keys()];

const response = (status: number, schema: JsonSchema, example: object, others: object = {}): object => ({
  description: `${STATUS_CODES[status] ?? 'Error'}.`,
  content: { [JSON_TYPE]: { schema, example }, ...others },
});

/** The responses of the two APIs with the types that every call can have. */
function usualResponses(format: ErrorFormat, everywhere: ReadonlySet<RefusalType>): Responses {
  const entries = [...typesByStatus(format)].flatMap(([status, types]): [string, object][] => {
    const first = types.find((type) => everywhere.has(type));
    if (first === undefined) return [];
    const usual = { properties: { error_type: schemaRef(`${apiName(format)}UsualError${status}`) } };
    const of = (kind: string, isOAuth: boolean): [string, object] => {
      const schema: JsonSchema = { allOf: [schemaRef(`${kind}Error${status}`), usual] };
      const captcha = types.includes('captcha_required') ? CAPTCHA : {};
      const whole = withShape(format, status, schema);
      return [`${kind}Error${status}`, response(status, whole, exampleOf(first, isOAuth), captcha)];
    };
    return format === 'client' ? [of('Client', false)] : [of('Backend', false), of('BackendOAuth', true)];
  });
  return Object.fromEntries(entries);
}

/** The endpoints of `/oauth2`: those that programs call, its pages, and those at the paths of the public backend SDK. */
function ofOAuth(): Responses {
  const entries = [...typesByStatus('client')].flatMap(([status, types]) => {
    const general = errorRef('client', status);
    const [first = 'internal_server_error'] = types;
    const example = errorExample(first);
    const withCodes = (codes: ReturnType<typeof codesOf>): object => {
      const [code] = codes;
      if (code === undefined) return response(status, general, example);
      const schema = { anyOf: [oauthErrorSchema(codes), general] };
      return response(status, schema, { error: code, error_description: 'The reason.' });
    };
    // At an API an invalid proof is an invalid credential (RFC 9449, section 7.1).
    const ofProofs = status === 401 ? (['invalid_dpop_proof', 'use_dpop_nonce'] as const) : [];
    return [
      [`OAuthError${status}`, withCodes(codesOf(status))],
      [`BearerError${status}`, withCodes([...codesOf(status), ...ofProofs])],
      [`PageError${status}`, response(status, general, example, HTML)],
      [`ProjectError${status}`, response(status, schemaRef(`BackendOAuthError${status}`), exampleOf(first, true))],
    ] as const;
  });
  return Object.fromEntries(entries);
}

/** The types that every call can have, of both APIs. */
export type UsualTypes = Readonly<Record<ErrorFormat, ReadonlySet<RefusalType>>>;

/** All responses with an error, by the names of their components. */
export const errorResponses = ({ client, backend }: UsualTypes): Responses => ({
  ...usualResponses('client', client),
  ...usualResponses('backend', backend),
  ...ofOAuth(),
});
