import { oauthRedirects, redirectUrl, withToken } from '../../../src/domain/rules/redirects.ts';
import { Hono } from 'hono';
import { isRecord } from '../../../src/domain/shape.ts';
import type { OAuthProvider } from '../../../src/domain/oauth-providers.ts';
import { checkChallenge } from '../../../src/domain/rules/proof-key.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { transaction } from '../db/transaction.ts';
import { requestOrigin } from '../http/arrival.ts';
import type { AppContext, AppEnv } from '../http/environment.ts';
import { readFields } from '../http/request.ts';
import { sameSecret } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { ACCOUNT_CLIENT_ID, issuerOf, TOKEN_LIFETIME_SECONDS, type AccountTokens } from './account-tokens.ts';
import { callbackUrl, endingOf, returnError, startFlow, takeFlow, type OAuthFlow } from './oauth-flows.ts';
import { showRefusal } from './page-policy.ts';
import { isOAuthProvider } from './providers.ts';
import { redeemAttachToken } from './attaching.ts';
import { attachRegistration, findOrCreateRegistration, issueOAuthToken } from './registrations.ts';

const PARAM = 'provider_';
const MAX_LENGTH = 8 * 1024;
const FAILED = 'The login did not work';

/** The server as a function, with which the code is exchanged without a network. */
export type Handle = (request: Request) => Response | Promise<Response>;

/** The routes that start a social login and receive the provider's callback (specification, section 7). */
export function redirectRoutes(services: Services, tokens: AccountTokens | null, handle: Handle): Hono<AppEnv> {
  const { project } = services;
  const app = new Hono<AppEnv>();

  // By a query or by a form (RFC 6749, section 3.1). No cookie is read, so a form of another site can do what its links can.
  app.on(['GET', 'POST'], '/:provider/start', async (context) => {
    context.set('pattern', '/v1/public/oauth/:provider/start');
    try {
      // A 307 or 308 would make the browser post the form on to the social provider.
      return context.redirect(await start(context), 303);
    } catch (error) {
      if (error instanceof Refusal) return showRefusal(context, project, FAILED, error);
      throw error;
    }
  });

  app.get('/:provider/callback', async (context) => {
    context.set('pattern', '/v1/public/oauth/:provider/callback');
    try {
      return context.redirect(await finish(context), 303);
    } catch (error) {
      if (error instanceof Refusal) return showRefusal(context, project, FAILED, error);
      throw error;
    }
  });

  function providerOf(context: AppContext): OAuthProvider {
    const provider = context.req.param('provider') ?? '';
    if (tokens === null || !isOAuthProvider(provider) || !project.oauth_providers.includes(provider)) {
      throw new Refusal('oauth_config_not_found');
    }
    return provider;
  }

  async function start(context: AppContext): Promise<string> {
    const provider = providerOf(context);
    const origin = requestOrigin(context);
    const { searchParams } = new URL(context.req.url);
    const given = context.req.method === 'POST' ? await readFields(context.req.raw) : searchParams;
    const names = [...given.keys()];
    if (new Set(names).size !== names.length) throw new Refusal('duplicate_parameter');
    if (given.toString().length > MAX_LENGTH) throw new Refusal('request_too_large');
    const text = (name: string): string | undefined => (given.get(name) ?? '') || undefined;
    const publicToken = text('public_token');
    if (publicToken === undefined) throw new Refusal('missing_public_token', 'The public_token is missing.');
    if (!sameSecret(publicToken, project.public_token)) throw new Refusal('invalid_public_token');
    const redirects = oauthRedirects(project, {
      login: text('login_redirect_url'),
      signup: text('signup_redirect_url'),
    });
    const challenge = text('code_challenge');
    checkChallenge(challenge, project.pkce_required_for_oauth);
    const attach = text('oauth_attach_token');
    const attachee = attach === undefined ? null : await redeemAttachToken(services, services.db, provider, attach);
    return startFlow(services, {
      origin,
      provider,
      code_challenge: challenge ?? null,
      ...redirects,
      attachee,
      custom_scopes: (text('custom_scopes') ?? '').split(' ').filter((scope) => scope !== ''),
      provider_params: [...given]
        .filter(([name]) => name.startsWith(PARAM))
        .map(([name, value]) => [name.slice(PARAM.length), value] as const),
    });
  }

  async function finish(context: AppContext): Promise<string> {
    const provider = providerOf(context);
    const origin = requestOrigin(context);
    const { searchParams } = new URL(context.req.url);
    const flow = await takeFlow(services, provider, searchParams.get('state') ?? '');
    if (flow === undefined) throw failed('It is unknown or was finished already.');
    const { login_redirect_url } = flow;
    if (redirectUrl(project, login_redirect_url) === null) throw failed('Its redirect URL is no longer registered.');
    if (searchParams.get('iss') !== issuerOf(origin, provider)) throw failed('Another provider answered.');
    const code = searchParams.get('code');
    if (code === null || searchParams.has('error') || !flow.isLive) {
      return returnError(login_redirect_url, provider, endingOf(searchParams.get('error')));
    }
    try {
      return await signIn(origin, provider, flow, code);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const ending = error.type === 'service_unavailable' ? 'temporarily_unavailable' : 'server_error';
      return returnError(login_redirect_url, provider, ending);
    }
  }

  async function signIn(origin: string, provider: OAuthProvider, flow: OAuthFlow, code: string): Promise<string> {
    const { access_token, id_token, scope } = await exchange(origin, provider, flow, code);
    const issuer = issuerOf(origin, provider);
    const claims = (await tokens?.idTokenClaims(id_token, provider, ACCOUNT_CLIENT_ID, issuer)) ?? null;
    if (claims === null || claims['nonce'] !== flow.nonce) throw failed('The ID token of the provider is not valid.');
    return transaction(services.db, async (tx) => {
      const { registration, isNew } = await (flow.user_id === null
        ? findOrCreateRegistration(services, tx, provider, claims)
        : attachRegistration(services, tx, {
            provider,
            profile: claims,
            user_id: flow.user_id,
            session_id: flow.session_id,
          }));
      const token = await issueOAuthToken(services, tx, registration, flow.code_challenge, {
        access_token,
        id_token,
        refresh_token: '',
        scopes: scope.split(' '),
        expires_at: new Date(services.clock.now() + TOKEN_LIFETIME_SECONDS * 1000).toISOString(),
      });
      return withToken(isNew ? flow.signup_redirect_url : flow.login_redirect_url, token, 'oauth');
    });
  }

  async function exchange(origin: string, provider: OAuthProvider, flow: OAuthFlow, code: string) {
    const reply = await handle(
      new Request(`${issuerOf(origin, provider)}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: ACCOUNT_CLIENT_ID,
          redirect_uri: callbackUrl(origin, provider),
          code,
          code_verifier: flow.code_verifier,
        }),
      }),
    );
    const json: unknown = reply.status === 200 ? await reply.json() : null;
    const { access_token, id_token, scope } = isRecord(json) ? json : {};
    if (typeof access_token !== 'string' || typeof id_token !== 'string' || typeof scope !== 'string') {
      throw failed('The provider did not take its own code.');
    }
    return { access_token, id_token, scope };
  }

  return app;
}

function failed(why: string): Refusal {
  return new Refusal('oauth_flow_callback_error', `The login at the social provider did not end well. ${why}`);
}
