import { idp, type BodyFor, type ReplyFor } from '../api/index.ts';
import type { WireClient } from '../wire/wire-client.ts';

/** This project as the authorization server of other apps (specification, sections 4 and 7). */
export class IdentityProvider {
  constructor(private readonly wire: WireClient) {}

  authorizeStart(body: BodyFor<typeof idp.authorizeStart>): Promise<ReplyFor<typeof idp.authorizeStart>> {
    return this.wire.call(idp.authorizeStart, body);
  }

  authorizeSubmit(body: BodyFor<typeof idp.authorizeSubmit>): Promise<ReplyFor<typeof idp.authorizeSubmit>> {
    return this.wire.call(idp.authorizeSubmit, body);
  }

  logoutStart(body: BodyFor<typeof idp.logoutStart>): Promise<ReplyFor<typeof idp.logoutStart>> {
    return this.wire.call(idp.logoutStart, body);
  }
}
