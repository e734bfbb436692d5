import { CryptoWalletsClient } from '../application/client/crypto-wallets-client.ts';
import { IDPClient } from '../application/client/idp-client.ts';
import { ImpersonationClient } from '../application/client/impersonation-client.ts';
import { MagicLinksClient } from '../application/client/magic-links-client.ts';
import { OAuthClient } from '../application/client/oauth-client.ts';
import { OtpsClient } from '../application/client/otps-client.ts';
import { PasswordsClient } from '../application/client/passwords-client.ts';
import { SessionExchangeClient } from '../application/client/session-exchange-client.ts';
import { TOTPsClient } from '../application/client/totps-client.ts';
import { UserEditsClient } from '../application/client/user-edits-client.ts';
import { WebauthnClient } from '../application/client/webauthn-client.ts';
import { LastMethod } from '../application/session/last-method.ts';
import { ProofKeys } from '../application/session/proof-keys.ts';
import { EventLog } from '../application/telemetry/event-log.ts';
import { IdentityProvider } from '../application/use-cases/identity-provider.ts';
import { MagicLinkLogin } from '../application/use-cases/magic-link-login.ts';
import { OAuthLogin } from '../application/use-cases/oauth-login.ts';
import { OneTapLogin } from '../application/use-cases/one-tap-login.ts';
import { OtpLogin } from '../application/use-cases/otp-login.ts';
import { PasskeyCeremonies } from '../application/use-cases/passkey-ceremonies.ts';
import { PasswordLogin } from '../application/use-cases/password-login.ts';
import { ProjectUpkeep } from '../application/use-cases/project-upkeep.ts';
import { SessionExchange } from '../application/use-cases/session-exchange.ts';
import { SocialFlow } from '../application/use-cases/social-flow.ts';
import { TotpFactor } from '../application/use-cases/totp-factor.ts';
import { UserEdits } from '../application/use-cases/user-edits.ts';
import { WalletLogin } from '../application/use-cases/wallet-login.ts';
import { RiskSignals } from '../application/wire/risk-signals.ts';
import { RiskyCall } from '../application/wire/risky-call.ts';
import { keepsValues } from '../infrastructure/storage/keeps-values.ts';
import type { Logins } from '../application/widget/logins.ts';
import type { ClientContainer, ClientSettings, LatePorts } from './container.ts';
import { latePorts } from './late-ports.ts';
import * as t from './tokens.ts';

/** Wires what a page does not need at its start: the ways to log in, and what few pages have. */
function bindLate(container: ClientContainer, settings: ClientSettings): void {
  const ports = latePorts(settings);
  const { storage, crypto, browser, log, clock, webauthn, captcha, deviceTelemetry, oneTap, outbox } = t.PORTS;
  for (const name of Object.keys(ports) as (keyof LatePorts)[]) {
    container.bind<unknown>(t.PORTS[name]).toConstantValue(ports[name]);
  }
  const { publicToken, endpointOptions, telemetry } = settings;
  container.bind(t.RISK_SETTINGS).toConstantValue({ ...endpointOptions, publicToken, telemetry });

  t.bindClass(container, t.RISK_SIGNALS, RiskSignals, [t.PROJECT, captcha, deviceTelemetry, t.RISK_SETTINGS]);
  t.bindClass(container, t.RISKY, RiskyCall, [t.WIRE, t.RISK_SIGNALS]);
  t.bindClass(container, t.PROOF_KEYS, ProofKeys, [storage, crypto, clock, t.KEYS]);
  t.bindClass(container, t.EVENT_LOG, EventLog, [t.WIRE, t.HEADERS, t.KEYS, clock, outbox, browser]);
  t.bindClass(container, t.MAGIC_LINK_LOGIN, MagicLinkLogin, [t.RISKY, t.SESSIONS, t.PROOF_KEYS, t.PROJECT]);
  t.bindClass(container, t.OTP_LOGIN, OtpLogin, [t.RISKY, t.SESSIONS]);
  t.bindClass(container, t.PASSWORD_LOGIN, PasswordLogin, [t.RISKY, t.SESSIONS, t.PROOF_KEYS, t.PROJECT]);
  t.bindClass(container, t.LAST_METHOD, LastMethod, [storage, t.KEYS]);
  container.bind(t.SOCIAL_PAGE).toConstantValue({
    keys: container.get(t.KEYS),
    browser: container.get(browser),
    lastMethod: container.get(t.LAST_METHOD),
  });
  t.bindClass(container, t.SOCIAL_FLOW, SocialFlow, [t.PROJECT, t.PROOF_KEYS, t.SOCIAL_PAGE]);
  t.bindClass(container, t.OAUTH_LOGIN, OAuthLogin, [t.WIRE, t.SESSIONS, t.SOCIAL_FLOW, log]);
  t.bindClass(container, t.ONE_TAP_LOGIN, OneTapLogin, [t.WIRE, oneTap, t.SOCIAL_FLOW, log]);
  t.bindClass(container, t.WALLET_LOGIN, WalletLogin, [t.RISKY, t.SESSIONS, t.PROJECT, browser]);
  t.bindClass(container, t.TOTP_FACTOR, TotpFactor, [t.WIRE, t.SESSIONS]);
  t.bindClass(container, t.PASSKEY_CEREMONIES, PasskeyCeremonies, [t.RISKY, t.SESSIONS, webauthn, browser]);
  t.bindClass(container, t.SESSION_EXCHANGE, SessionExchange, [t.WIRE, t.SESSIONS]);
  t.bindClass(container, t.USER_EDITS, UserEdits, [t.RISKY, t.SESSIONS]);
  t.bindClass(container, t.IDENTITY_PROVIDER, IdentityProvider, [t.WIRE]);
}

