import { Hono } from 'hono';
import { isRecord } from '#domain/shape.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { remoteAddress, requestOrigin } from '#provider/base/http/arrival.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { allowEveryOrigin, answerPreflight } from '#provider/base/http/open-cors.ts';
import { readJson } from '#provider/base/http/request.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import type { LoginServices } from '#provider/accounts/services.ts';
import { issuerOf } from '#provider/project/issuer.ts';
import { recordFailure, type FailureServices } from '../failures/connection-failures.ts';
import { PATHS, PREFIX } from '../protocol/paths.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import {
  deleteRegistration,
  readRegistration,
  registerAgent,
  updateRegistration,
  type RegistrationRequest,
} from '../clients/registration.ts';

const NEVER_KEEP = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

type Answer = (request: RegistrationRequest, clientId: string) => Promise<Response>;

/** Agents register themselves (RFC 7591), and read, change and remove their registrations (RFC 7592). */
export function registrationRoutes(services: FailureServices): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const serve = (path: string, answers: (context: AppContext) => Readonly<Partial<Record<string, Answer>>>): void => {
    app.all(path, async (context) => {
      context.set('pattern', `${PREFIX}${path}`);
      const byMethod = answers(context);
      const methods = Object.keys(byMethod).join(', ');
      const { method } = context.req;
      if (method === 'OPTIONS') return answerPreflight(context, methods);
      allowEveryOrigin(context);
      const answer = byMethod[method];
      if (answer === undefined) {
        context.header('Allow', methods);
        throw new Refusal('method_not_allowed');
      }
      const client_id = context.req.param('client') ?? '';
      let json: unknown;
      try {
        const request = await requestIn(services, context);
        ({ json } = request);
        return await answer(request, client_id);
      } catch (error) {
        const address = remoteAddress(context);
        const fields = textsIn(json);
        await recordFailure(services, { step: 'registration endpoint', error, client_id, fields, address });
        return refuse(services, context, error);
      }
    });
  };
  serve(PATHS.register, (context) => ({
    POST: async (request) => context.json(await registerAgent(services, request), 201, NEVER_KEEP),
  }));
  serve(`${PATHS.register}/:client`, (context) => ({
    GET: async (request, id) => context.json(await readRegistration(services, id, request), 200, NEVER_KEEP),
    PUT: async (request, id) => context.json(await updateRegistration(services, id, request), 200, NEVER_KEEP),
    DELETE: async (request, id) => {
      await deleteRegistration(services, id, request);
      return context.body(null, 204, NEVER_KEEP);
    },
  }));
  return app;
}

async function requestIn(services: LoginServices, context: AppContext): Promise<RegistrationRequest> {
  const isRead = context.req.method === 'GET' || context.req.method === 'DELETE';
  const json = isRead ? undefined : await readJson(context.req.raw).catch(unreadable);
  return {
    json,
    token: /^Bearer +([!-~]{1,1024})$/iu.exec(context.req.header('authorization') ?? '')?.[1] ?? null,
    issuer: issuerOf(services.project, requestOrigin(context)),
    address: remoteAddress(context),
  };
}

/** The fields of metadata as strings. */
function textsIn(json: unknown): readonly (readonly [string, string])[] {
  if (!isRecord(json)) return [];
  const isText = (value: unknown): value is string => typeof value === 'string';
  return Object.entries(json).map(([name, value]) => {
    if (isText(value)) return [name, value];
    const isList = Array.isArray(value) && value.every(isText);
    return [name, isList ? value.join(' ') : `(${Array.isArray(value) ? 'a list' : typeof value})`];
  });
}

/** RFC 7591, section 3.2.2. */
function unreadable(error: unknown): never {
  const isBody = error instanceof Refusal && (error.type === 'invalid_json' || error.type === 'unsupported_media_type');
  throw isBody
    ? new OAuthError('invalid_client_metadata', 'The body must be JSON of the type application/json.')
    : error;
}

async function refuse(services: LoginServices, context: AppContext, cause: unknown): Promise<Response> {
  if (!(cause instanceof OAuthError)) throw cause;
  const { error, message: error_description, status } = cause;
  if (error === 'invalid_token') {
    await takeForNetwork(services, 'failure', remoteAddress(context), services.limits.failuresPerNetwork);
    context.header('WWW-Authenticate', `Bearer realm="portico", error="${error}"`);
  }
  return context.json({ error, error_description }, status, NEVER_KEEP);
}
