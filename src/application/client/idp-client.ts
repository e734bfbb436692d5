import type { IdentityProvider } from '../use-cases/identity-provider.ts';
import { checkArguments } from '../arguments.ts';

type Body<Method extends keyof IdentityProvider> = IdentityProvider[Method] extends (body: infer B) => unknown
  ? B
  : never;

const REQUEST = {
  client_id: 'string',
  redirect_uri: 'string',
  response_type: 'string',
  scopes: 'string[]',
  prompt: 'string?',
} as const;

/** `client.idp`: this project as the authorization server of other apps. */
export class IDPClient {
  constructor(private readonly provider: IdentityProvider) {}

  /** What the app asks for, and whether the user has to be asked. */
  async oauthAuthorizeStart(options: Body<'authorizeStart'>) {
    checkArguments('idp.oauthAuthorizeStart', REQUEST, options);
    return this.provider.authorizeStart(options);
  }

  /** Grants or refuses it. The reply's `redirect_uri` is where the browser goes next. */
  async oauthAuthorizeSubmit(options: Body<'authorizeSubmit'>) {
    const shape = {
      ...REQUEST,
      consent_granted: 'boolean',
      state: 'string?',
      nonce: 'string?',
      code_challenge: 'string?',
    } as const;
    checkArguments('idp.oauthAuthorizeSubmit', shape, options);
    return this.provider.authorizeSubmit(options);
  }

  async oauthLogoutStart(options: Body<'logoutStart'>) {
    const shape = {
      client_id: 'string',
      post_logout_redirect_uri: 'string',
      state: 'string?',
      id_token_hint: 'string?',
    } as const;
    checkArguments('idp.oauthLogoutStart', shape, options);
    return this.provider.logoutStart(options);
  }
}