const NOT_KEPT = 'This page cannot keep anything in local storage: who signs in stays so only until it is left.';

/** The late half of a client: the public parts by their names, and what the widget and the event log stand on. */
export function wireLate(container: ClientContainer, settings: ClientSettings) {
  bindLate(container, settings);
  const { window, own, ports } = settings;
  new ProjectUpkeep(container.get(t.PROJECT), ports.browser, ports.clock).start();
  if (window !== null && own.storage === undefined && !keepsValues(() => window.localStorage)) ports.log.warn(NOT_KEPT);
  const clients = {
    magicLinks: new MagicLinksClient(container.get(t.MAGIC_LINK_LOGIN)),
    otps: new OtpsClient(container.get(t.OTP_LOGIN)),
    passwords: new PasswordsClient(container.get(t.PASSWORD_LOGIN)),
    oauth: new OAuthClient(container.get(t.OAUTH_LOGIN), container.get(t.ONE_TAP_LOGIN)),
    cryptoWallets: new CryptoWalletsClient(container.get(t.WALLET_LOGIN)),
    totps: new TOTPsClient(container.get(t.TOTP_FACTOR)),
    webauthn: new WebauthnClient(container.get(t.PASSKEY_CEREMONIES)),
    sessionExchange: new SessionExchangeClient(container.get(t.SESSION_EXCHANGE)),
    impersonation: new ImpersonationClient(container.get(t.SESSION_EXCHANGE)),
    userEdits: new UserEditsClient(container.get(t.USER_EDITS)),
    idp: new IDPClient(container.get(t.IDENTITY_PROVIDER)),
  };
  const logins: Logins = {
    magicLinks: container.get(t.MAGIC_LINK_LOGIN),
    otps: container.get(t.OTP_LOGIN),
    passwords: container.get(t.PASSWORD_LOGIN),
    oauth: container.get(t.OAUTH_LOGIN),
    oneTap: container.get(t.ONE_TAP_LOGIN),
    walletLogin: container.get(t.WALLET_LOGIN),
    passkeys: container.get(t.PASSKEY_CEREMONIES),
    userEdits: container.get(t.USER_EDITS),
    identityProvider: container.get(t.IDENTITY_PROVIDER),
    sessionExchange: container.get(t.SESSION_EXCHANGE),
    phone: container.get(t.PORTS.phone),
    passwordStrength: container.get(t.PORTS.passwordStrength),
    wallet: container.get(t.PORTS.wallet),
  };
  return { clients, logins, eventLog: container.get(t.EVENT_LOG) };
}

export type Late = ReturnType<typeof wireLate>;
export type LateClients = Late['clients'];
