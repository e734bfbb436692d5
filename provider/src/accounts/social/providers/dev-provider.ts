import { createHash } from 'node:crypto';
import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import { isRecord } from '#domain/shape.ts';
import type { Clock } from '#provider/base/platform.ts';
import { ACCOUNT_CLIENT_ID, issuerOf, TOKEN_LIFETIME_SECONDS, type AccountTokens } from '../built-in/account-tokens.ts';
import { assuranceFrom } from './profiles.ts';
import { OAUTH2 } from './oauth2-table.ts';
import { openIdScopes } from './openid-table.ts';
import {
  endingOf,
  SocialFailure,
  type SocialAuthorizationRequest,
  type SocialLoginResult,
  type SocialAuthorizationResponse,
  type SocialProvider,
} from './social-provider.ts';

/** The server as a function, to exchange the code without a network. */
export type Handle = (request: Request) => Response | Promise<Response>;

interface DevProviderOptions {
  readonly tokens: AccountTokens;
  readonly handle: Handle;
  readonly clock: Clock;
}

/** The accounts without passwords that a developer's server has built in, as one of the 19 providers. */
export class DevProvider implements SocialProvider {
  readonly label: string;
  readonly answersByPost = false;

  constructor(
    private readonly name: OAuthProvider,
    private readonly built: DevProviderOptions,
  ) {
    this.label = OAUTH_PROVIDERS[name];
  }

  authorizationUrl(leaving: SocialAuthorizationRequest): Promise<string> {
    const url = new URL(`${issuerOf(leaving.origin, this.name)}/authorize`);
    const own: Readonly<Record<string, string>> = {
      ...Object.fromEntries(leaving.provider_params),
      client_id: ACCOUNT_CLIENT_ID,
      redirect_uri: leaving.redirect_uri,
      response_type: 'code',
      scope: [
        ...new Set(['openid', ...(OAUTH2[this.name]?.scopes ?? openIdScopes(this.name)), ...leaving.custom_scopes]),
      ].join(' '),
      state: leaving.state,
      nonce: leaving.nonce,
      code_challenge: createHash('sha256').update(leaving.code_verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(own)) url.searchParams.set(name, value);
    return Promise.resolve(url.href);
  }

  async exchange(returning: SocialAuthorizationResponse): Promise<SocialLoginResult> {
    const { parameters, origin, nonce } = returning;
    const issuer = issuerOf(origin, this.name);
    if (parameters.get('iss') !== issuer) throw new SocialFailure('foreign', 'another provider answered');
    const code = parameters.get('code');
    if (code === null || parameters.has('error')) {
      throw new SocialFailure(endingOf(parameters.get('error')), 'it answered without a code');
    }
    const { access_token, id_token, scope } = await this.redeem(returning, code);
    const claims = await this.built.tokens.idTokenClaims(id_token, this.name, ACCOUNT_CLIENT_ID, issuer);
    if (claims === null || claims['nonce'] !== nonce)
      throw new SocialFailure('server_error', 'its ID token is not valid');
    return {
      profile: claims,
      assurance: assuranceFrom(claims),
      values: {
        access_token,
        id_token,
        refresh_token: '',
        scopes: scope.split(' '),
        expires_at: new Date(this.built.clock.now() + TOKEN_LIFETIME_SECONDS * 1000).toISOString(),
      },
    };
  }

  private async redeem({ origin, redirect_uri, code_verifier }: SocialAuthorizationResponse, code: string) {
    const reply = await this.built.handle(
      new Request(`${issuerOf(origin, this.name)}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: ACCOUNT_CLIENT_ID,
          redirect_uri,
          code,
          code_verifier,
        }),
      }),
    );
    const json: unknown = reply.status === 200 ? await reply.json() : null;
    const { access_token, id_token, scope } = isRecord(json) ? json : {};
    if (typeof access_token !== 'string' || typeof id_token !== 'string' || typeof scope !== 'string') {
      throw new SocialFailure('server_error', 'it refused its own code');
    }
    return { access_token, id_token, scope };
  }
}
