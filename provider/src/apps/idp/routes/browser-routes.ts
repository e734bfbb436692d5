import { Hono } from 'hono';
import { Refusal, type RefusalType } from '#domain/rules/refusal.ts';
import { isStorable } from '#server-rules/request-body.ts';
import { withQuery } from '#server-rules/connected-apps.ts';
import { remoteAddress, requestOrigin } from '#provider/base/http/arrival.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { readFields } from '#provider/base/http/request.ts';
import { showRefusal } from '#provider/accounts/social/built-in/page-policy.ts';
import { issuerOf } from '#provider/project/issuer.ts';
import { admitAgent } from '../clients/agent-admission.ts';
import { authorizationTarget } from '../authorization/authorization-endpoint.ts';
import { recordFailure, type FailureServices } from '../failures/connection-failures.ts';
import { shownUserCode } from '#domain/consent/user-code.ts';
import { ANSWER_HEADERS, answerPage } from '../authorization/answer-page.ts';
import { PATHS, PREFIX } from '../protocol/paths.ts';
import { checkLogout } from '../authorization/logout.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { takePushed } from '../authorization/pushed-requests.ts';
import { readPostedAnswer } from '../authorization/response-modes.ts';

/** Returns the next URL for the browser. */
type NextAddress = (
  services: FailureServices,
  params: URLSearchParams,
  from: { readonly issuer: string; readonly address: string },
) => Promise<string>;

const toAuthorization: NextAddress = async (services, params, { issuer, address }) => {
  const { authorization_url: page } = services.project.idp;
  if (page === null) throw new Refusal('route_not_found');
  let fields = params;
  const onError = async (error: unknown): Promise<void> =>
    recordFailure(services, {
      step: 'authorization endpoint',
      error,
      client_id: fields.get('client_id') ?? '',
      fields,
      address,
    });
  try {
    const pushed = await takePushed(services, params);
    fields = pushed ?? params;
    await admitAgent(services, fields.get('client_id') ?? '', address);
    const request = { params: fields, channel: pushed === null ? 'front' : 'pushed' } as const;
    return await authorizationTarget(services, request, { page, issuer, onError });
  } catch (error) {
    await onError(error);
    // This answer is for the waiting person, not for the app.
    throw error instanceof OAuthError ? new Refusal('bad_request', error.message) : error;
  }
};

const LOGOUT_PARAMETERS = ['client_id', 'id_token_hint', 'state'] as const;

/** Always sets `post_logout_redirect_uri`, by which the page recognizes a logout. */
const toLogout: NextAddress = async (services, params) => {
  const { authorization_url, logout_url } = services.project.idp;
  const page = logout_url ?? authorization_url;
  if (page === null) throw new Refusal('route_not_found');
  const repeated = [...params.keys()].some((name) => params.getAll(name).length > 1);
  if (repeated) throw new Refusal('duplicate_parameter');
  const strange = [...params.values()].some((value) => !isStorable(value));
  if (strange) throw new Refusal('bad_request', 'A parameter is not Unicode without NUL.');
  const valueOf = (name: string): string | undefined => (params.get(name) ?? '') || undefined;
  const fields = Object.fromEntries(LOGOUT_PARAMETERS.map((name) => [name, valueOf(name)]));
  const post_logout_redirect_uri = valueOf('post_logout_redirect_uri');
  const { target } = await checkLogout(services, { ...fields, post_logout_redirect_uri });
  const redirectUri = target === null ? '' : post_logout_redirect_uri;
  return withQuery(page, { ...fields, post_logout_redirect_uri: redirectUri, ui_locales: valueOf('ui_locales') });
};

/** Always sets `user_code`, by which the page recognizes a device. */
const toDevice: NextAddress = async (services, params) => {
  const { authorization_url: page } = services.project.idp;
  if (page === null) throw new Refusal('route_not_found');
  const [user_code = '', ...others] = params.getAll('user_code');
  if (others.length > 0) throw new Refusal('duplicate_parameter');
  return withQuery(page, { user_code: shownUserCode(user_code) });
};

const TITLES: Readonly<Partial<Record<RefusalType, string>>> = {
  agent_awaits_approval: 'The app waits for approval',
  agent_refused: 'The app is not allowed here',
};

/** The endpoints to which apps send browsers, by a link or a form. Pages of other origins cannot read their answers. */
export function browserRoutes(services: FailureServices): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const serve = (path: string, title: string, next: NextAddress): void => {
    app.all(path, async (context) => {
      context.set('pattern', `${PREFIX}${path}`);
      try {
        const params = await parametersOf(context);
        const issuer = issuerOf(services.project, requestOrigin(context));
        context.header('Referrer-Policy', 'no-referrer');
        // A 307 or 308 would make the browser post the form again, to the page (RFC 9700, section 4.12).
        return context.redirect(await next(services, params, { issuer, address: remoteAddress(context) }), 303);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const reasons = services.dev && path === PATHS.authorize ? '/dev/connections' : undefined;
        return showRefusal(context, services.project, TITLES[error.type] ?? title, error, reasons);
      }
    });
  };
  serve(PATHS.authorize, 'The app cannot sign you in', toAuthorization);
  serve(PATHS.logout, 'The app cannot log you out', toLogout);
  serve(PATHS.device, 'The device cannot sign you in', toDevice);
  app.all(PATHS.formPost, async (context) => {
    context.set('pattern', `${PREFIX}${PATHS.formPost}`);
    try {
      const answer = await readPostedAnswer(services, await parametersOf(context));
      return await context.html(answerPage(answer), 200, ANSWER_HEADERS);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return showRefusal(context, services.project, 'The app cannot sign you in', error);
    }
  });
  return app;
}

/**
 * OpenID Connect Core, section 3.1.2.1: GET and POST. HEAD is refused: a program that checks a link before a person opens it must not use
 * up a pushed request or cause a reading of an agent's metadata.
 */
async function parametersOf(context: AppContext): Promise<URLSearchParams> {
  const { method } = context.req;
  if (method === 'POST') return readFields(context.req.raw);
  if (method === 'GET') return new URL(context.req.url).searchParams;
  context.header('Allow', 'GET, POST');
  throw new Refusal('method_not_allowed');
}
