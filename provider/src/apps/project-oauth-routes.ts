import { Hono } from 'hono';
import { BACKEND_PREFIX } from '#provider/base/backend-api/backend-api.ts';
import { parseJson } from '#domain/json.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isStorable } from '#server-rules/request-body.ts';
import { isRecord } from '#domain/shape.ts';
import { inBackendTerms, oauthFields } from '#provider/base/http/backend-terms.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { reported } from '#provider/base/http/replies.ts';
import { remoteAddress, requestOrigin } from '#provider/base/http/arrival.ts';
import { basicCredentials, mediaType, readText } from '#provider/base/http/request.ts';
import { answerClientCredentials } from './m2m/token.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { LoginServices, Services } from '#provider/accounts/services.ts';
import { authenticatedClient } from './idp/clients/client-authentication.ts';
import { PATHS, PREFIX } from './idp/protocol/paths.ts';
import { readForm, required, type Form } from './idp/protocol/form.ts';
import { introspectToken } from './idp/tokens/introspection.ts';
import { issuerOf } from '#provider/project/issuer.ts';
import { PROJECT_CALLS, type OAuthReply } from './idp/protocol/oauth-calls.ts';
import { isExpected, OAuthError } from './idp/protocol/oauth-error.ts';
import { revokeToken } from './idp/tokens/revocation.ts';
import { answerTokenRequest } from './idp/tokens/token-endpoint.ts';

/** The path at which the public backend SDK expects this authorization server. */
export const PROJECT_OAUTH_PREFIX = `${BACKEND_PREFIX}/public/:projectId/oauth2`;

interface OAuthEndpointRequest {
  readonly header: string | undefined;
  readonly form: Form;
  readonly issuer: string;
}

type ProjectCall = (typeof PROJECT_CALLS)[number];
type Answers = {
  readonly [Name in ProjectCall]: (services: Services, request: OAuthEndpointRequest) => Promise<OAuthReply<Name>>;
};

const clientOf = async (services: LoginServices, { header, form, issuer }: OAuthEndpointRequest) =>
  authenticatedClient(services, header, form, { issuer, tokenEndpoint: `${issuer}${PREFIX}${PATHS.token}` });

const ANSWERS: Answers = {
  token: async (services, { header, form, issuer }) => {
    if (required(form, 'grant_type') === 'client_credentials') {
      return answerClientCredentials(services, { header, form, issuer });
    }
    return answerTokenRequest(services, await clientOf(services, { header, form, issuer }), {
      form,
      issuer,
      proof: null,
    });
  },
  introspect: async (services, { header, form, issuer }) =>
    introspectToken(services, await clientOf(services, { header, form, issuer }), form, issuer, 'own access tokens'),
  revoke: async (services, { header, form, issuer }) =>
    revokeToken(services, await clientOf(services, { header, form, issuer }), form),
};

/** The page that explains an error of OAuth. */
const ERROR_URI = 'https://www.rfc-editor.org/rfc/rfc6749#section-5.2';

/**
 * The endpoints of `/oauth2` at the paths where the public backend SDK calls them, and tokens for M2M clients. Like those of the backend
 * API, replies are flat. Requests from web pages are refused, because a client secret belongs on a server. Apps in pages use `/oauth2`,
 * which discovery names and every origin may call.
 */
export function projectOAuthRoutes(services: Services): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError((error, context) => failed(services, context, error));
  if (services.control !== undefined) app.use(services.control.faults);
  for (const name of PROJECT_CALLS) {
    const path = PATHS[name];
    const answer = ANSWERS[name];
    app.all(path, async (context) => {
      context.set('pattern', `${PROJECT_OAUTH_PREFIX}${path}`);
      if (context.req.param('projectId') !== services.project.project_id) throw new Refusal('route_not_found');
      if (context.req.header('origin') !== undefined) throw new Refusal('browser_not_allowed');
      if (context.req.method !== 'POST') {
        context.header('Allow', 'POST');
        throw new Refusal('method_not_allowed');
      }
      const form = await readParameters(context);
      const header = clientHeader(services, context.req.header('authorization'));
      const issuer = issuerOf(services.project, requestOrigin(context));
      const reply = await answer(services, { header, form, issuer });
      return context.json({ ...reply, status_code: 200, request_id: context.get('requestId') }, 200, NEVER_KEEP);
    });
  }
  return app;
}

/** Clients of this API may send the project's credentials with every call. They identify the calling server, not the client. */
function clientHeader({ project }: Pick<Services, 'project'>, header: string | undefined): string | undefined {
  const isProject = basicCredentials(header)?.user === project.project_id;
  return isProject ? undefined : header;
}

const NEVER_KEEP = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** A form (RFC 6749), or JSON with the same fields, which some clients of this API send. */
async function readParameters(context: AppContext): Promise<Form> {
  // Every proxy on the way logs the URL (RFC 6749, section 2.3.1).
  if (new URL(context.req.url).search !== '') {
    throw new OAuthError('invalid_request', 'The parameters belong in the body, not in the address.');
  }
  if (mediaType(context.req.raw) !== 'application/json') return readForm(context.req.raw);
  const json = parseJson(await readText(context.req.raw));
  const isForm = isRecord(json) && Object.values(json).every((value) => typeof value === 'string') && isStorable(json);
  if (!isForm) throw new OAuthError('invalid_request', 'The body must be an object of texts.');
  return Object.fromEntries(Object.entries(json as Form).filter(([, value]) => value !== ''));
}

/** An error with the fields of OAuth (RFC 6749, section 5.2) and those of the backend API. */
async function failed(
  services: RateLimitServices & Pick<Services, 'report'>,
  context: AppContext,
  cause: unknown,
): Promise<Response> {
  if (!(cause instanceof OAuthError)) {
    const response = reported(services, context, inBackendTerms(cause));
    const fields = (await response.json()) as Readonly<Record<string, unknown>>;
    return new Response(JSON.stringify({ ...fields, ...oauthFields(fields) }), response);
  }
  const { error, message, status } = cause;
  try {
    if (!isExpected(error)) {
      await takeForNetwork(services, 'failure', remoteAddress(context), services.limits.failuresPerNetwork);
    }
  } catch (refusal) {
    return failed(services, context, refusal);
  }
  if (status === 401) context.header('WWW-Authenticate', 'Basic realm="portico", charset="UTF-8"');
  const request_id = context.get('requestId');
  const body = { error, error_description: message, error_uri: ERROR_URI };
  const asBackend = { error_type: error, error_message: message, error_url: ERROR_URI };
  return context.json({ status_code: status, request_id, ...body, ...asBackend }, status, NEVER_KEEP);
}
