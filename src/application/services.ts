import type { AsyncMethods } from '#domain/later.ts';
import type { Ports } from './ports/index.ts';
import type { ClientKeys } from './wire/client-keys.ts';
import type { LastMethod } from './session/last-method.ts';
import type { SessionLifecycle } from './session/session-lifecycle.ts';
import type { SessionStore } from './session/session-store.ts';
import type { SessionWatch } from './session/session-watch.ts';
import type { EventLog } from './telemetry/event-log.ts';
import type { EventSink } from './telemetry/event-sink.ts';
import type { AccessControl } from './use-cases/sessions/access-control.ts';
import type { IdentityProvider } from './use-cases/consent/identity-provider.ts';
import type { MagicLinkLogin } from './use-cases/links/magic-link-login.ts';
import type { MemberSearch } from './use-cases/account/member-search.ts';
import type { OAuthLogin } from './use-cases/social/oauth-login.ts';
import type { OneTapLogin } from './use-cases/social/one-tap-login.ts';
import type { OtpLogin } from './use-cases/passcodes/otp-login.ts';
import type { OwnSessions } from './use-cases/sessions/own-sessions.ts';
import type { PasskeyCeremonies } from './use-cases/passkeys/passkey-ceremonies.ts';
import type { PasswordLogin } from './use-cases/passwords/password-login.ts';
import type { Project } from './use-cases/project/project.ts';
import type { SecondFactor } from './use-cases/sessions/second-factor.ts';
import type { SessionExchange } from './use-cases/sessions/session-exchange.ts';
import type { TotpFactor } from './use-cases/account/totp-factor.ts';
import type { UserAccount } from './use-cases/account/user-account.ts';
import type { UserEdits } from './use-cases/account/user-edits.ts';
import type { UserProfile } from './use-cases/account/user-profile.ts';
import type { WalletLogin } from './use-cases/wallets/wallet-login.ts';
import type { WireClient } from './wire/wire-client.ts';

/** The services that a client loads when they are first needed: the use cases, and the ports that a page does not need at its start. */
export interface LateServices extends Pick<
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
> {
  // A use case is constructed by the first call of one of its methods.
  readonly magicLinks: AsyncMethods<MagicLinkLogin>;
  readonly otps: AsyncMethods<OtpLogin>;
  readonly passwords: AsyncMethods<PasswordLogin>;
  readonly oauth: AsyncMethods<OAuthLogin>;
  readonly oneTapLogin: AsyncMethods<OneTapLogin>;
  readonly walletLogin: AsyncMethods<WalletLogin>;
  readonly totps: AsyncMethods<TotpFactor>;
  readonly secondFactor: AsyncMethods<SecondFactor>;
  readonly profile: AsyncMethods<UserProfile>;
  readonly passkeys: AsyncMethods<PasskeyCeremonies>;
  readonly userEdits: AsyncMethods<UserEdits>;
  readonly sessionExchange: AsyncMethods<SessionExchange>;
  readonly ownSessions: AsyncMethods<OwnSessions>;
  readonly identityProvider: AsyncMethods<IdentityProvider>;
  readonly members: AsyncMethods<MemberSearch>;
  readonly lastMethod: LastMethod;
  readonly eventLog: EventLog;
}

/** The services of a client from the start of a page: ports, the wire, the session, the project, and a way to load the rest. */
export interface StartServices extends Omit<Ports, keyof LateServices | 'lock'> {
  readonly keys: ClientKeys;
  readonly sessions: SessionStore;
  readonly wire: WireClient;
  readonly project: Project;
  readonly refresher: SessionWatch;
  /** Its code is loaded by the first call, or when there is a session. */
  readonly lifecycle: AsyncMethods<SessionLifecycle>;
  readonly account: UserAccount;
  readonly access: AccessControl;
  /** Null when the host turned telemetry off. */
  readonly events: EventSink | null;
  readonly late: () => Promise<LateServices>;
}

/** The named services. Functions use this type to list what they need. */
export type Services<Name extends keyof (StartServices & LateServices)> = Pick<StartServices & LateServices, Name>;
