import { B2BClient } from '../../application/client/b2b-client.ts';
import { CryptoWalletsClient } from '../../application/client/crypto-wallets-client.ts';
import { IDPClient } from '../../application/client/idp-client.ts';
import { ImpersonationClient } from '../../application/client/impersonation-client.ts';
import { MagicLinksClient } from '../../application/client/magic-links-client.ts';
import { OAuthClient } from '../../application/client/oauth-client.ts';
import { OtpsClient } from '../../application/client/otps-client.ts';
import { PasswordsClient } from '../../application/client/passwords-client.ts';
import { SessionExchangeClient } from '../../application/client/session-exchange-client.ts';
import { TOTPsClient } from '../../application/client/totps-client.ts';
import { UserEditsClient } from '../../application/client/user-edits-client.ts';
import { WebauthnClient } from '../../application/client/webauthn-client.ts';
import { LastMethod } from '../../application/session/last-method.ts';
import { ProofKeys } from '../../application/session/proof-keys.ts';
import { EventLog } from '../../application/telemetry/event-log.ts';
import { IdentityProvider } from '../../application/use-cases/identity-provider.ts';
import { MagicLinkLogin } from '../../application/use-cases/magic-link-login.ts';
import { OAuthLogin } from '../../application/use-cases/oauth-login.ts';
import { OneTapLogin } from '../../application/use-cases/one-tap-login.ts';
import { OtpLogin } from '../../application/use-cases/otp-login.ts';
import { PasskeyCeremonies } from '../../application/use-cases/passkey-ceremonies.ts';
import { PasswordLogin } from '../../application/use-cases/password-login.ts';
import { ProjectUpkeep } from '../../application/use-cases/project-upkeep.ts';
import { SessionExchange } from '../../application/use-cases/session-exchange.ts';
import { SocialFlow } from '../../application/use-cases/social-flow.ts';
import { TotpFactor } from '../../application/use-cases/totp-factor.ts';
import { UserEdits } from '../../application/use-cases/user-edits.ts';
import { WalletLogin } from '../../application/use-cases/wallet-login.ts';
import { RiskSignals } from '../../application/wire/risk-signals.ts';
import { RiskyCall } from '../../application/wire/risky-call.ts';
import { keepsValues } from '../../infrastructure/storage/keeps-values.ts';
import type { Logins } from '../../application/services.ts';
import type { ClientContainer, ClientSettings, LatePorts } from '../core.ts';
import { latePorts } from './lazy-ports.ts';
import {
  EVENT_LOG,
  IDENTITY_PROVIDER,
  LAST_METHOD,
  MAGIC_LINK_LOGIN,
  OAUTH_LOGIN,
  ONE_TAP_LOGIN,
  OTP_LOGIN,
  PASSKEY_CEREMONIES,
  PASSWORD_LOGIN,
  PROOF_KEYS,
  RISKY,
  RISK_SETTINGS,
  RISK_SIGNALS,
  SESSION_EXCHANGE,
  SOCIAL_FLOW,
  SOCIAL_PAGE,
  TOTP_FACTOR,
  USER_EDITS,
  WALLET_LOGIN,
} from '../late-tokens.ts';
import { HEADERS, KEYS, PORTS, PROJECT, SESSIONS, WIRE, bindClass } from './container.ts';

