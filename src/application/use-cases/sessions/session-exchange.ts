import { checkArguments } from '#domain/shape.ts';
import { impersonation, sessions, type AuthenticationReply, type BodyFor } from '../../api/index.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { WireClient } from '../../wire/wire-client.ts';

/** Obtains a session without a login (specification, section 7). */
export class SessionExchange {
  constructor(
    private readonly wire: WireClient,
    private readonly store: SessionStore,
  ) {}

  /** Exchanges an access token that this project issued to an app for a session. */
  async exchangeAccessToken(options: BodyFor<typeof sessions.exchangeAccessToken>): Promise<AuthenticationReply> {
    checkArguments('session.exchangeAccessToken', sessions.exchangeAccessToken.body, options);
    return this.store.update(await this.wire.call(sessions.exchangeAccessToken, options));
  }

  /** Exchanges a token of a trusted issuer (a trusted-auth-token profile) for a session. */
  async attest(options: BodyFor<typeof sessions.attest>): Promise<AuthenticationReply> {
    checkArguments('session.attest', sessions.attest.body, options);
    return this.store.update(await this.wire.call(sessions.attest, options));
  }

  /** Signs in as another user with a token from an administrator. */
  async impersonate(options: BodyFor<typeof impersonation.authenticate>): Promise<AuthenticationReply> {
    checkArguments('impersonation.authenticate', impersonation.authenticate.body, options);
    const { impersonation_token } = options;
    return this.store.update(await this.wire.call(impersonation.authenticate, { impersonation_token }));
  }
}
