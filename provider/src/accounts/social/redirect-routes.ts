import { oauthRedirects, redirectUrl, withToken } from '#domain/rules/redirects.ts';
import { Hono, type MiddlewareHandler } from 'hono';
import { checkChallenge } from '#server-rules/proof-key.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { ATTACH_FIELD, attachTokenOf, tokensToSpend } from '#server-rules/social-attach.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { DevControls } from '#provider/base/http/dev-controls.ts';
import { remoteAddress, requestOrigin } from '#provider/base/http/arrival.ts';
import { describeError } from '#provider/base/log/error-log.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { readFields } from '#provider/base/http/request.ts';
import { issuerOf } from '#provider/project/issuer.ts';
import type { Log } from '#provider/base/log/log.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import { sameSecret } from '#provider/base/security/secrets.ts';
import type { LoginServices, Services } from '../services.ts';
import { redeemAttachToken, spendAttachTokens } from './logins/attaching.ts';
import { flowCookie, removeFlowCookie, setFlowCookie } from './logins/flow-cookie.ts';
import {
  callbackUrl,
  endFlow,
  newFlow,
  providerParams,
  returnError,
  storeFlow,
  takeFlow,
  type NewFlow,
  type OAuthFlow,
} from './logins/oauth-flows.ts';
import { showRefusal } from './built-in/page-policy.ts';
import { issueOAuthToken } from './logins/oauth-tokens.ts';
import { SOCIAL_PREFIX, type SocialStartField } from './logins/start-call.ts';
import {
  endingOf,
  SocialFailure,
  type OAuthEnding,
  type SocialLoginResult,
  type SocialProvider,
} from './providers/social-provider.ts';
import type { SocialProviders } from './providers/social-providers.ts';

const MAX_LENGTH = 8 * 1024;
const FAILED = 'The login did not work';

/** A provider, with its name on the wire. */
interface NamedProvider {
  readonly name: string;
  readonly provider: SocialProvider;
}

