import { isIP } from 'node:net';
import { Hono } from 'hono';
import {
  BACKEND_OAUTH_PREFIX,
  BACKEND_PREFIX,
  KEYS_PATH,
  PUBLIC_BACKEND_PREFIX,
  type backendApi,
} from '#provider/base/backend-api/backend-api.ts';
import type { Endpoint } from '#application/api/endpoint.ts';
import { checkSessionMaximum } from '#domain/rules/lifetimes.ts';
import { Refusal, SchemaRefusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import { checkBody, cutText, knownParams } from '#server-rules/request-body.ts';
import { recorded } from '../recorded.ts';
import { eventOf, Trail } from '#provider/base/audit/events.ts';
import { isDatabaseUnavailable } from '#provider/base/db/database-errors.ts';
import { gated, mountTable, type EndpointRoutes, type GatedAnswer, type GatedTable } from '../endpoints.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { reported } from '#provider/base/http/replies.ts';
import { remoteAddress, requestOrigin } from '#provider/base/http/arrival.ts';
import { readJson } from '#provider/base/http/request.ts';
import { ONE_STEP, takeForNetwork } from '#provider/base/security/limits.ts';
import { JWKS_MAX_AGE_SECONDS, publishedKeys } from '#provider/base/security/signing-keys.ts';
import type { Services } from '../services.ts';
import { beginCall, changesData, targetOf } from './audit.ts';
import { throughGate } from '#provider/accounts/sessions/reading/admission.ts';
import type { BackendCaller, BackendRoutes } from '#provider/accounts/sessions/reading/contract.ts';
import { PresentedSession } from '#provider/accounts/sessions/reading/current.ts';
import { SecondStep } from '#provider/accounts/sessions/factors/intermediate.ts';
import { ServerSender } from '#provider/messages/outbox/senders.ts';
import type { BackendCall, Credential } from '#provider/base/contract.ts';
import { checkProjectSecret } from './credentials.ts';
import { inBackendTerms, oauthFields, ofRoute } from '#provider/base/http/backend-terms.ts';

type AnyAnswer = (services: Services, call: BackendCall<Endpoint, BackendCaller>) => Promise<object>;

/**
 * Serves the API that the app's own server calls, with a project secret. Replies are flat: the fields are not wrapped in `data`. Requests
 * of pages are rejected, and no reply has a header that would let a page read it.
 */
export function mountBackend(
  app: Hono<AppEnv>,
  services: Services,
  { table, routes, gates }: GatedTable<typeof backendApi, BackendRoutes>,
): void {
  const backend = new Hono<AppEnv>({ strict: false });
  backend.onError((error, context) => failed(services, context, error));
  backend.use(async (context, next) => {
    if (!context.req.path.startsWith(PUBLIC_BACKEND_PREFIX) && context.req.header('origin') !== undefined) {
      throw new Refusal('browser_not_allowed');
    }
    return next();
  });
  const { control } = services;
  // Public endpoints are a separate app, which answers errors in its own format.
  if (control !== undefined) {
    backend.use((context, next) =>
      context.req.path.startsWith(PUBLIC_BACKEND_PREFIX) ? next() : control.faults(context, next),
    );
  }
  backend.get(KEYS_PATH, async (context) => {
    context.set('pattern', `${BACKEND_PREFIX}${KEYS_PATH}`);
    if (context.req.param('projectId') !== services.project.project_id) throw new Refusal('project_not_found');
    const [sessions, apps] = [await publishedKeys(services, 'sessions'), await publishedKeys(services, 'apps')];
    return flat(
      context,
      { keys: [...sessions.keys, ...apps.keys] },
      { 'Cache-Control': `public, max-age=${JWKS_MAX_AGE_SECONDS}` },
    );
  });
  const answers = routes as unknown as EndpointRoutes<AnyAnswer>['routes'];
  mountTable(backend, '', { table, routes: gated(answers, gates) }, async (context, endpoint, answer) =>
    serve(context, services, endpoint, answer),
  );
  backend.all('*', async (context, next) => {
    if (!context.req.path.startsWith(PUBLIC_BACKEND_PREFIX)) throw new Refusal('route_not_found');
    await next();
  });
  app.route(BACKEND_PREFIX, backend);
}

async function serve(
  context: AppContext,
  services: Services,
  endpoint: Endpoint,
  { answer, gate }: GatedAnswer<AnyAnswer>,
): Promise<Response> {
  context.set('pattern', BACKEND_PREFIX + endpoint.path);
  const address = remoteAddress(context);
  const credential = await checkProjectSecret(services, context.req.raw.headers, address);
  const { backendCallsPerCaller } = services.limits;
  await takeForNetwork(services, `backend:${credential.secret_id}`, address, backendCallsPerCaller, ONE_STEP);
  const params = knownParams(context.req.param());
  const end = await beginCall(services, credential, {
    request_id: context.get('requestId'),
    call: endpoint.name,
    changes: changesData(endpoint),
    target: targetOf(params),
  });
  let target: string | null = null;
  try {
    const json = await readJson(context.req.raw);
    const body = checkBody(endpoint, json);
    const query = checkBody({ body: endpoint.query ?? {}, list: false }, context.req.query());
    target = targetOf(params, query, body);
    checkSessionMaximum(services.project, body);
    const caller = backendCaller(services, context, credential, {
      call: endpoint.name,
      body,
      json,
      gate,
      about: (id) => (target = id),
    });
    const call: BackendCall<Endpoint, BackendCaller> = { body, params, query, caller };
    const fields = await recorded(
      services,
      caller,
      () => throughGate(services, call, (admitted) => answer(services, admitted)),
      (reply) => targetOf(reply, ...Object.values(reply ?? {})) ?? target,
    );
    await end({
      status: 200,
      error_type: null,
      target: targetOf(fields, ...Object.values(fields)) ?? target,
    });
    return flat(context, fields);
  } catch (cause) {
    const error = ofRoute(cause);
    await end({ ...outcomeOf(error), target });
    throw error;
  }
}

const LONGEST_USER_AGENT = 512;

function backendCaller(
  services: Services,
  context: AppContext,
  credential: Credential,
  {
    call,
    body,
    json,
    gate,
    about,
  }: { readonly call: string; readonly body: unknown; readonly json: unknown } & Pick<BackendCaller, 'gate' | 'about'>,
): BackendCaller {
  const { session_token, session_jwt, attributes } = isRecord(body) ? body : {};
  const secret = [session_token, session_jwt].find((candidate) => typeof candidate === 'string' && candidate !== '');
  const { ip_address, user_agent } = attributesOf(attributes);
  return {
    credential,
    sender: new ServerSender(credential),
    gate,
    about,
    // Otherwise an app that stores only the JWT could not refresh it. The secret vouches for the app.
    session: new PresentedSession(services, typeof secret === 'string' ? secret : null, { expiredJwt: 'accepted' }),
    step: SecondStep.of(services, json, { isServer: true }),
    address: ip_address ?? remoteAddress(context),
    userAgent: cutText(user_agent ?? context.req.header('user-agent') ?? '', LONGEST_USER_AGENT),
    page: null,
    origin: requestOrigin(context),
    forMany: ip_address === undefined,
    trail: new Trail(context.get('requestId'), eventOf(call), { kind: 'server', id: credential.secret_id }),
  };
}

function attributesOf(attributes: unknown): { readonly ip_address?: string; readonly user_agent?: string } {
  const { ip_address = null, user_agent = null } = isRecord(attributes) ? attributes : {};
  if (ip_address !== null && (typeof ip_address !== 'string' || isIP(ip_address) === 0)) {
    throw wrongAttribute('ip_address', 'an IP address');
  }
  if (user_agent !== null && typeof user_agent !== 'string') throw wrongAttribute('user_agent', 'a string');
  return { ...(ip_address === null ? {} : { ip_address }), ...(user_agent === null ? {} : { user_agent }) };
}

function wrongAttribute(field: string, expected: string): SchemaRefusal {
  const message = `attributes.${field} must be ${expected}`;
  return new SchemaRefusal([{ dataPath: ['attributes', field], message }]);
}

function outcomeOf(error: unknown): { readonly status: number; readonly error_type: string } {
  if (error instanceof Refusal) return { status: error.status, error_type: error.type };
  return isDatabaseUnavailable(error)
    ? { status: 503, error_type: 'service_unavailable' }
    : { status: 500, error_type: 'internal_server_error' };
}

function flat(context: AppContext, fields: object, headers: Record<string, string> = {}): Response {
  return context.json({ ...fields, status_code: 200, request_id: context.get('requestId') }, 200, headers);
}

/** The refusal in the format of this API. OAuth's endpoints add the fields of OAuth (RFC 6749, section 5.2). */
async function failed(services: Pick<Services, 'report'>, context: AppContext, error: unknown): Promise<Response> {
  const response = reported(services, context, inBackendTerms(error));
  if (!context.get('pattern').startsWith(BACKEND_OAUTH_PREFIX)) return response;
  const fields = (await response.json()) as Readonly<Record<string, unknown>>;
  return new Response(JSON.stringify({ ...fields, ...oauthFields(fields) }), response);
}
