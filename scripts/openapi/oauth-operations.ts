import { API_PREFIX } from '#application/api/index.ts';
import type { RefusalType } from '#domain/rules/refusal.ts';
import type { Shape } from '#domain/shape.ts';
import {
  oauthCalls,
  oauthPages,
  PROJECT_CALLS,
  type OAuthCall,
  type OAuthCaller,
} from '#provider/apps/idp/protocol/oauth-calls.ts';
import { PREFIX } from '#provider/apps/idp/protocol/paths.ts';
import { BACKEND_PREFIX, KEYS_PATH } from '#provider/base/backend-api/backend-api.ts';
import { responsesOf, type UsualTypes } from './error-responses.ts';
import { schemaRef, type JsonSchema } from './json-schema.ts';
import {
  errorRefs,
  FORM,
  formBody,
  pathParameters,
  queryParameters,
  redirect,
  type PlacedOperation,
} from './operation-parts.ts';
import { openApiPath, type Operation } from './operations.ts';
import type { SharedExamples } from './reply-examples.ts';
import { OAUTH_TAG, tagName } from './tags.ts';
import type { WireTypes } from './wire-types.ts';

interface Knowledge {
  readonly types: Pick<WireTypes, 'oauth' | 'pages' | 'schemas'>;
  readonly examples: SharedExamples;
  readonly statuses: readonly number[];
  readonly usual: UsualTypes;
}

/** A few words for each endpoint. An endpoint without them is a compile error. */
const SUMMARIES: Readonly<Record<keyof typeof oauthCalls | keyof typeof oauthPages, string>> = {
  token: 'Get tokens',
  par: 'Push an authorization request',
  deviceAuthorization: 'Begin a sign-in on a device',
  revoke: 'Revoke a token',
  introspect: 'Introspect a token',
  userinfo: 'Read the claims of a user',
  postedUserinfo: 'Read the claims of a user, with a form',
  jwks: 'Read the keys of tokens',
  register: 'Register an agent',
  readRegistration: 'Read a registration',
  updateRegistration: 'Change a registration',
  deleteRegistration: 'Delete a registration',
  authorize: 'Sign in to an app',
  logout: 'Log out of an app',
  device: 'Enter the code of a device',
  formPost: 'Post an answer to an app',
};

const SECURITY: Readonly<Record<OAuthCaller, readonly object[]>> = {
  client: [{ clientSecret: [] }, {}],
  'access token': [{ accessToken: [] }],
  'registration token': [{ registrationToken: [] }],
  'initial token': [{}, { registrationToken: [] }],
  nobody: [],
};

const JSON_TYPE = 'application/json';
const KEYS_ERRORS: ReadonlySet<RefusalType> = new Set(['project_not_found']);

function success({ status }: OAuthCall, reply: JsonSchema, examples: SharedExamples): object {
  if (status === 204) return { description: 'Success.' };
  return { description: 'Success.', content: { [JSON_TYPE]: { schema: reply, example: examples.of(reply) } } };
}

/** The endpoints of `/oauth2` that programs call. */
function callsOf({ types, examples, statuses }: Knowledge): readonly PlacedOperation[] {
  return (Object.entries(oauthCalls) as [keyof typeof oauthCalls, OAuthCall][]).map(([name, call]) => {
    const typed = types.oauth.get(name);
    if (typed === undefined) throw new Error(`${name} has no types.`);
    const { method, path, caller, form, status } = call;
    const { json } = typed;
    const parameters = pathParameters(path);
    const signed =
      name === 'introspect' ? { 'application/token-introspection+jwt': { schema: { type: 'string' } } } : {};
    const good = success(call, typed.reply, examples) as { readonly content?: object };
    const operation: Operation = {
      operationId: `oauth.${name}`,
      tags: [OAUTH_TAG],
      summary: SUMMARIES[name],
      description: typed.doc,
      security: SECURITY[caller],
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(Object.keys(form).length === 0 ? {} : { requestBody: formBody(form) }),
      ...(json === undefined
        ? {}
        : { requestBody: { required: true, content: { [JSON_TYPE]: { schema: json, example: examples.of(json) } } } }),
      responses: {
        [status]: good.content === undefined ? good : { ...good, content: { ...good.content, ...signed } },
        ...errorRefs(caller === 'client' ? 'OAuth' : 'Bearer', statuses),
      },
    };
    return { path: PREFIX + openApiPath(path), method: method.toLowerCase(), operation };
  });
}

