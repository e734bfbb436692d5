import { createRemoteJWKSet, customFetch, errors, type JWTPayload } from 'jose';
import * as openid from 'openid-client';
import { isRecord } from '#domain/shape.ts';
import type { OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import type { Clock } from '#provider/base/platform.ts';
import { verifyJwt } from '#provider/base/security/jwts.ts';
import { addressIn, assuranceFrom, profileFrom, withoutEmpty, type Claims } from './profiles.ts';
import { failureOf } from './openid-failures.ts';
import {
  SocialFailure,
  type SocialAuthorizationRequest,
  type SocialLoginResult,
  type SocialAuthorizationResponse,
  type SocialProvider,
} from './social-provider.ts';
import type { ProviderValues } from '../../social-accounts/tables.ts';

/** How long a provider's discovery document is used before it is read again. */
const DISCOVERED_MS = 60 * 60_000;
/** Longer than the limit of the fetch itself, which reports a more precise error. */
const TIMEOUT_SECONDS = 30;

const TENANT = '{tenantid}';

/** These errors mean that the key set cannot be read; all other errors of `jose` are about the token. */
const NO_KEYS: ReadonlySet<string> = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT']);

/** One OpenID provider, and this project's client at it. */
export interface OpenIdSettings {
  readonly label: string;
  readonly issuer: string;
  readonly client_id: string;
  /** The client's secret, or a function that makes one for each request's form. */
  readonly secret: string | (() => Promise<string>);
  /** How the secret is sent; by default as the discovery document says. */
  readonly authentication?: 'post';
  readonly scopes: readonly string[];
  /** False for a provider that refuses a login with PKCE. */
  readonly pkce: boolean;
  /** False for a provider that does not repeat the nonce in its ID token. */
  readonly nonce: boolean;
  readonly answersByPost: boolean;
  /** Additional parameters of its page. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Reads the claims; `answer` has the unsigned parameters that came with the code. */
  readonly claims: (claims: Readonly<Record<string, unknown>>, answer: URLSearchParams) => Claims;
}

/** A person at the provider: the claims under their standard names, and all of them. */
export interface PersonClaims {
  readonly profile: SocialLoginResult['profile'];
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A provider with OpenID Connect, configured by its discovery document. */
export class OpenIdProvider implements SocialProvider {
  readonly label: string;
  readonly answersByPost: boolean;
  private discovered: { readonly at: number; readonly configuration: Promise<openid.Configuration> } | null = null;
  private keys: { readonly url: string; readonly set: ReturnType<typeof createRemoteJWKSet> } | null = null;

  constructor(
    private readonly settings: OpenIdSettings,
    private readonly fetch: OutsideFetch,
    private readonly clock: Clock,
  ) {
    this.label = settings.label;
    this.answersByPost = settings.answersByPost;
  }

  async authorizationUrl(leaving: SocialAuthorizationRequest): Promise<string> {
    const { settings } = this;
    const configuration = await this.configuration();
    const challenge = await openid.calculatePKCECodeChallenge(leaving.code_verifier);
    const url = openid.buildAuthorizationUrl(configuration, {
      ...Object.fromEntries(leaving.provider_params),
      ...settings.parameters,
      redirect_uri: leaving.redirect_uri,
      scope: [...new Set(['openid', ...settings.scopes, ...leaving.custom_scopes])].join(' '),
      state: leaving.state,
      ...(settings.nonce ? { nonce: leaving.nonce } : {}),
      ...(settings.pkce ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}),
      ...(settings.answersByPost ? { response_mode: 'form_post' } : {}),
    });
    return url.href;
  }

  async exchange(returning: SocialAuthorizationResponse): Promise<SocialLoginResult> {
    return this.redeem(returning, (claims, tokens) => ({
      profile: profileFrom(this.settings.claims(claims, returning.parameters)),
      // Only from the signed token: the userinfo endpoint is not signed, and does not describe the login.
      assurance: assuranceFrom(tokens.claims() ?? {}),
      values: this.values(tokens),
    }));
  }

  /** Checks the answer and exchanges its code, like `exchange`, and reads all claims about the person, such as their groups. */
  async exchangeClaims(returning: SocialAuthorizationResponse): Promise<PersonClaims> {
    return this.redeem(returning, (claims) => ({
      profile: profileFrom(this.settings.claims(claims, returning.parameters)),
      claims,
    }));
  }

  private async redeem<T>(
    returning: SocialAuthorizationResponse,
    read: (claims: Readonly<Record<string, unknown>>, tokens: Tokens) => T,
  ): Promise<T> {
    const { settings } = this;
    const configuration = await this.configuration();
    const answer = new URL(returning.redirect_uri);
    answer.search = ownAnswer(configuration.serverMetadata(), returning.parameters).toString();
    try {
      const checks = {
        expectedState: returning.state,
        idTokenExpected: true,
        ...(settings.nonce ? { expectedNonce: returning.nonce } : {}),
        ...(settings.pkce ? { pkceCodeVerifier: returning.code_verifier } : {}),
      };
      const secret: Record<string, string> =
        typeof settings.secret === 'string' ? {} : { client_secret: await settings.secret() };
      const tokens = await openid.authorizationCodeGrant(configuration, answer, checks, secret);
      return read(await this.allClaims(configuration, tokens), tokens);
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** The claims of an ID token that a page received; null if this provider did not make it for this client. */
  async idTokenClaims(token: string): Promise<JWTPayload | null> {
    const { issuer, jwks_uri: url } = (await this.configuration()).serverMetadata();
    if (url === undefined) throw new SocialFailure('server_error', 'its discovery document names no keys');
    if (this.keys?.url !== url) {
      this.keys = { url, set: createRemoteJWKSet(new URL(url), { [customFetch]: this.fetch }) };
    }
    const { client_id } = this.settings;
    try {
      const { payload } = await verifyJwt(token, this.keys.set, {
        algorithms: ['RS256'],
        // Google uses both forms.
        issuer: [issuer, issuer.replace('https://', '')],
        audience: client_id,
        currentDate: new Date(this.clock.now()),
        requiredClaims: ['sub', 'exp', 'iat'],
      });
      const { aud, azp = client_id } = payload;
      return aud === client_id && azp === client_id ? payload : null;
    } catch (error) {
      if (error instanceof errors.JOSEError && !NO_KEYS.has(error.code)) return null;
      throw failureOf(error);
    }
  }

  profileOf(claims: Readonly<Record<string, unknown>>): SocialLoginResult['profile'] {
    return profileFrom(this.settings.claims(claims, new URLSearchParams()));
  }

  /** The configuration from the discovery document, which is read again every hour. During an outage the last one stays in use. */
  private async configuration(): Promise<openid.Configuration> {
    const { discovered } = this;
    if (discovered !== null && this.clock.now() - discovered.at <= DISCOVERED_MS) return discovered.configuration;
    const discovery = { at: this.clock.now(), configuration: this.discover() };
    this.discovered = discovery;
    discovery.configuration.catch(() => {
      if (this.discovered === discovery) this.discovered = null;
    });
    return discovery.configuration;
  }

  private async discover(): Promise<openid.Configuration> {
    const { issuer, client_id } = this.settings;
    try {
      const configuration = await openid.discovery(new URL(issuer), client_id, undefined, this.authentication(), {
        [openid.customFetch]: (url, { body, ...init }) => this.ask(url, { ...init, body: body ?? null } as RequestInit),
        timeout: TIMEOUT_SECONDS,
        // The fetch itself refuses http, unless the project allows this machine's addresses. Signatures are checked even though the ID
        // token comes from the provider itself (OpenID Connect Core, section 3.1.3.7).
        execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
      });
      const { authorization_endpoint: page = '' } = configuration.serverMetadata();
      if (!URL.canParse(page) || new URL(page).protocol !== new URL(issuer).protocol) {
        throw new SocialFailure('server_error', 'its discovery document names no page for logins');
      }
      return configuration;
    } catch (error) {
      throw failureOf(error);
    }
  }

  /**
   * Corrects a document that the client library would refuse. Some providers send an empty text or null for a missing value. Twitch sends
   * the scope of its tokens as a list, but RFC 6749, section 5.1, requires a string.
   */
  private async ask(url: string, init: RequestInit): Promise<Response> {
    const reply = await this.fetch(url, init);
    if (reply.status !== 200) return reply;
    const json: unknown = await reply
      .clone()
      .json()
      .catch(() => null);
    if (!isRecord(json)) return reply;
    const { scope } = json;
    return Response.json({ ...withoutEmpty(json), ...(Array.isArray(scope) ? { scope: scope.join(' ') } : {}) });
  }

  /** Sends the secret in the form if the provider supports that, else in the header. */
  private authentication(): openid.ClientAuth {
    const { secret, authentication } = this.settings;
    // The request itself adds the secret.
    if (typeof secret !== 'string') return openid.None();
    return (server, client, body, headers) => {
      const { token_endpoint_auth_methods_supported: methods = [] } = server;
      const posts = authentication === 'post' || methods.includes('client_secret_post');
      (posts ? openid.ClientSecretPost(secret) : openid.ClientSecretBasic(secret))(server, client, body, headers);
    };
  }

  /** The claims of the ID token. If a provider's ID tokens are short, those of the userinfo endpoint are added. */
  private async allClaims(
    configuration: openid.Configuration,
    tokens: Tokens,
  ): Promise<Readonly<Record<string, unknown>>> {
    const claims: Readonly<Record<string, unknown>> = tokens.claims() ?? {};
    const { userinfo_endpoint } = configuration.serverMetadata();
    if (addressIn(claims['email']) !== '' || userinfo_endpoint === undefined) return claims;
    const { email, email_verified, ...userInfo } = await openid.fetchUserInfo(
      configuration,
      tokens.access_token,
      String(claims['sub']),
    );
    // An address must come from the same source as its verified flag.
    return { ...userInfo, ...withoutEmpty(claims), email, email_verified };
  }

  private values(tokens: Tokens): ProviderValues {
    const { access_token, id_token = '', refresh_token = '', scope = this.settings.scopes.join(' ') } = tokens;
    const lifetime = tokens.expires_in ?? 0;
    return {
      access_token,
      id_token,
      refresh_token,
      scopes: scope.split(' ').filter((each) => each !== ''),
      expires_at: new Date(this.clock.now() + lifetime * 1000).toISOString(),
    };
  }
}

type Tokens = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>;

/**
 * The answer; refuses one from another provider (RFC 9207). A provider that announces its issuer in answers must name it. The issuer of
 * Microsoft's common endpoint is a pattern, which the client library compares only with the ID token.
 */
function ownAnswer(server: openid.ServerMetadata, parameters: URLSearchParams): URLSearchParams {
  const issuer = parameters.get('iss');
  if (issuer === null && server.authorization_response_iss_parameter_supported !== true) return parameters;
  const [before = '', after] = server.issuer.split(TENANT);
  const fits = after !== undefined && issuer?.startsWith(before) === true && issuer.endsWith(after);
  if (!fits && issuer !== server.issuer) throw new SocialFailure('foreign', 'another provider answered');
  const own = new URLSearchParams(parameters);
  own.set('iss', server.issuer);
  return own;
}
