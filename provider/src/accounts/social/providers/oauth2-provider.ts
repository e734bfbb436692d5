import { createHash } from 'node:crypto';
import { isRecord } from '#domain/shape.ts';
import type { OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import type { Clock } from '#provider/base/platform.ts';
import { tokenFailure } from './openid-failures.ts';
import { profileFrom, type Claims } from './profiles.ts';
import { jsonOf } from './provider-fetch.ts';
import {
  endingOf,
  codeSuffix,
  SocialFailure,
  type SocialAuthorizationRequest,
  type SocialLoginResult,
  type SocialAuthorizationResponse,
  type SocialProvider,
} from './social-provider.ts';

/** Reads a JSON document of the provider with the person's access token. */
export type ProfileReader = (url: string, headers?: Readonly<Record<string, string>>) => Promise<unknown>;

/** A provider with OAuth 2 but without OpenID Connect, as its documentation describes it. */
export interface OAuth2Definition {
  readonly authorization: string;
  readonly token: string;
  /** How the secret is sent to the token endpoint. */
  readonly authentication: 'basic' | 'post';
  /** True if the provider checks a code verifier. */
  readonly pkce: boolean;
  readonly separator?: ',';
  /** The provider's name for `client_id`. */
  readonly client_id?: string;
  /** The scopes that are requested by default. */
  readonly scopes: readonly string[];
  /** The prefix of each default scope. */
  readonly scopePrefix?: string;
  /** Reads the profile of the person who logged in; `scopes` are the granted ones. */
  readonly claims: (read: ProfileReader, scopes: readonly string[]) => Promise<Claims>;
}

export interface OAuth2Client {
  readonly label: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** A provider from an `OAuth2Definition`. */
export class OAuth2Provider implements SocialProvider {
  readonly label: string;
  readonly answersByPost = false;

  constructor(
    private readonly definition: OAuth2Definition,
    private readonly client: OAuth2Client,
    private readonly fetch: OutsideFetch,
    private readonly clock: Clock,
  ) {
    this.label = client.label;
  }

  authorizationUrl(leaving: SocialAuthorizationRequest): Promise<string> {
    const { authorization, pkce, separator = ' ', client_id = 'client_id', scopePrefix = '' } = this.definition;
    const scopes = this.definition.scopes.map((scope) => scopePrefix + scope);
    const url = new URL(authorization);
    const own: Readonly<Record<string, string>> = {
      ...Object.fromEntries(leaving.provider_params.filter(([name]) => name !== client_id)),
      response_type: 'code',
      [client_id]: this.client.client_id,
      redirect_uri: leaving.redirect_uri,
      scope: [...new Set([...scopes, ...leaving.custom_scopes])].join(separator),
      state: leaving.state,
      ...(pkce
        ? {
            code_challenge: createHash('sha256').update(leaving.code_verifier).digest('base64url'),
            code_challenge_method: 'S256',
          }
        : {}),
    };
    for (const [name, value] of Object.entries(own)) url.searchParams.set(name, value);
    return Promise.resolve(url.href);
  }

  async exchange(returning: SocialAuthorizationResponse): Promise<SocialLoginResult> {
    const { parameters } = returning;
    const error = parameters.get('error');
    if (error !== null) throw new SocialFailure(endingOf(error), `it answered with an error${codeSuffix(error)}`);
    const code = parameters.get('code');
    if (code === null) throw new SocialFailure('server_error', 'it answered without a code');
    const { json, access_token } = await this.redeem(returning, code);
    // Some providers separate scopes with commas, in requests or only in replies.
    const granted = typeof json['scope'] === 'string' ? json['scope'].split(/[ ,]+/u) : this.definition.scopes;
    const scopes = granted.filter((scope) => scope !== '');
    const read: ProfileReader = async (url, headers) => {
      const { host } = new URL(url);
      const reply = await this.fetch(url, {
        headers: { accept: 'application/json', authorization: `Bearer ${access_token}`, ...headers },
      });
      return jsonOf(reply, host);
    };
    const profile = profileFrom(await this.definition.claims(read, scopes));
    const lifetime = Number(json['expires_in'] ?? 0);
    return {
      profile,
      values: {
        access_token,
        id_token: '',
        refresh_token: typeof json['refresh_token'] === 'string' ? json['refresh_token'] : '',
        scopes,
        expires_at: new Date(this.clock.now() + (lifetime > 0 && lifetime < 1e9 ? lifetime : 0) * 1000).toISOString(),
      },
    };
  }

  private async redeem({ redirect_uri, code_verifier }: SocialAuthorizationResponse, code: string) {
    const { token, authentication, pkce, client_id: idField = 'client_id' } = this.definition;
    const { client_id, client_secret } = this.client;
    const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri });
    if (pkce) body.set('code_verifier', code_verifier);
    body.set(idField, client_id);
    if (authentication === 'post') body.set('client_secret', client_secret);
    const basic = [client_id, client_secret].map((part) => encodeURIComponent(part)).join(':');
    const reply = await this.fetch(token, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...(authentication === 'basic' ? { authorization: `Basic ${Buffer.from(basic).toString('base64')}` } : {}),
      },
      body: body.toString(),
    });
    const json: unknown = await reply.json().catch(() => null);
    if (!isRecord(json)) {
      throw new SocialFailure('server_error', `its token endpoint answered ${reply.status} without JSON`);
    }
    // GitHub and others refuse a code with status 200. Facebook's error is an object.
    const { access_token } = json;
    if (reply.status !== 200 || typeof access_token !== 'string' || access_token === '')
      throw tokenFailure(json['error']);
    return { json, access_token };
  }
}
