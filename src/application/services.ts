import type { PasswordStrengthPort, PhonePort, WalletPort } from './ports/index.ts';
import type { MagicLinkLogin } from './use-cases/magic-link-login.ts';
import type { OAuthLogin } from './use-cases/oauth-login.ts';
import type { OneTapLogin } from './use-cases/one-tap-login.ts';
import type { OtpLogin } from './use-cases/otp-login.ts';
import type { PasskeyCeremonies } from './use-cases/passkey-ceremonies.ts';
import type { PasswordLogin } from './use-cases/password-login.ts';
import type { IdentityProvider } from './use-cases/identity-provider.ts';
import type { SessionExchange } from './use-cases/session-exchange.ts';
import type { UserEdits } from './use-cases/user-edits.ts';
import type { WalletLogin } from './use-cases/wallet-login.ts';

/** The use cases behind the widgets, and the ports that help with what is typed and chosen. */
export interface Logins {
  readonly magicLinks: MagicLinkLogin;
  readonly otps: OtpLogin;
  readonly passwords: PasswordLogin;
  readonly oauth: OAuthLogin;
  readonly oneTap: OneTapLogin;
  readonly walletLogin: WalletLogin;
  readonly passkeys: PasskeyCeremonies;
  readonly userEdits: UserEdits;
  readonly identityProvider: IdentityProvider;
  readonly sessionExchange: SessionExchange;
  readonly phone: PhonePort;
  readonly passwordStrength: PasswordStrengthPort;
  readonly wallet: WalletPort;
}
