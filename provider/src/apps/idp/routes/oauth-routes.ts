import { Hono } from 'hono';
import { Refusal } from '#domain/rules/refusal.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { remoteAddress, requestOrigin } from '#provider/base/http/arrival.ts';
import { allowEveryOrigin, answerPreflight } from '#provider/base/http/open-cors.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { JWKS_MAX_AGE_SECONDS, publishedKeys } from '#provider/base/security/signing-keys.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { Services } from '#provider/accounts/services.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import { admitCaller } from '../clients/agent-admission.ts';
import { browserRoutes } from './browser-routes.ts';
import { authenticatedClient, claimedId } from '../clients/client-authentication.ts';
import { beginDeviceAuthorization } from '../authorization/device-authorization.ts';
import { recordFailure, type ConnectionStep } from '../failures/connection-failures.ts';
import { discoveryDocument } from './discovery.ts';
import { discoveryCalls } from '../protocol/discovery-calls.ts';
import { PATHS, PREFIX } from '../protocol/paths.ts';
import { currentNonce, PROOF_ALGORITHMS } from '#provider/accounts/sessions/proofs/proofs.ts';
import { readProof } from '../protocol/dpop.ts';
import { foreignAudience } from '../tokens/foreign-audience.ts';
import { readForm, type Form } from '../protocol/form.ts';
import { introspectToken } from '../tokens/introspection.ts';
import { issuerOf } from '#provider/project/issuer.ts';
import { oauthCalls, type OAuthCallName, type OAuthReply } from '../protocol/oauth-calls.ts';
import { isExpected, OAuthError } from '../protocol/oauth-error.ts';
import { pushRequest } from '../authorization/pushed-requests.ts';
import { registrationRoutes } from './registration-routes.ts';
import { revokeToken } from '../tokens/revocation.ts';
import { SignedReply, signIntrospection, wantsSigned } from '../tokens/signed-introspection.ts';
import { answerTokenRequest } from '../tokens/token-endpoint.ts';
import { userInfo } from '../tokens/userinfo.ts';

type Method = 'GET' | 'POST';
type Answer = (context: AppContext) => Promise<Response>;

/** The parts of a request that an endpoint reads, in addition to its form and client. */
interface ClientRequest {
  readonly issuer: string;
  readonly url: string;
  readonly address: string;
  readonly proof: string | undefined;
  readonly accept: string | undefined;
  /** The user agent of the program that sends the request. */
  readonly userAgent: string;
}

/** Answers a call of a client. */
type ClientAnswer<Name extends OAuthCallName> = (
  services: Services,
  client: ConnectedAppSettings,
  form: Form,
  request: ClientRequest,
) => Promise<OAuthReply<Name> | SignedReply>;

const KEEP = { 'Cache-Control': `public, max-age=${JWKS_MAX_AGE_SECONDS}` };
const NEVER_KEEP = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };
const BASIC = 'Basic realm="portico", charset="UTF-8"';

/**
 * Serves the path with these methods, for pages of every origin, and answers other methods with 405. GET includes HEAD (RFC 9110, section
 * 9.1).
 */
function serve(app: Hono<AppEnv>, path: string, verbs: readonly Method[], answer: Answer, prefix = ''): void {
  const methods = verbs.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]));
  const allowed = methods.join(', ');
  app.all(path, async (context) => {
    context.set('pattern', `${prefix}${path}`);
    const { method } = context.req;
    if (method === 'OPTIONS') return answerPreflight(context, allowed);
    allowEveryOrigin(context);
    if (methods.includes(method)) return answer(context);
    context.header('Allow', allowed);
    throw new Refusal('method_not_allowed');
  });
}

const issuerAt = ({ project }: Pick<Services, 'project'>, context: AppContext): string =>
  issuerOf(project, requestOrigin(context));

