import type { Container } from 'inversify';
import type { CorePorts } from './container.ts';
import type { Ports } from '../application/ports/index.ts';
import type { AuthenticatedCall } from '../application/session/authenticated-call.ts';
import type { ClientKeys } from '../application/session/client-keys.ts';
import type { LastMethod } from '../application/session/last-method.ts';
import type { ProofKeys } from '../application/session/proof-keys.ts';
import type { RefreshRecord } from '../application/session/refresh-record.ts';
import type { CookieOptions, SessionCookies } from '../application/session/session-cookies.ts';
import type { SessionRefresher } from '../application/session/session-refresher.ts';
import type { SessionStore } from '../application/session/session-store.ts';
import type { EventLog } from '../application/telemetry/event-log.ts';
import type { AccessControl } from '../application/use-cases/access-control.ts';
import type { IdentityProvider } from '../application/use-cases/identity-provider.ts';
import type { MagicLinkLogin } from '../application/use-cases/magic-link-login.ts';
import type { OAuthLogin } from '../application/use-cases/oauth-login.ts';
import type { OneTapLogin } from '../application/use-cases/one-tap-login.ts';
import type { OtpLogin } from '../application/use-cases/otp-login.ts';
import type { PasskeyCeremonies } from '../application/use-cases/passkey-ceremonies.ts';
import type { PasswordLogin } from '../application/use-cases/password-login.ts';
import type { Project } from '../application/use-cases/project.ts';
import type { SessionLifecycle } from '../application/use-cases/session-lifecycle.ts';
import type { SocialFlow, SocialPage } from '../application/use-cases/social-flow.ts';
import type { SessionExchange } from '../application/use-cases/session-exchange.ts';
import type { TotpFactor } from '../application/use-cases/totp-factor.ts';
import type { UserAccount } from '../application/use-cases/user-account.ts';
import type { RiskSignals, RiskSettings } from '../application/wire/risk-signals.ts';
import type { RiskyCall } from '../application/wire/risky-call.ts';
import type { RequestHeaders } from '../application/wire/request-headers.ts';
import type { UserEdits } from '../application/use-cases/user-edits.ts';
import type { WalletLogin } from '../application/use-cases/wallet-login.ts';
import type { WireClient } from '../application/wire/wire-client.ts';

/** A name under which the container holds a `T`; the constructor type makes `container.get` infer it. */
export type Token<T> = symbol & (abstract new (...args: never[]) => T);

const token = <T>(name: string): Token<T> => Symbol(name) as Token<T>;

/** Every port under its public name. */
export const PORTS: { readonly [Name in keyof Ports]: Token<Ports[Name]> } = {
  transport: token('transport'),
  storage: token('storage'),
  tabStorage: token('tabStorage'),
  cookies: token('cookies'),
  clock: token('clock'),
  crypto: token('crypto'),
  lock: token('lock'),
  browser: token('browser'),
  log: token('log'),
  webauthn: token('webauthn'),
  captcha: token('captcha'),
  deviceTelemetry: token('deviceTelemetry'),
  oneTap: token('oneTap'),
  outbox: token('outbox'),
  phone: token('phone'),
  passwordStrength: token('passwordStrength'),
  wallet: token('wallet'),
};

export const CORE_PORTS = token<CorePorts>('corePorts');
export const ORIGIN = token<string>('origin');
export const COOKIE_OPTIONS = token<CookieOptions>('cookieOptions');
export const KEYS = token<ClientKeys>('keys');

export const COOKIES = token<SessionCookies>('sessionCookies');
export const SESSIONS = token<SessionStore>('sessions');
export const HEADERS = token<RequestHeaders>('headers');
export const WIRE = token<WireClient>('wire');
export const AUTHENTICATED_CALL = token<AuthenticatedCall>('authenticatedCall');
export const REFRESH_RECORD = token<RefreshRecord>('refreshRecord');
export const REFRESHER = token<SessionRefresher>('refresher');
export const PROOF_KEYS = token<ProofKeys>('proofKeys');
export const LAST_METHOD = token<LastMethod>('lastMethod');
export const SOCIAL_PAGE = token<SocialPage>('socialPage');
export const SOCIAL_FLOW = token<SocialFlow>('socialFlow');
export const RISK_SETTINGS = token<RiskSettings>('riskSettings');
export const RISK_SIGNALS = token<RiskSignals>('riskSignals');
export const RISKY = token<RiskyCall>('riskyCall');
export const EVENT_LOG = token<EventLog>('eventLog');

export const PROJECT = token<Project>('project');
export const MAGIC_LINK_LOGIN = token<MagicLinkLogin>('magicLinkLogin');
export const OTP_LOGIN = token<OtpLogin>('otpLogin');
export const SESSION_LIFECYCLE = token<SessionLifecycle>('sessionLifecycle');
export const USER_ACCOUNT = token<UserAccount>('userAccount');
export const PASSWORD_LOGIN = token<PasswordLogin>('passwordLogin');
export const OAUTH_LOGIN = token<OAuthLogin>('oauthLogin');
export const ONE_TAP_LOGIN = token<OneTapLogin>('oneTapLogin');
export const WALLET_LOGIN = token<WalletLogin>('walletLogin');
export const TOTP_FACTOR = token<TotpFactor>('totpFactor');
export const PASSKEY_CEREMONIES = token<PasskeyCeremonies>('passkeyCeremonies');
export const ACCESS_CONTROL = token<AccessControl>('accessControl');
export const SESSION_EXCHANGE = token<SessionExchange>('sessionExchange');
export const USER_EDITS = token<UserEdits>('userEdits');
export const IDENTITY_PROVIDER = token<IdentityProvider>('identityProvider');

type TokensFor<Args extends readonly unknown[]> = { [Index in keyof Args]: Token<Args[Index]> };

/** Binds a class to its dependencies, in the constructor's order: a wrong or missing one does not compile. */
export function bindClass<T, Args extends unknown[]>(
  container: Container,
  id: Token<T>,
  Class: new (...args: Args) => T,
  dependencies: TokensFor<Args>,
): void {
  container.bind<T>(id).toResolvedValue((...args: Args) => new Class(...args), dependencies as never);
}
