import type { PasswordStrengthPort, PhonePort, Ports, WalletPort } from './ports/index.ts';
import type { ClientKeys } from './wire/client-keys.ts';
import type { LastMethod } from './session/last-method.ts';
import type { SessionLifecycle } from './session/session-lifecycle.ts';
import type { SessionRefresher } from './session/session-refresher.ts';
import type { SessionStore } from './session/session-store.ts';
import type { EventLog } from './telemetry/event-log.ts';
import type { EventSink } from './telemetry/event-sink.ts';
import type { AccessControl } from './use-cases/access-control.ts';
import type { IdentityProvider } from './use-cases/identity-provider.ts';
import type { MagicLinkLogin } from './use-cases/magic-link-login.ts';
import type { MemberSearch } from './use-cases/member-search.ts';
import type { OAuthLogin } from './use-cases/oauth-login.ts';
import type { OneTapLogin } from './use-cases/one-tap-login.ts';
import type { OtpLogin } from './use-cases/otp-login.ts';
import type { OwnSessions } from './use-cases/own-sessions.ts';
import type { PasskeyCeremonies } from './use-cases/passkey-ceremonies.ts';
import type { PasswordLogin } from './use-cases/password-login.ts';
import type { Project } from './use-cases/project.ts';
import type { SessionExchange } from './use-cases/session-exchange.ts';
import type { TotpFactor } from './use-cases/totp-factor.ts';
import type { UserAccount } from './use-cases/user-account.ts';
import type { UserEdits } from './use-cases/user-edits.ts';
import type { WalletLogin } from './use-cases/wallet-login.ts';
import type { WireClient } from './wire/wire-client.ts';

/** The ports that no page needs at its start. */
export type LazyPorts = Pick<
  Ports,
  | 'webauthn'
  | 'captcha'
  | 'deviceTelemetry'
  | 'oneTap'
  | 'outbox'
  | 'phone'
  | 'passwordStrength'
  | 'wallet'
  | 'formPost'
>;
export type CorePorts = Omit<Ports, keyof LazyPorts>;

/** What a client is made of from the start of a page: its ports, the wire, the session and the project. */
export interface Core extends CorePorts {
  readonly keys: ClientKeys;
  readonly sessions: SessionStore;
  readonly wire: WireClient;
  readonly project: Project;
  readonly refresher: SessionRefresher;
  readonly lifecycle: SessionLifecycle;
  readonly account: UserAccount;
  readonly access: AccessControl;
}

/**
 * What a client loads when it is first needed: the use cases, and what the widgets' effects use beside them. A use case is made
 * when its property is first read, so an effect reads it when it handles an intent, and not before.
 */
export interface Lazy {
  readonly magicLinks: MagicLinkLogin;
  readonly otps: OtpLogin;
  readonly passwords: PasswordLogin;
  readonly oauth: OAuthLogin;
  readonly oneTap: OneTapLogin;
  readonly walletLogin: WalletLogin;
  readonly totps: TotpFactor;
  readonly passkeys: PasskeyCeremonies;
  readonly userEdits: UserEdits;
  readonly sessionExchange: SessionExchange;
  readonly ownSessions: OwnSessions;
  readonly identityProvider: IdentityProvider;
  readonly members: MemberSearch;
  readonly lastMethod: LastMethod;
  readonly eventLog: EventLog;
  readonly phone: PhonePort;
  readonly passwordStrength: PasswordStrengthPort;
  readonly wallet: WalletPort;
}

/** All that an effect can use. */
export type Services = Core & Lazy;

/** What a widget is made of: the core of its client, and a way to load the rest. */
export interface WidgetServices extends Core {
  readonly events: EventSink;
  readonly lazy: () => Promise<Lazy>;
}
