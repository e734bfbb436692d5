import type { TotpFactor } from '../use-cases/totp-factor.ts';
import { checkArguments, DURATION, type Duration } from '../arguments.ts';

/** `client.totps`. */
export class TOTPsClient {
  constructor(private readonly totps: TotpFactor) {}

  /** A new secret for the signed-in user's authenticator app; it must be confirmed within `expiration_minutes`. */
  async create(options: { readonly expiration_minutes: number }) {
    checkArguments('totps.create', { expiration_minutes: 'number' }, options);
    return this.totps.create(options.expiration_minutes);
  }

  async authenticate(options: Duration & { readonly totp_code: string }) {
    checkArguments('totps.authenticate', { totp_code: 'string', ...DURATION }, options);
    return this.totps.authenticate(options.totp_code, options.session_duration_minutes);
  }

  /** The codes for when the device is lost. */
  async recoveryCodes() {
    return this.totps.recoveryCodes();
  }

  async recover(options: Duration & { readonly recovery_code: string }) {
    checkArguments('totps.recover', { recovery_code: 'string', ...DURATION }, options);
    return this.totps.recover(options.recovery_code, options.session_duration_minutes);
  }
}