/** A refusal in the format of its endpoint; `scheme` is the endpoint's authentication scheme (RFC 9110, section 11.6.1). */
async function refuse(services: RateLimitServices, context: AppContext, cause: unknown, scheme: 'Basic' | 'Bearer') {
  if (!(cause instanceof OAuthError)) throw cause;
  const { error, message: error_description, status } = cause;
  if (!isExpected(error)) {
    await takeForNetwork(services, 'failure', remoteAddress(context), services.limits.failuresPerNetwork);
  }
  if (scheme === 'Bearer') {
    const needs = error === 'insufficient_scope' ? ', scope="openid"' : '';
    const attributes = `error="${error}", error_description="${error_description}"${needs}`;
    const isOfProof = error === 'invalid_dpop_proof' || error === 'use_dpop_nonce';
    const used = isOfProof ? `DPoP algs="${PROOF_ALGORITHMS.join(' ')}"` : 'Bearer realm="portico"';
    context.header('WWW-Authenticate', `${used}, ${attributes}`);
    // At an API an invalid proof is an invalid credential (RFC 9449, section 7.1).
    if (isOfProof) return context.json({ error, error_description }, 401, NEVER_KEEP);
  } else if (status === 401) {
    context.header('WWW-Authenticate', BASIC);
  }
  return context.json({ error, error_description }, status, NEVER_KEEP);
}

/** The token endpoint. A client may prove the key to bind its tokens to. */
const answerWithProof: ClientAnswer<'token'> = async (services, client, form, { issuer, url, proof }) => {
  const goodProof = proof === undefined ? null : await readProof(services, proof, { method: 'POST', url });
  return answerTokenRequest(services, client, { form, issuer, proof: goodProof });
};

/** The device authorization endpoint. A device may prove the key to bind its code to. */
const beginForDevice: ClientAnswer<'deviceAuthorization'> = async (
  services,
  client,
  form,
  { issuer, url, proof, address, userAgent },
) => {
  const goodProof = proof === undefined ? null : await readProof(services, proof, { method: 'POST', url });
  return beginDeviceAuthorization(services, client, form, { issuer, proof: goodProof, address, userAgent });
};

/** The introspection endpoint. It signs its answer if the client requests that. */
const introspect: ClientAnswer<'introspect'> = async (services, client, form, { issuer, accept, address }) => {
  const result = await introspectToken(services, client, form, issuer);
  if (!result.active) {
    const detail = await foreignAudience(services, form['token'] ?? '');
    const error = new OAuthError('invalid_token', 'The answer was that the token is not active.', detail);
    // If a token has merely ended, the API made no mistake.
    const failure = { step: 'introspection endpoint', client_id: client.client_id, fields: [], address } as const;
    if (detail.rule !== undefined) await recordFailure(services, { ...failure, error });
  }
  return wantsSigned(accept) ? signIntrospection(services, result, { client_id: client.client_id, issuer }) : result;
};

interface ClientEndpoint<Name extends OAuthCallName> {
  readonly name: Name;
  readonly step: ConnectionStep;
  /** Whether an agent's first request may come here. */
  readonly admits?: boolean;
}

/** How the request authenticates its client, by the names used in metadata. */
function authenticationIn(header: string | undefined, form: Form): string {
  const ways = [
    ...((header ?? '') === '' ? [] : ['client_secret_basic']),
    ...(form['client_secret'] === undefined ? [] : ['client_secret_post']),
    ...(form['client_assertion'] === undefined ? [] : ['private_key_jwt']),
  ];
  return ways.length === 0 ? 'none' : ways.join(' and ');
}

/** An endpoint for forms. The client sends its id and, if it has a secret, authenticates. */
function forClients<Name extends OAuthCallName>(
  services: Services,
  answer: ClientAnswer<Name>,
  { name, step, admits = false }: ClientEndpoint<Name>,
): Answer {
  const { status } = oauthCalls[name];
  return async (context) => {
    let form: Form = {};
    try {
      form = await readForm(context.req.raw);
      const issuer = issuerAt(services, context);
      const audience = { issuer, tokenEndpoint: `${issuer}${PREFIX}${PATHS.token}` };
      const header = context.req.header('authorization');
      if (admits) await admitCaller(services, claimedId(header, form), remoteAddress(context));
      const client = await authenticatedClient(services, header, form, audience);
      const url = `${issuer}${new URL(context.req.url).pathname}`;
      const proof = context.req.header('dpop');
      if (proof !== undefined) context.header('DPoP-Nonce', currentNonce(services));
      const reply = await answer(services, client, form, {
        issuer,
        url,
        proof,
        address: remoteAddress(context),
        accept: context.req.header('accept'),
        userAgent: context.req.header('user-agent') ?? '',
      });
      if (reply instanceof SignedReply) {
        return context.body(reply.jwt, 200, { ...NEVER_KEEP, 'Content-Type': reply.mediaType });
      }
      return context.json(reply as object, status === 201 ? 201 : 200, NEVER_KEEP);
    } catch (error) {
      const header = context.req.header('authorization');
      const authentication: readonly [string, string] = ['token_endpoint_auth_method', authenticationIn(header, form)];
      const fields = [...Object.entries(form), authentication];
      const client_id = idIn(header, form);
      await recordFailure(services, { step, error, client_id, fields, address: remoteAddress(context) });
      return refuse(services, context, error, 'Basic');
    }
  };
}

