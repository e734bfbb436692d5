import { Hono } from 'hono';
import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import { redirectUrl } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { AccountProfile } from '../social-accounts/tables.ts';
import { requestOrigin, directOnly } from '#provider/base/http/arrival.ts';
import { readFields } from '#provider/base/http/request.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { styleSheet } from '#provider/base/http/page-css.ts';
import { newToken, tokenHash } from '#provider/base/security/secrets.ts';
import { checkVerifier } from '../pkce-check.ts';
import type { Services } from '../services.ts';
import { accountPage, picture } from './built-in/account-pages.ts';
import { profileOf } from './built-in/account-people.ts';
import { ACCOUNT_CLIENT_ID, issuerOf, TOKEN_LIFETIME_SECONDS, type AccountTokens } from './built-in/account-tokens.ts';
import css from './built-in/accounts.css?raw';
import { gsiRoutes } from './built-in/gsi-routes.ts';
import { callbackUrl } from './logins/oauth-flows.ts';
import { pageHeaders, showRefusal } from './built-in/page-policy.ts';
import { isOAuthProvider } from './providers/providers.ts';

const CODE_MS = 60_000;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/u;
const FIELDS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
] as const;

type AuthorizationParameters = Readonly<Record<(typeof FIELDS)[number], string | undefined>>;

/**
 * The built-in social providers: an OpenID provider for each, without passwords. They are for development and tests, so they are mounted
 * only with `--dev`, and refuse requests that a proxy forwarded.
 */
