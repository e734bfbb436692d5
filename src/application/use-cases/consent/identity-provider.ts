import type { OAuthAuthorizeParams } from '#domain/consent/oauth-params.ts';
import { codeLoad } from '#domain/code-loads.ts';
import { checkArguments } from '#domain/shape.ts';
import { idp, type BodyFor, type ReplyFor } from '../../api/index.ts';
import type { WireClient } from '../../wire/wire-client.ts';
import type { AuthorizationServices } from './authorization-flow.ts';
import type { AuthorizationEnd, HeadlessAuthorizationOptions } from './authorize.ts';

type Api = typeof idp;

/** The project as the authorization server of connected apps (specification, sections 4 and 7). */
export class IdentityProvider {
  constructor(
    private readonly wire: WireClient,
    private readonly services: AuthorizationServices,
  ) {}

  /**
   * The whole authorization of an app (specification, section 4), as in the consent widget: checks the request with the server, asks the
   * user with `decide` if consent is required, and leaves for the app.
   */
  async authorize(params: OAuthAuthorizeParams, options: HeadlessAuthorizationOptions): Promise<AuthorizationEnd> {
    const { authorize } = await codeLoad(import('./authorize.ts'));
    return authorize(this.services, params, options);
  }

  /** The app's request, and whether the user must be asked for consent. */
  async authorizeStart(options: BodyFor<Api['authorizeStart']>): Promise<ReplyFor<Api['authorizeStart']>> {
    checkArguments('idp.oauthAuthorizeStart', idp.authorizeStart.body, options);
    // A page passes on all parameters of the request.
    const { client_id, redirect_uri, response_type, scopes, prompt, max_age, authorization_request } = options;
    const request = { client_id, redirect_uri, response_type, scopes, prompt, max_age, authorization_request };
    return this.wire.call(idp.authorizeStart, request);
  }

  /** Grants or refuses the request. The browser must then open the reply's `redirect_uri`. */
  async authorizeSubmit(options: BodyFor<Api['authorizeSubmit']>): Promise<ReplyFor<Api['authorizeSubmit']>> {
    checkArguments('idp.oauthAuthorizeSubmit', idp.authorizeSubmit.body, options);
    return this.wire.call(idp.authorizeSubmit, options);
  }

  async logoutStart(options: BodyFor<Api['logoutStart']>): Promise<ReplyFor<Api['logoutStart']>> {
    checkArguments('idp.oauthLogoutStart', idp.logoutStart.body, options);
    return this.wire.call(idp.logoutStart, options);
  }
}
