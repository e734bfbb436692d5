import { checkArguments } from '../../domain/shape.ts';
import { idp, type BodyFor, type ReplyFor } from '../api/index.ts';
import type { WireClient } from '../wire/wire-client.ts';

type Api = typeof idp;

/** This project as the authorization server of other apps (specification, sections 4 and 7). */
export class IdentityProvider {
  constructor(private readonly wire: WireClient) {}

  /** What the app asks for, and whether the user has to be asked. */
  async authorizeStart(options: BodyFor<Api['authorizeStart']>): Promise<ReplyFor<Api['authorizeStart']>> {
    checkArguments('idp.oauthAuthorizeStart', idp.authorizeStart.body, options);
    return this.wire.call(idp.authorizeStart, options);
  }

  /** Grants or refuses it. The reply's `redirect_uri` is where the browser goes next. */
  async authorizeSubmit(options: BodyFor<Api['authorizeSubmit']>): Promise<ReplyFor<Api['authorizeSubmit']>> {
    checkArguments('idp.oauthAuthorizeSubmit', idp.authorizeSubmit.body, options);
    return this.wire.call(idp.authorizeSubmit, options);
  }

  async logoutStart(options: BodyFor<Api['logoutStart']>): Promise<ReplyFor<Api['logoutStart']>> {
    checkArguments('idp.oauthLogoutStart', idp.logoutStart.body, options);
    return this.wire.call(idp.logoutStart, options);
  }
}
