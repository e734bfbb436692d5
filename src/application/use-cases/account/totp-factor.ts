import { checkArguments } from '#domain/shape.ts';
import { totps, type BodyFor, type ReplyFor } from '../../api/index.ts';
import { withoutUser } from '../../api/users.ts';
import { TRUST, type TrustOptions } from '../sessions/trust-options.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { WireClient } from '../../wire/wire-client.ts';

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
    const reply = await this.wire.call(totps.create, { expiration_minutes }, { continues: true });
    return withoutUser(reply, (user) => this.sessions.updateUser(user));
  }

  async authenticate(options: BodyFor<Api['authenticate']> & TrustOptions): Promise<ReplyFor<Api['authenticate']>> {
    checkArguments('totps.authenticate', { ...totps.authenticate.body, ...TRUST }, options);
    const { totp_code, session_duration_minutes, trust_device } = options;
    const body = { totp_code, session_duration_minutes, trust_device };
    return this.sessions.update(await this.wire.call(totps.authenticate, body));
  }

  /** The recovery codes, which replace the authenticator app when the device is lost. */
  async recoveryCodes(): Promise<ReplyFor<Api['recoveryCodes']>> {
    return this.wire.call(totps.recoveryCodes, {});
  }

  async recover(options: BodyFor<Api['recover']> & TrustOptions): Promise<ReplyFor<Api['recover']>> {
    checkArguments('totps.recover', { ...totps.recover.body, ...TRUST }, options);
    const { recovery_code, session_duration_minutes, trust_device } = options;
    const body = { recovery_code, session_duration_minutes, trust_device };
    return this.sessions.update(await this.wire.call(totps.recover, body));
  }
}