/** The id that the request claims; empty if it cannot be read. */
function idIn(header: string | undefined, form: Form): string {
  try {
    return claimedId(header, form);
  } catch {
    return form['client_id'] ?? '';
  }
}

/** The endpoints that apps call at this authorization server (OAuth 2.1, OpenID Connect Core 1.0). */
export function oauthRoutes(services: Services): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { control } = services;
  if (control !== undefined) {
    app.use((context, next) => {
      allowEveryOrigin(context);
      return control.faults(context, next);
    });
  }
  const push: ClientAnswer<'par'> = async (_, client, form, from) => pushRequest(services, client, form, from);
  const endpoints = [
    [PATHS.token, forClients(services, answerWithProof, { name: 'token', step: 'token endpoint' })],
    [PATHS.par, forClients(services, push, { name: 'par', step: 'pushed request endpoint', admits: true })],
    [
      PATHS.deviceAuthorization,
      forClients(services, beginForDevice, { name: 'deviceAuthorization', step: 'device authorization endpoint' }),
    ],
    [PATHS.revoke, forClients(services, revokeToken, { name: 'revoke', step: 'revocation endpoint' })],
    [PATHS.introspect, forClients(services, introspect, { name: 'introspect', step: 'introspection endpoint' })],
  ] as const;
  for (const [path, answer] of endpoints) serve(app, path, ['POST'], answer, PREFIX);
  const about: Answer = async (context) => {
    try {
      if (context.req.header('dpop') !== undefined) context.header('DPoP-Nonce', currentNonce(services));
      const claims = await userInfo(services, context, `${issuerAt(services, context)}${PREFIX}${PATHS.userinfo}`);
      if (claims !== null) return context.json(claims, 200, NEVER_KEEP);
    } catch (error) {
      const address = remoteAddress(context);
      await recordFailure(services, { step: 'userinfo endpoint', error, client_id: '', fields: [], address });
      return refuse(services, context, error, 'Bearer');
    }
    // A request without a token gets no error code (RFC 6750, section 3.1).
    context.header('WWW-Authenticate', 'Bearer realm="portico"');
    return context.body(null, 401);
  };
  serve(app, PATHS.userinfo, ['GET', 'POST'], about, PREFIX);
  app.route('/', browserRoutes(services));
  app.route('/', registrationRoutes(services));
  const jwks: Answer = async (context) => context.json(await publishedKeys(services, 'apps'), 200, KEEP);
  serve(app, PATHS.jwks, ['GET'], jwks, PREFIX);
  return app;
}

/**
 * The refusal if the project has no authorization page. A document without that endpoint would be invalid (RFC 8414, section 2), and its
 * reader would look for the fault elsewhere.
 */
const WITHOUT_APPS =
  'This project does not sign people in to other apps yet: set authorization_url in the section idp of the project file to your consent page, ' +
  'and add an app, such as with portico-provider clients create. See docs/your-other-app.md of the package portico.';

/** The discovery documents, at the URLs that apps derive from the issuer. */
export function discoveryRoutes(services: Pick<Services, 'db' | 'project'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const document: Answer = async (context) => {
    const found = await discoveryDocument(services, issuerAt(services, context));
    if (found === null) throw new Refusal('route_not_found', WITHOUT_APPS);
    return context.json(found, 200, KEEP);
  };
  for (const { path } of Object.values(discoveryCalls)) serve(app, path, ['GET'], document);
  return app;
}
