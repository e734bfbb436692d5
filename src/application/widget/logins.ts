import type { MagicLinkLogin } from '../use-cases/magic-link-login.ts';
import type { OtpLogin } from '../use-cases/otp-login.ts';

/** The use cases behind the widget's forms. */
export interface Logins {
  readonly magicLinks: MagicLinkLogin;
  readonly otps: OtpLogin;
}
