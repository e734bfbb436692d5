import { checkArguments } from '#domain/shape.ts';
import { checkId } from '#domain/check-id.ts';
import { mfa, type BodyFor, type ReplyFor } from '../../api/index.ts';
import type { RiskyCall, Signals } from '../../wire/risky-call.ts';
import type { WireClient } from '../../wire/wire-client.ts';

type Api = typeof mfa;

/** The fields that the host sets. The client adds the others. */
type HostFields<Name extends 'sendCode' | 'addPhone'> = Omit<BodyFor<Api[Name]>, keyof Signals>;

/** The second factor of a login, and the browsers that need none (not in the reference's wire). */
export class SecondFactor {
  constructor(
    private readonly wire: WireClient,
    private readonly risky: RiskyCall,
  ) {}

  /** The missing step of this browser's login. Rejects with `intermediate_session_not_found` ten minutes after the first factor. */
  async status(): Promise<ReplyFor<Api['status']>> {
    return this.wire.call(mfa.status, {}, { continues: true });
  }

  /** Sends a code to one of the step's numbers. `otps.authenticate` completes the login with it. */
  async sendCode(options: HostFields<'sendCode'>): Promise<ReplyFor<Api['sendCode']>> {
    checkArguments('mfa.sendCode', mfa.sendCode.body, options);
    const { phone_id, channel, locale } = options;
    return this.risky.call(mfa.sendCode, { phone_id, channel, locale }, { continues: true });
  }

  /** Sends a code to a number. Entering the code makes the number the user's second factor. The step's `enrol` must list the channel. */
  async addPhone(options: HostFields<'addPhone'>): Promise<ReplyFor<Api['addPhone']>> {
    checkArguments('mfa.addPhone', mfa.addPhone.body, options);
    const { phone_number, channel, locale } = options;
    return this.risky.call(mfa.addPhone, { phone_number, channel, locale }, { continues: true });
  }

  /**
   * Begins the removal of the second factors of a user who lost all of them. Rejects with `mfa_factor_not_allowed` if the step has no
   * `recovery`, and with `too_many_requests` after the third in a week.
   */
  async startRecovery(): Promise<ReplyFor<Api['startRecovery']>> {
    return this.risky.call(mfa.startRecovery, {}, { continues: true });
  }

  /** The pending removal of the signed-in user's second factors; null without one. */
  async recovery(): Promise<ReplyFor<Api['recovery']>> {
    return this.wire.call(mfa.recovery, {});
  }

  /** Stops that removal, if there is one. */
  async stopRecovery(): Promise<ReplyFor<Api['stopRecovery']>> {
    return this.wire.call(mfa.stopRecovery, {});
  }

  /** How many recovery codes the signed-in user has left; null without a verified authenticator app. */
  async recoveryCodes(): Promise<ReplyFor<Api['recoveryCodes']>> {
    return this.wire.call(mfa.recoveryCodes, {});
  }

  /**
   * Makes new recovery codes. Earlier ones end immediately, and so does the trust in browsers. Rejects with `mfa_required` if the session
   * has not proved the second factor, and with `totp_not_found` if the user has no authenticator app.
   */
  async renewRecoveryCodes(): Promise<ReplyFor<Api['renewRecoveryCodes']>> {
    return this.wire.call(mfa.renewRecoveryCodes, {});
  }

  /** The browsers in which the signed-in user's login needs only one factor. */
  async trustedDevices(): Promise<ReplyFor<Api['trustedDevices']>> {
    return this.wire.call(mfa.trustedDevices, {});
  }

  async removeTrustedDevice(device_id: string): Promise<ReplyFor<Api['removeTrustedDevice']>> {
    checkArguments('mfa.removeTrustedDevice', { device_id: 'string' }, { device_id });
    checkId('mfa.removeTrustedDevice', 'device_id', device_id);
    return this.wire.call(mfa.removeTrustedDevice, {}, { params: { device_id } });
  }
}
