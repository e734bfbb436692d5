import { totps, type ReplyFor } from '../api/index.ts';
import { withoutUser } from '../api/users.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { WireClient } from '../wire/wire-client.ts';

type Api = typeof totps;

/** Authenticator apps as a second factor, and the codes for when the device is lost (specification, section 7). */
export class TotpFactor {
  constructor(
    private readonly wire: WireClient,
    private readonly sessions: SessionStore,
  ) {}

  async create(expiration_minutes: number): Promise<Omit<ReplyFor<Api['create']>, '__user'>> {
    const reply = await this.wire.call(totps.create, { expiration_minutes });
    return withoutUser(reply, (user) => this.sessions.updateUser(user));
  }

  async authenticate(totp_code: string, session_duration_minutes: number): Promise<ReplyFor<Api['authenticate']>> {
    return this.sessions.update(await this.wire.call(totps.authenticate, { totp_code, session_duration_minutes }));
  }

  recoveryCodes(): Promise<ReplyFor<Api['recoveryCodes']>> {
    return this.wire.call(totps.recoveryCodes, {});
  }

  async recover(recovery_code: string, session_duration_minutes: number): Promise<ReplyFor<Api['recover']>> {
    return this.sessions.update(await this.wire.call(totps.recover, { recovery_code, session_duration_minutes }));
  }
}