/** The same at the paths of the public backend SDK. */
function projectCallsOf({ types, examples, statuses }: Knowledge): readonly PlacedOperation[] {
  return PROJECT_CALLS.map((name) => {
    const { path, form }: OAuthCall = oauthCalls[name];
    const typed = types.oauth.get(name);
    const reply = types.schemas[typed?.reply.$ref?.split('/').at(-1) ?? ''] ?? {};
    const schema: JsonSchema = {
      ...reply,
      properties: { ...reply.properties, status_code: { type: 'number', const: 200 }, request_id: { type: 'string' } },
      required: [...(reply.required ?? []), 'status_code', 'request_id'],
    };
    const whole = `${BACKEND_PREFIX}/public/:projectId${PREFIX}${path}`;
    const body = formBody(form);
    const operation: Operation = {
      operationId: `oauth.project.${name}`,
      tags: [OAUTH_TAG],
      summary: `${SUMMARIES[name]}, by the public backend SDK`,
      description: typed?.doc ?? '',
      security: [{ clientSecret: [] }, { projectSecret: [] }, {}],
      parameters: pathParameters(whole),
      requestBody: { ...body, content: { ...body.content, [JSON_TYPE]: body.content[FORM] } },
      responses: {
        200: { description: 'Success.', content: { [JSON_TYPE]: { schema, example: examples.of(schema) } } },
        ...errorRefs('Project', statuses),
      },
    };
    return { path: openApiPath(whole), method: 'post', operation };
  });
}

/** The pages to which apps send browsers. */
function pagesOf({ types, statuses }: Knowledge): readonly PlacedOperation[] {
  return (Object.entries(oauthPages) as [keyof typeof oauthPages, { path: string; query: Shape }][]).flatMap(
    ([name, { path, query }]) => {
      const parameters = queryParameters(query);
      const common = {
        tags: [OAUTH_TAG],
        summary: SUMMARIES[name],
        description: types.pages.get(name) ?? '',
        security: [],
      };
      const html = { 'text/html': { schema: { type: 'string' } } };
      const good =
        name === 'formPost'
          ? { 200: { description: 'A page that posts the answer.', content: html } }
          : redirect('The next page.');
      const responses = { ...good, ...errorRefs('Page', statuses) };
      const get = { ...common, operationId: `oauth.${name}`, parameters, responses };
      const post = { ...common, operationId: `oauth.${name}.form`, requestBody: formBody(query), responses };
      return [
        { path: PREFIX + path, method: 'get', operation: get },
        { path: PREFIX + path, method: 'post', operation: post },
      ];
    },
  );
}

/** The public keys of session JWTs, in both APIs. */
function keysOf({ examples, usual }: Knowledge): readonly PlacedOperation[] {
  return (['client', 'backend'] as const).map((format) => {
    const path = `${format === 'client' ? API_PREFIX : BACKEND_PREFIX}${KEYS_PATH}`;
    const keys = schemaRef('KeySet');
    const flat: JsonSchema = {
      type: 'object',
      properties: {
        keys: { type: 'array', items: { type: 'object' } },
        status_code: { type: 'number', const: 200 },
        request_id: { type: 'string' },
      },
      required: ['keys', 'status_code', 'request_id'],
      additionalProperties: false,
    };
    const schema = format === 'client' ? keys : flat;
    const operation: Operation = {
      operationId: `${format}.sessions.jwks`,
      tags: [tagName(format, 'sessions')],
      summary: 'Read the keys of session JWTs',
      security: [],
      parameters: pathParameters(path),
      responses: {
        200: { description: 'Success.', content: { [JSON_TYPE]: { schema, example: examples.of(schema) } } },
        ...responsesOf({ format, isOAuth: false, hasBody: false, everywhere: usual[format], own: KEYS_ERRORS }),
      },
    };
    return { path: openApiPath(path), method: 'get', operation };
  });
}

/** The operations that are in no table of the two APIs. */
export const oauthOperations = (knowledge: Knowledge): readonly PlacedOperation[] => [
  ...callsOf(knowledge),
  ...projectCallsOf(knowledge),
  ...pagesOf(knowledge),
  ...keysOf(knowledge),
];