export function accountRoutes(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'project' | 'control'>,
  tokens: AccountTokens,
): Hono<AppEnv> {
  const { project, db, clock, random } = services;
  const app = new Hono<AppEnv>();

  app.use('*', async (context, next) => {
    context.set('pattern', '/accounts/*');
    await next();
  });
  app.use('*', directOnly);
  app.get('/accounts.css', styleSheet(css));
  app.get('/pictures/:file{[A-Z]{1,2}\\.svg}', (context) =>
    context.body(picture(context.req.param('file').slice(0, -4)), 200, {
      'Content-Type': 'image/svg+xml',
      'Content-Security-Policy': `default-src 'none'`,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=3600',
    }),
  );

  app.route('/google/gsi', gsiRoutes(services, tokens));

  app.get('/:provider/.well-known/openid-configuration', (context) => {
    const { provider, issuer } = addressed(context);
    return context.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      service_documentation: `https://${provider}.example/`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['openid', 'email', 'profile'],
      claims_supported: ['sub', 'email', 'email_verified', 'name', 'given_name', 'family_name', 'picture', 'locale'],
      authorization_response_iss_parameter_supported: true,
    });
  });
  app.get('/:provider/jwks', async (context) => {
    addressed(context);
    return context.json(await tokens.jwks());
  });

  app.get('/:provider/authorize', (context) => {
    const { provider } = addressed(context);
    const parameters = Object.fromEntries(
      FIELDS.map((field) => [field, context.req.query(field)]),
    ) as unknown as AuthorizationParameters;
    const many = FIELDS.some((field) => (context.req.queries(field)?.length ?? 0) > 1);
    const checked = check(context, provider, parameters);
    if (many || checked === null) return cannotReturn(context);
    if (checked.error !== null) return goBack(context, parameters, { error: checked.error });
    const ordered = services.control?.takeSocialAnswer() ?? null;
    if (ordered !== null) {
      return goBack(context, parameters, { error: ordered === 'deny' ? 'access_denied' : 'server_error' });
    }
    const hidden = FIELDS.flatMap((field) =>
      parameters[field] === undefined ? [] : [[field, parameters[field]] as const],
    );
    const page = accountPage({
      action: `/accounts/${provider}/authorize`,
      provider: OAUTH_PROVIDERS[provider],
      project: project.name,
      hint: context.req.query('login_hint') ?? '',
      hidden,
    });
    return context.html(page, 200, pageHeaders(project));
  });

  app.post('/:provider/authorize', async (context) => {
    const { provider, origin } = addressed(context);
    const form = await formOf(context);
    const parameters = Object.fromEntries(
      FIELDS.map((field) => [field, form.get(field) ?? undefined]),
    ) as unknown as AuthorizationParameters;
    const checked = check(context, provider, parameters);
    if (checked === null) return cannotReturn(context);
    if (checked.error !== null) return goBack(context, parameters, { error: checked.error });
    if (form.has('deny')) return goBack(context, parameters, { error: 'access_denied' });
    const demo = form.get('account');
    const profile = profileOf(origin, provider, demo ?? form.get('email') ?? '', demo !== null || form.has('verified'));
    if (profile === null) return goBack(context, parameters, { error: 'access_denied' });
    const code = newToken(random);
    await db
      .insertInto('account_codes')
      .values({
        code_hash: tokenHash(code),
        provider_type: provider,
        client_id: ACCOUNT_CLIENT_ID,
        redirect_uri: parameters.redirect_uri ?? '',
        code_challenge: parameters.code_challenge ?? '',
        nonce: parameters.nonce ?? null,
        scope: parameters.scope ?? '',
        profile: JSON.stringify(form.has('two_factors') ? { ...profile, amr: ['pwd', 'otp', 'mfa'] } : profile),
        expires_at: new Date(clock.now() + CODE_MS),
      })
      .execute();
    return goBack(context, parameters, { code });
  });

  app.post('/:provider/token', async (context) => {
    const { provider, issuer } = addressed(context);
    const form = await formOf(context);
    if (form.get('grant_type') !== 'authorization_code') return oauthError(context, 400, 'unsupported_grant_type');
    if (form.get('client_id') !== ACCOUNT_CLIENT_ID) return oauthError(context, 401, 'invalid_client');
    // Used up at the first attempt, even if it fails (RFC 6749, section 4.1.2).
    const row = await db
      .deleteFrom('account_codes')
      .where('code_hash', '=', tokenHash(form.get('code') ?? ''))
      .returningAll()
      .executeTakeFirst();
    const good =
      row !== undefined &&
      row.expires_at.getTime() > clock.now() &&
      row.provider_type === provider &&
      row.redirect_uri === form.get('redirect_uri') &&
      isVerified(row.code_challenge, form.get('code_verifier'));
    if (!good) return oauthError(context, 400, 'invalid_grant');
    const { profile, nonce, scope } = row;
    const audience = ACCOUNT_CLIENT_ID;
    return context.json({
      access_token: await tokens.accessToken(issuer, profile, scope),
      token_type: 'Bearer',
      expires_in: TOKEN_LIFETIME_SECONDS,
      scope,
      id_token: await tokens.idToken({ issuer, audience, nonce, profile }),
    });
  });

  app.get('/:provider/userinfo', async (context) => {
    const { issuer } = addressed(context);
    const token = /^Bearer +([\w.-]+)$/iu.exec(context.req.header('authorization') ?? '')?.[1] ?? '';
    const claims = await tokens.accessTokenClaims(token, issuer);
    if (claims === null) {
      context.header('WWW-Authenticate', 'Bearer error="invalid_token"');
      return oauthError(context, 401, 'invalid_token');
    }
    const { sub, email, email_verified, name, given_name, family_name, picture: image, locale } = claims;
    const profile: AccountProfile = {
      sub,
      email,
      email_verified,
      name,
      given_name,
      family_name,
      picture: image,
      locale,
    };
    return context.json(profile);
  });

  function addressed(context: AppContext) {
    const provider = context.req.param('provider') ?? '';
    if (!isOAuthProvider(provider)) throw new Refusal('route_not_found');
    const origin = requestOrigin(context);
    return { provider, origin, issuer: issuerOf(origin, provider) };
  }

  /** Checks the request. Null if the browser cannot be redirected back; `error` is null for a valid request. */
  function check(
    context: AppContext,
    provider: OAuthProvider,
    parameters: AuthorizationParameters,
  ): { readonly error: string | null } | null {
    const origin = requestOrigin(context);
    const redirect = parameters.redirect_uri ?? '';
    const own = redirect === callbackUrl(origin, provider);
    if (parameters.client_id !== ACCOUNT_CLIENT_ID || (!own && redirectUrl(project, redirect) === null)) return null;
    if (parameters.response_type !== 'code') return { error: 'unsupported_response_type' };
    if (parameters.scope?.split(' ').includes('openid') !== true) return { error: 'invalid_scope' };
    const pkce = parameters.code_challenge_method === 'S256' && CHALLENGE.test(parameters.code_challenge ?? '');
    return { error: pkce ? null : 'invalid_request' };
  }

  function cannotReturn(context: AppContext) {
    const refusal = new Refusal(
      'invalid_client',
      'The request names no known client, or a redirect URL that is not its.',
    );
    return showRefusal(context, project, 'This page cannot be used', refusal);
  }

  function goBack(
    context: AppContext,
    parameters: AuthorizationParameters,
    answer: Readonly<Record<string, string>>,
  ): Response {
    const back = new URL(parameters.redirect_uri ?? '');
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
    if (parameters.state !== undefined) back.searchParams.set('state', parameters.state);
    back.searchParams.set('iss', addressed(context).issuer);
    return context.redirect(back.href, 303);
  }

  return app;
}

function isVerified(challenge: string, verifier: string | null): boolean {
  try {
    checkVerifier(challenge, verifier ?? undefined);
    return true;
  } catch {
    return false;
  }
}

/** The fields of a page's form, without NUL characters, which PostgreSQL cannot store. */
async function formOf({ req }: AppContext): Promise<URLSearchParams> {
  const fields = await readFields(req.raw);
  return new URLSearchParams([...fields].map(([name, value]) => [name, value.replaceAll('\0', '')]));
}

function oauthError(context: AppContext, status: 400 | 401, error: string): Response {
  return context.json({ error }, status);
}
