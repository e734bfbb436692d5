import { impersonation, sessions, type Authenticated, type BodyFor } from '../api/index.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { WireClient } from '../wire/wire-client.ts';

/** Obtaining a session by means other than a login (specification, section 7). */
export class SessionExchange {
  constructor(
    private readonly wire: WireClient,
    private readonly store: SessionStore,
  ) {}

  exchangeAccessToken(body: BodyFor<typeof sessions.exchangeAccessToken>): Promise<Authenticated> {
    return this.signIn(this.wire.call(sessions.exchangeAccessToken, body));
  }

  attest(body: BodyFor<typeof sessions.attest>): Promise<Authenticated> {
    return this.signIn(this.wire.call(sessions.attest, body));
  }

  /** Signs in as another user, as a token that an administrator made allows. */
  impersonate(impersonation_token: string): Promise<Authenticated> {
    return this.signIn(this.wire.call(impersonation.authenticate, { impersonation_token }));
  }

  private async signIn(call: Promise<Authenticated>): Promise<Authenticated> {
    return this.store.update(await call);
  }
}
