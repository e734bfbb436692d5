import { checkArguments } from '../../domain/shape.ts';
import { totps, type BodyFor, type ReplyFor } from '../api/index.ts';
import { withoutUser } from '../api/users.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { WireClient } from '../wire/wire-client.ts';

type Api = typeof totps;

/** Authenticator apps as a second factor, and recovery codes (specification, section 7). */
export class TotpFactor {
  constructor(
    private readonly wire: WireClient,
    private readonly sessions: SessionStore,
  ) {}

  /** Creates a secret for the signed-in user's authenticator app, to be confirmed by a code within `expiration_minutes`. */
  async create(options: BodyFor<Api['create']>): Promise<Omit<ReplyFor<Api['create']>, '__user'>> {
    checkArguments('totps.create', totps.create.body, options);
    const { expiration_minutes } = options;
    const reply = await this.wire.call(totps.create, { expiration_minutes });
    return withoutUser(reply, (user) => this.sessions.updateUser(user));
  }

  async authenticate(options: BodyFor<Api['authenticate']>): Promise<ReplyFor<Api['authenticate']>> {
    checkArguments('totps.authenticate', totps.authenticate.body, options);
    const { totp_code, session_duration_minutes } = options;
    return this.sessions.update(await this.wire.call(totps.authenticate, { totp_code, session_duration_minutes }));
  }

  /** The recovery codes, which replace the authenticator app when the device is lost. */
  async recoveryCodes(): Promise<ReplyFor<Api['recoveryCodes']>> {
    return this.wire.call(totps.recoveryCodes, {});
  }

  async recover(options: BodyFor<Api['recover']>): Promise<ReplyFor<Api['recover']>> {
    checkArguments('totps.recover', totps.recover.body, options);
    const { recovery_code, session_duration_minutes } = options;
    return this.sessions.update(await this.wire.call(totps.recover, { recovery_code, session_duration_minutes }));
  }
}
