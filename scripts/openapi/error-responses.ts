import { STATUS_CODES } from 'node:http';
import { REFUSALS } from '#domain/rules/refusal.ts';
import { codesOf, errorExample, errorRef, oauthErrorSchema, typesByStatus, type ErrorFormat } from './errors.ts';
import { schemaRef, type JsonSchema } from './json-schema.ts';

type Responses = Readonly<Record<string, object>>;

const JSON_TYPE = 'application/json';
const HTML = { 'text/html': { schema: { type: 'string' } } };

/** The statuses of errors, in ascending order. */
export const errorStatuses = (format: ErrorFormat): readonly number[] => [...typesByStatus(format).keys()];

const response = (status: number, schema: JsonSchema, example: object, others: object = {}): object => ({
  description: `${STATUS_CODES[status] ?? 'Error'}.`,
  content: { [JSON_TYPE]: { schema, example }, ...others },
});

/** The client API, the endpoints of `/oauth2` that programs call, and its pages. */
function ofClients(): Responses {
  const entries = [...typesByStatus('client')].flatMap(([status, types]) => {
    const general = errorRef('client', status);
    const [first = 'internal_server_error'] = types;
    const example = errorExample(first);
    const ofOAuth = (codes: ReturnType<typeof codesOf>): object => {
      const [code] = codes;
      if (code === undefined) return response(status, general, example);
      const schema = { anyOf: [oauthErrorSchema(codes), general] };
      return response(status, schema, { error: code, error_description: 'The reason.' });
    };
    // Clients recognize a required captcha by its text.
    const captcha = types.includes('captcha_required')
      ? { 'text/plain': { schema: { type: 'string', const: REFUSALS.captcha_required[1] } } }
      : {};
    // At an API an invalid proof is an invalid credential (RFC 9449, section 7.1).
    const ofProofs = status === 401 ? (['invalid_dpop_proof', 'use_dpop_nonce'] as const) : [];
    const ofApi = status === 400 ? { anyOf: [general, schemaRef('SchemaError')] } : general;
    return [
      [`ClientError${status}`, response(status, ofApi, example, captcha)],
      [`OAuthError${status}`, ofOAuth(codesOf(status))],
      [`BearerError${status}`, ofOAuth([...codesOf(status), ...ofProofs])],
      [`PageError${status}`, response(status, general, example, HTML)],
    ] as const;
  });
  return Object.fromEntries(entries);
}

/** The backend API, and its calls with errors that also have the fields of OAuth. */
function ofServers(): Responses {
  const entries = [...typesByStatus('backend')].flatMap(([status, types]) => {
    const [first = 'internal_server_error'] = types;
    const example = errorExample(first);
    const ofOAuth = {
      ...example,
      error: 'invalid_request',
      error_description: REFUSALS[first][1],
      error_uri: `https://login.example.com/errors/${first}`,
    };
    return [
      [`BackendError${status}`, response(status, errorRef('backend', status), example)],
      [`BackendOAuthError${status}`, response(status, schemaRef(`BackendOAuthError${status}`), ofOAuth)],
    ] as const;
  });
  return Object.fromEntries(entries);
}

/** All responses with an error, by the names of their components. */
export const errorResponses = (): Responses => ({ ...ofClients(), ...ofServers() });
