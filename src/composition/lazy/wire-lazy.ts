import type { Container } from 'inversify';
import type { Core, Lazy, LazyPorts, CorePorts } from '../../application/services.ts';
import { ClientKeys } from '../../application/session/client-keys.ts';
import { LastMethod } from '../../application/session/last-method.ts';
import { ProofKeys } from '../../application/session/proof-keys.ts';
import { SessionStore } from '../../application/session/session-store.ts';
import { EventLog } from '../../application/telemetry/event-log.ts';
import { IdentityProvider } from '../../application/use-cases/identity-provider.ts';
import { MagicLinkLogin } from '../../application/use-cases/magic-link-login.ts';
import { MemberSearch } from '../../application/use-cases/member-search.ts';
import { OAuthLogin } from '../../application/use-cases/oauth-login.ts';
import { OneTapLogin } from '../../application/use-cases/one-tap-login.ts';
import { OtpLogin } from '../../application/use-cases/otp-login.ts';
import { OwnSessions } from '../../application/use-cases/own-sessions.ts';
import { PasskeyCeremonies } from '../../application/use-cases/passkey-ceremonies.ts';
import { PasswordLogin } from '../../application/use-cases/password-login.ts';
import { Project } from '../../application/use-cases/project.ts';
import { SessionExchange } from '../../application/use-cases/session-exchange.ts';
import { SocialFlow } from '../../application/use-cases/social-flow.ts';
import { TotpFactor } from '../../application/use-cases/totp-factor.ts';
import { UserEdits } from '../../application/use-cases/user-edits.ts';
import { WalletLogin } from '../../application/use-cases/wallet-login.ts';
import { RiskSignals, RiskyCall } from '../../application/wire/risky-call.ts';
import { WireClient } from '../../application/wire/wire-client.ts';
import { KyTransport } from '../../infrastructure/http/ky-transport.ts';
import { StartTransport } from '../../infrastructure/http/start-transport.ts';
import { keepsValues } from '../../infrastructure/storage/keeps-values.ts';
import { PORTS, type ClientSettings } from '../core.ts';
import { bindClass, bindValue, CORE, newContainer, PORT, RISK_SETTINGS, type Token } from './container.ts';
import { lazyPorts } from './lazy-ports.ts';

/** The instances that exist already, and the ports. */
function bindValues(container: Container, core: Core, settings: ClientSettings, late: LazyPorts): void {
  const ports: CorePorts & LazyPorts = { ...settings.ports, ...late };
  for (const name of Object.keys(PORTS) as (keyof typeof PORTS)[])
    bindValue<unknown>(container, PORT[name], ports[name]);
  const { publicToken, endpointOptions, telemetry } = settings;
  bindValue(container, RISK_SETTINGS, { ...endpointOptions, publicToken, telemetry });
  bindValue(container, ClientKeys, core.keys);
  bindValue(container, SessionStore, core.sessions);
  bindValue(container, WireClient, core.wire);
  bindValue(container, Project, core.project);
  bindValue(container, CORE, core);
}

function bindClasses(container: Container): void {
  const { storage, crypto, browser, log, clock, webauthn, captcha, deviceTelemetry, oneTap, formPost, wallet } = PORT;
  bindClass(container, RiskSignals, [Project, captcha, deviceTelemetry, RISK_SETTINGS]);
  bindClass(container, RiskyCall, [WireClient, RiskSignals]);
  bindClass(container, ProofKeys, [storage, crypto, clock, ClientKeys]);
  bindClass(container, LastMethod, [storage, ClientKeys]);
  bindClass(container, MagicLinkLogin, [WireClient, RiskyCall, SessionStore, ProofKeys, Project]);
  bindClass(container, OtpLogin, [RiskyCall, SessionStore]);
  bindClass(container, PasswordLogin, [WireClient, RiskyCall, SessionStore, ProofKeys, Project]);
  bindClass(container, SocialFlow, [Project, ProofKeys, ClientKeys, browser, formPost, LastMethod]);
  bindClass(container, OAuthLogin, [WireClient, SessionStore, SocialFlow, log]);
  bindClass(container, OneTapLogin, [WireClient, oneTap, SocialFlow, log]);
  bindClass(container, WalletLogin, [RiskyCall, SessionStore, Project, browser, wallet]);
  bindClass(container, TotpFactor, [WireClient, SessionStore]);
  bindClass(container, PasskeyCeremonies, [WireClient, RiskyCall, SessionStore, webauthn, browser]);
  bindClass(container, SessionExchange, [WireClient, SessionStore]);
  bindClass(container, OwnSessions, [WireClient]);
  bindClass(container, UserEdits, [WireClient, RiskyCall, SessionStore]);
  bindClass(container, IdentityProvider, [WireClient, SessionExchange, CORE]);
  bindClass(container, MemberSearch, [WireClient]);
}

const NOT_KEPT = 'This page cannot keep anything in local storage: who signs in stays so only until it is left.';

/** The container and ky: one of each for a client, made for its first use case, because most pages are left before that. */
function containerOf(core: Core, settings: ClientSettings, ports: LazyPorts): Container {
  const { window } = settings;
  if (window !== null && core.transport instanceof StartTransport) core.transport.passTo(new KyTransport(window));
  const container = newContainer();
  bindValues(container, core, settings, ports);
  bindClasses(container);
  return container;
}

type UseCases = Omit<Lazy, 'eventLog' | 'phone' | 'passwordStrength' | 'wallet'>;
const USE_CASES: { readonly [Name in keyof UseCases]: Token<UseCases[Name]> } = {
  magicLinks: MagicLinkLogin,
  otps: OtpLogin,
  passwords: PasswordLogin,
  oauth: OAuthLogin,
  oneTap: OneTapLogin,
  walletLogin: WalletLogin,
  totps: TotpFactor,
  passkeys: PasskeyCeremonies,
  userEdits: UserEdits,
  sessionExchange: SessionExchange,
  ownSessions: OwnSessions,
  identityProvider: IdentityProvider,
  members: MemberSearch,
  lastMethod: LastMethod,
};

/** The composition root of the code that a client loads at its first use. */
export function wireLazy(core: Core, settings: ClientSettings): Lazy {
  const { window, own } = settings;
  const { wire, keys, clock, browser, log } = core;
  if (window !== null && own.storage === undefined && !keepsValues(() => window.localStorage)) log.warn(NOT_KEPT);
  const ports = lazyPorts(settings);
  const { outbox, phone, passwordStrength, wallet } = ports;
  const eventLog = new EventLog(wire, keys, clock, outbox, browser);
  let container: Container | null = null;
  const made = (token: Token<unknown>) => (container ??= containerOf(core, settings, ports)).get(token);
  const getters = Object.entries(USE_CASES).map(([name, token]) => [
    name,
    { get: () => made(token), enumerable: true },
  ]);
  return Object.defineProperties(
    { eventLog, phone, passwordStrength, wallet },
    Object.fromEntries(getters) as PropertyDescriptorMap,
  ) as Lazy;
}