/** The routes that start a social login and receive the provider's callback (specification, section 7). */
export function redirectRoutes(
  services: LoginServices & Pick<Services, 'control'>,
  social: SocialProviders,
  log: Log,
): Hono<AppEnv> {
  const { project } = services;
  const app = new Hono<AppEnv>();
  app.use('/:provider/start', secretAddresses);
  if (services.control !== undefined) app.use(faultsAsPages(services.control, project));

  /** Both steps redirect, or show why they cannot. A 307 or 308 would make the browser post a form again. */
  for (const [step, next] of [
    ['start', startOnce],
    ['callback', finish],
  ] as const) {
    // The answer comes as a query or a form (RFC 6749, section 3.1; OAuth 2.0 Form Post Response Mode).
    app.on(['GET', 'POST'], `/:provider/${step}`, async (context) => {
      context.set('pattern', `${SOCIAL_PREFIX}/:provider/${step}`);
      try {
        return context.redirect(await next(context), 303);
      } catch (error) {
        if (error instanceof Refusal) return showRefusal(context, project, FAILED, error);
        throw error;
      }
    });
  }

  function providerOf(context: AppContext): NamedProvider {
    const name = context.req.param('provider') ?? '';
    const provider = social.find(name);
    if (provider === undefined) throw new Refusal('oauth_config_not_found');
    return { name, provider };
  }

  /** Spends the attach tokens in a URL, even if the start fails. */
  async function startOnce(context: AppContext): Promise<string> {
    try {
      return await start(context);
    } finally {
      await spendAttachTokens(services, tokensToSpend(new URL(context.req.url).searchParams));
    }
  }

  async function start(context: AppContext): Promise<string> {
    const { name, provider } = providerOf(context);
    const parameters = await parametersOf(context);
    const { searchParams: address } = new URL(context.req.url);
    const attach = attachTokenOf(address, context.req.method === 'POST' ? parameters : null);
    const text = (field: SocialStartField): string | undefined => parameters.get(field) ?? undefined;
    const publicToken = text('public_token');
    if (publicToken === undefined) throw new Refusal('missing_public_token', 'The public_token is missing.');
    if (!sameSecret(publicToken, project.public_token)) throw new Refusal('invalid_public_token');
    const redirects = oauthRedirects(project, {
      login: text('login_redirect_url'),
      signup: text('signup_redirect_url'),
    });
    const challenge = text('code_challenge');
    checkChallenge(challenge, project.pkce_required_for_oauth);
    await takeForNetwork(services, 'social', remoteAddress(context), services.limits.searchesPerNetwork);
    const origin = issuerOf(project, requestOrigin(context));
    const redirect_uri = callbackUrl(origin, name);
    const flow = newFlow(services);
    const { state, nonce, code_verifier } = flow;
    try {
      const target = await provider.authorizationUrl({
        origin,
        redirect_uri,
        state,
        nonce,
        code_verifier,
        custom_scopes: (text('custom_scopes') ?? '').split(' ').filter((scope) => scope !== ''),
        provider_params: providerParams(parameters),
      });
      // Spends the form's token only after the provider's document was read, so that an outage does not use it up.
      await transaction(services.db, async (tx) => {
        const attachee = attach === undefined ? null : await redeemAttachToken(services, tx, name, attach);
        const started = { provider: name, code_challenge: challenge ?? null, ...redirects, attachee };
        await storeFlow(services, tx, flow, started);
      });
      setFlowCookie(context, { state, redirect_uri, answersByPost: provider.answersByPost }, flow.browser);
      return target;
    } catch (error) {
      // Other refusals, such as that of the attach token, are shown as a page.
      if (error instanceof Refusal) throw error;
      return failureUrl(error, { name, provider }, redirects.login_redirect_url);
    }
  }

  async function finish(context: AppContext): Promise<string> {
    const namedProvider = providerOf(context);
    const { name, provider } = namedProvider;
    const parameters = await parametersOf(context);
    const origin = issuerOf(project, requestOrigin(context));
    const redirect_uri = callbackUrl(origin, name);
    const state = parameters.get('state') ?? '';
    const flow = await takeFlow(services, name, { state, browser: flowCookie(context, state) });
    if (flow === undefined) throw failed('It is unknown, was finished already, or began in another browser.');
    removeFlowCookie(context, { state, redirect_uri, answersByPost: provider.answersByPost });
    const { login_redirect_url, signup_redirect_url, nonce, code_verifier } = flow;
    const isRegistered = [login_redirect_url, signup_redirect_url].every((url) => redirectUrl(project, url) !== null);
    if (!isRegistered) throw failed('Its redirect URL is no longer registered.');
    if (!flow.isLive) return back(namedProvider, login_redirect_url, endingOf(parameters.get('error')));
    try {
      const answer = { origin, redirect_uri, state, nonce, code_verifier, parameters };
      return await signIn(name, { ...flow, state }, await provider.exchange(answer));
    } catch (error) {
      return failureUrl(error, namedProvider, login_redirect_url);
    }
  }

  /** Stores only the token. `oauth.authenticate` finds, creates or changes the user later. */
  async function signIn(
    provider: string,
    flow: OAuthFlow & Pick<NewFlow, 'state'>,
    result: SocialLoginResult,
  ): Promise<string> {
    const { values, ...who } = result;
    const { state, code_challenge, attachee, login_redirect_url, signup_redirect_url } = flow;
    // A version before 0023 began this login without a proof key.
    if (attachee !== null && code_challenge === null) throw new Refusal('pkce_code_challenge_required');
    const issuing = { identity: { provider, ...who }, values, code_challenge, attachee };
    const { token, isNew } = await transaction(services.db, async (tx) => {
      if (!(await endFlow(tx, state, attachee))) throw failed('The account has changed since: begin again.');
      return issueOAuthToken(services, tx, issuing);
    });
    return withToken(isNew ? signup_redirect_url : login_redirect_url, token, 'oauth');
  }

  /** The URL after a failed login. The reason is logged, unless the person went back. */
  function failureUrl(error: unknown, namedProvider: NamedProvider, redirect: string): string {
    if (error instanceof SocialFailure) {
      const { reason, cause } = error;
      if (error.ending !== 'access_denied') {
        const description = cause === undefined ? undefined : describeError(cause);
        log.warn('social login failed', { provider: namedProvider.name, reason, error: description });
      }
      if (error.ending === 'foreign') throw failed('Another provider answered.');
      return back(namedProvider, redirect, error.ending);
    }
    if (!(error instanceof Refusal)) throw error;
    return back(
      namedProvider,
      redirect,
      error.type === 'service_unavailable' ? 'temporarily_unavailable' : 'server_error',
    );
  }

  return app;
}

function back({ name, provider }: NamedProvider, redirect: string, ending: OAuthEnding): string {
  return returnError(redirect, { name, label: provider.label }, ending);
}

/**
 * The fields of the query or form. An empty field counts as absent, but an empty attach token must not turn the attachment into a login.
 */
async function parametersOf(context: AppContext): Promise<URLSearchParams> {
  const posted = context.req.method === 'POST';
  const parameters = posted ? await readFields(context.req.raw) : new URL(context.req.url).searchParams;
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) throw new Refusal('duplicate_parameter');
  if (parameters.toString().length > MAX_LENGTH) throw new Refusal('request_too_large');
  // Some providers send an empty error with a code.
  return new URLSearchParams([...parameters].filter(([name, value]) => value !== '' || name === ATTACH_FIELD));
}

/** No other page may see a URL with an attach token: neither the social provider nor the requests of an error page. */
const secretAddresses: MiddlewareHandler<AppEnv> = async (context, next) => {
  await next();
  if (new URL(context.req.url).searchParams.has(ATTACH_FIELD)) context.header('Referrer-Policy', 'no-referrer');
};

/** Shows a refusal that a test requested as a page, like any other refusal. */
function faultsAsPages({ faults }: DevControls, project: Project): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    try {
      return await faults(context, next);
    } catch (error) {
      if (error instanceof Refusal) return showRefusal(context, project, FAILED, error);
      throw error;
    }
  };
}

function failed(why: string): Refusal {
  return new Refusal('oauth_flow_callback_error', `The login at the social provider did not end well. ${why}`);
}