/** Wires what a page does not need at its start: the ways to log in, and what few pages have. */
function bindLate(container: ClientContainer, settings: ClientSettings): void {
  const ports = latePorts(settings);
  const { storage, crypto, browser, log, clock, webauthn, captcha, deviceTelemetry, oneTap, outbox } = PORTS;
  for (const name of Object.keys(ports) as (keyof LatePorts)[]) {
    container.bind<unknown>(PORTS[name]).toConstantValue(ports[name]);
  }
  const { publicToken, endpointOptions, telemetry } = settings;
  container.bind(RISK_SETTINGS).toConstantValue({ ...endpointOptions, publicToken, telemetry });

  bindClass(container, RISK_SIGNALS, RiskSignals, [PROJECT, captcha, deviceTelemetry, RISK_SETTINGS]);
  bindClass(container, RISKY, RiskyCall, [WIRE, RISK_SIGNALS]);
  bindClass(container, PROOF_KEYS, ProofKeys, [storage, crypto, clock, KEYS]);
  bindClass(container, EVENT_LOG, EventLog, [WIRE, HEADERS, KEYS, clock, outbox, browser]);
  bindClass(container, MAGIC_LINK_LOGIN, MagicLinkLogin, [RISKY, SESSIONS, PROOF_KEYS, PROJECT]);
  bindClass(container, OTP_LOGIN, OtpLogin, [RISKY, SESSIONS]);
  bindClass(container, PASSWORD_LOGIN, PasswordLogin, [RISKY, SESSIONS, PROOF_KEYS, PROJECT]);
  bindClass(container, LAST_METHOD, LastMethod, [storage, KEYS]);
  container.bind(SOCIAL_PAGE).toConstantValue({
    keys: container.get(KEYS),
    browser: container.get(browser),
    lastMethod: container.get(LAST_METHOD),
  });
  bindClass(container, SOCIAL_FLOW, SocialFlow, [PROJECT, PROOF_KEYS, SOCIAL_PAGE]);
  bindClass(container, OAUTH_LOGIN, OAuthLogin, [WIRE, SESSIONS, SOCIAL_FLOW, log]);
  bindClass(container, ONE_TAP_LOGIN, OneTapLogin, [WIRE, oneTap, SOCIAL_FLOW, log]);
  bindClass(container, WALLET_LOGIN, WalletLogin, [RISKY, SESSIONS, PROJECT, browser]);
  bindClass(container, TOTP_FACTOR, TotpFactor, [WIRE, SESSIONS]);
  bindClass(container, PASSKEY_CEREMONIES, PasskeyCeremonies, [RISKY, SESSIONS, webauthn, browser]);
  bindClass(container, SESSION_EXCHANGE, SessionExchange, [WIRE, SESSIONS]);
  bindClass(container, USER_EDITS, UserEdits, [RISKY, SESSIONS]);
  bindClass(container, IDENTITY_PROVIDER, IdentityProvider, [WIRE]);
}

const NOT_KEPT = 'This page cannot keep anything in local storage: who signs in stays so only until it is left.';

/** The late half of a client: the public parts by their names, and what the widget and the event log stand on. */
export function wireLate(container: ClientContainer, settings: ClientSettings) {
  bindLate(container, settings);
  const { window, own, ports } = settings;
  new ProjectUpkeep(container.get(PROJECT), ports.browser, ports.clock).start();
  if (window !== null && own.storage === undefined && !keepsValues(() => window.localStorage)) ports.log.warn(NOT_KEPT);
  const clients = {
    magicLinks: new MagicLinksClient(container.get(MAGIC_LINK_LOGIN)),
    otps: new OtpsClient(container.get(OTP_LOGIN)),
    passwords: new PasswordsClient(container.get(PASSWORD_LOGIN)),
    oauth: new OAuthClient(container.get(OAUTH_LOGIN), container.get(ONE_TAP_LOGIN)),
    cryptoWallets: new CryptoWalletsClient(container.get(WALLET_LOGIN)),
    totps: new TOTPsClient(container.get(TOTP_FACTOR)),
    webauthn: new WebauthnClient(container.get(PASSKEY_CEREMONIES)),
    sessionExchange: new SessionExchangeClient(container.get(SESSION_EXCHANGE)),
    impersonation: new ImpersonationClient(container.get(SESSION_EXCHANGE)),
    userEdits: new UserEditsClient(container.get(USER_EDITS)),
    b2b: new B2BClient(container.get(WIRE)),
    idp: new IDPClient(container.get(IDENTITY_PROVIDER)),
  };
  const logins: Logins = {
    magicLinks: container.get(MAGIC_LINK_LOGIN),
    otps: container.get(OTP_LOGIN),
    passwords: container.get(PASSWORD_LOGIN),
    oauth: container.get(OAUTH_LOGIN),
    oneTap: container.get(ONE_TAP_LOGIN),
    walletLogin: container.get(WALLET_LOGIN),
    passkeys: container.get(PASSKEY_CEREMONIES),
    userEdits: container.get(USER_EDITS),
    identityProvider: container.get(IDENTITY_PROVIDER),
    sessionExchange: container.get(SESSION_EXCHANGE),
    phone: container.get(PORTS.phone),
    passwordStrength: container.get(PORTS.passwordStrength),
    wallet: container.get(PORTS.wallet),
  };
  return { clients, logins, eventLog: container.get(EVENT_LOG) };
}

export type Late = ReturnType<typeof wireLate>;
export type LateClients = Late['clients'];
