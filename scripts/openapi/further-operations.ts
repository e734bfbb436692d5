import { PROVIDER_PARAMETER, socialStart } from '#provider/accounts/social/logins/start-call.ts';
import { furtherCalls } from '#provider/api/further-calls.ts';
import { discoveryCalls } from '#provider/apps/idp/protocol/discovery-calls.ts';
import type { FurtherCall } from '#provider/base/further-call.ts';
import { responsesOf, type UsualTypes } from './error-responses.ts';
import {
  errorRefs,
  formBody,
  pathParameters,
  queryParameters,
  redirect,
  type PlacedOperation,
} from './operation-parts.ts';
import { openApiPath } from './operations.ts';
import type { SharedExamples } from './reply-examples.ts';
import { OAUTH_TAG, tagName } from './tags.ts';
import type { ThrownTypes } from './thrown.ts';
import type { TypedCall } from './wire-types.ts';

interface Knowledge {
  readonly types: ReadonlyMap<string, TypedCall>;
  readonly examples: SharedExamples;
  readonly statuses: readonly number[];
  readonly usual: UsualTypes;
  readonly thrown: ThrownTypes;
}

type FurtherName = keyof typeof discoveryCalls | keyof typeof furtherCalls;

interface Row {
  readonly summary: string;
  readonly tag: string;
  /** The functions that answer the call, if they can refuse it. */
  readonly code?: readonly [file: string, ...names: readonly string[]];
  /** The headers that the server reads. */
  readonly headers?: Readonly<Record<string, string>>;
}

const DISCOVERY = 'provider/src/apps/idp/routes/oauth-routes.ts';
const BINDING = 'provider/src/api/device-bound.ts';
const PROOF = { 'Secure-Session-Response': 'A JWT that the key of the session signed.' };

/** What the description adds to the tables. A call without a row is a compile error. */
const ROWS: Readonly<Record<FurtherName, Row>> = {
  openIdConfiguration: {
    summary: 'Read the OpenID configuration',
    tag: OAUTH_TAG,
    code: [DISCOVERY, 'discoveryRoutes'],
  },
  authorizationServer: {
    summary: 'Read the metadata of the authorization server',
    tag: OAUTH_TAG,
    code: [DISCOVERY, 'discoveryRoutes'],
  },
  sessionKeys: { summary: 'Read the keys of session JWTs at a well-known path', tag: tagName('client', 'sessions') },
  relatedOrigins: {
    summary: 'Read the origins that share passkeys',
    tag: tagName('client', 'webauthn'),
    code: ['provider/src/api/well-known.ts', 'related'],
  },
  bindingOrigins: {
    summary: 'Read the hosts that bind sessions',
    tag: tagName('client', 'sessions'),
    code: [BINDING, 'bindingOrigins'],
  },
  registerBinding: {
    summary: 'Bind a session to a key of the browser',
    tag: tagName('client', 'sessions'),
    code: [BINDING, 'answer', 'register'],
    headers: PROOF,
  },
  refreshBinding: {
    summary: 'Prove the key of a bound session',
    tag: tagName('client', 'sessions'),
    code: [BINDING, 'answer', 'refresh'],
    headers: { 'Sec-Secure-Session-Id': 'The id of the session.', ...PROOF },
  },
};

/** The well-known files, and the calls that browsers make on their own. */
function callsOf({ types, examples, usual, thrown }: Knowledge): readonly PlacedOperation[] {
  const calls: Readonly<Record<FurtherName, FurtherCall>> = { ...discoveryCalls, ...furtherCalls };
  return (Object.entries(calls) as [FurtherName, FurtherCall][]).map(([name, { method, path }]) => {
    const { summary, tag, code, headers = {} } = ROWS[name];
    const typed = types.get(name);
    if (typed === undefined) throw new Error(`${name} has no types.`);
    const own = code === undefined ? new Set<never>() : thrown.ofCode('client', ...code);
    const further = [...own].filter((type) => !usual.client.has(type)).sort();
    const parameters = Object.entries(headers).map(([header, description]) => ({
      name: header,
      in: 'header',
      description,
      schema: { type: 'string' },
    }));
    const content = { 'application/json': { schema: typed.reply, example: examples.of(typed.reply) } };
    const operation = {
      operationId: `further.${name}`,
      tags: [tag],
      summary,
      description: typed.doc,
      security: method === 'POST' ? [{ sessionCookie: [] }] : [],
      ...(parameters.length === 0 ? {} : { parameters }),
      responses: {
        200: { description: 'Success.', content },
        ...responsesOf({ format: 'client', isOAuth: false, hasBody: false, everywhere: usual.client, own }),
      },
      ...(further.length === 0 ? {} : { 'x-error-types': further }),
    };
    return { path, method: method.toLowerCase(), operation };
  });
}

/** Where browsers begin a social login. */
function startsOf({ statuses }: Knowledge): readonly PlacedOperation[] {
  const { path, fields } = socialStart;
  const provided = { patternProperties: { [`^${PROVIDER_PARAMETER}`]: { type: 'string' } } };
  const common = {
    tags: [tagName('client', 'oauth')],
    description:
      'A page sends the browser here. It comes back to the page with a token for `oauth.authenticate`, or with the reason of the failure.',
    security: [],
    responses: { ...redirect('The page of the social provider.'), ...errorRefs('Page', statuses) },
  };
  const ofProvider = {
    name: 'provider_params',
    in: 'query',
    description: `Parameters for the page of the provider. The name of each begins with \`${PROVIDER_PARAMETER}\`.`,
    style: 'form',
    explode: true,
    schema: { type: 'object', ...provided, additionalProperties: false },
  };
  const operations = {
    get: {
      ...common,
      operationId: 'oauth.start',
      summary: 'Begin a social login',
      parameters: [...pathParameters(path), ...queryParameters(fields), ofProvider],
    },
    post: {
      ...common,
      operationId: 'oauth.start.form',
      summary: 'Begin a social login, with a form',
      parameters: pathParameters(path),
      requestBody: formBody(fields, provided),
    },
  };
  return Object.entries(operations).map(([method, operation]) => ({ path: openApiPath(path), method, operation }));
}

/** The operations of the well-known files, of bound sessions, and of the starts of social logins. */
export const furtherOperations = (knowledge: Knowledge): readonly PlacedOperation[] => [
  ...callsOf(knowledge),
  ...startsOf(knowledge),
];
