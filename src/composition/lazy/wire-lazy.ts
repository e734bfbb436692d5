import type { Container } from 'inversify';
import type { Ports } from '#application/ports/index.ts';
import type { LateServices, StartServices } from '#application/services.ts';
import { ClientKeys } from '#application/wire/client-keys.ts';
import { cookiePlace } from '#application/session/cookie-options.ts';
import { LastMethod } from '#application/session/last-method.ts';
import { ProofKeys } from '#application/session/proof-keys.ts';
import { SessionStore } from '#application/session/session-store.ts';
import { EventLog } from '#application/telemetry/event-log.ts';
import { IdentityProvider } from '#application/use-cases/consent/identity-provider.ts';
import { MagicLinkLogin } from '#application/use-cases/links/magic-link-login.ts';
import { MemberSearch } from '#application/use-cases/account/member-search.ts';
import { OAuthLogin } from '#application/use-cases/social/oauth-login.ts';
import { OneTapLogin } from '#application/use-cases/social/one-tap-login.ts';
import { OtpLogin } from '#application/use-cases/passcodes/otp-login.ts';
import { OwnSessions } from '#application/use-cases/sessions/own-sessions.ts';
import { PasskeyCeremonies } from '#application/use-cases/passkeys/passkey-ceremonies.ts';
import { reportUserDetails } from '#application/use-cases/passkeys/user-details.ts';
import { PasswordLogin } from '#application/use-cases/passwords/password-login.ts';
import { Project } from '#application/use-cases/project/project.ts';
import { SecondFactor } from '#application/use-cases/sessions/second-factor.ts';
import { SessionExchange } from '#application/use-cases/sessions/session-exchange.ts';
import { SocialFlow } from '#application/use-cases/social/social-flow.ts';
import { TotpFactor } from '#application/use-cases/account/totp-factor.ts';
import { UserEdits } from '#application/use-cases/account/user-edits.ts';
import { UserProfile } from '#application/use-cases/account/user-profile.ts';
import { WalletLogin } from '#application/use-cases/wallets/wallet-login.ts';
import { RiskSignals, RiskyCall } from '#application/wire/risky-call.ts';
import { SharedCalls } from '#application/wire/shared-calls.ts';
import { WireClient } from '#application/wire/wire-client.ts';
import { INSECURE_PAGE, isInsecure } from '#domain/insecure-page.ts';
import { methodsOf, type AsyncMethods } from '#domain/later.ts';
import { isSecureUrl } from '#domain/safe-url.ts';
import { KyTransport } from '#infrastructure/http/ky-transport.ts';
import { StartTransport } from '#infrastructure/http/start-transport.ts';
import { keepsValues } from '#infrastructure/storage/keeps-values.ts';
import { PORTS, type ClientSettings } from '../core.ts';
import {
  AUTHORIZATION_SERVICES,
  bindMade,
  bindValue,
  injected,
  newContainer,
  PORT,
  RISK_SETTINGS,
  type Token,
} from './container.ts';
import { lazyPorts, type LatePorts } from './lazy-ports.ts';

const { storage, crypto, browser, log, clock, webauthn, captcha, deviceTelemetry, oneTap, formPost, wallet } = PORT;

/** Every class that a container constructs, with its dependencies. The first container of a page declares them. */
const classesOf = () => [
  injected(RiskSignals, [Project, captcha, deviceTelemetry, RISK_SETTINGS]),
  injected(RiskyCall, [WireClient, RiskSignals]),
  injected(ProofKeys, [storage, crypto, clock, ClientKeys]),
  injected(LastMethod, [storage, ClientKeys]),
  injected(MagicLinkLogin, [WireClient, RiskyCall, SessionStore, ProofKeys, Project]),
  injected(OtpLogin, [RiskyCall, SessionStore]),
  injected(PasswordLogin, [WireClient, RiskyCall, SessionStore, ProofKeys, Project]),
  injected(SocialFlow, [Project, ProofKeys, ClientKeys, browser, formPost, LastMethod]),
  injected(OAuthLogin, [WireClient, SessionStore, SocialFlow, log]),
  injected(OneTapLogin, [WireClient, oneTap, SocialFlow, log]),
  injected(WalletLogin, [RiskyCall, SessionStore, Project, browser, wallet]),
  injected(TotpFactor, [WireClient, SessionStore]),
  injected(SecondFactor, [WireClient, RiskyCall]),
  injected(UserProfile, [WireClient, SessionStore]),
  injected(PasskeyCeremonies, [WireClient, RiskyCall, SessionStore, webauthn, browser, Project]),
  injected(SessionExchange, [WireClient, SessionStore]),
  injected(OwnSessions, [WireClient]),
  injected(UserEdits, [WireClient, RiskyCall, SessionStore, PasskeyCeremonies, log]),
  injected(IdentityProvider, [WireClient, AUTHORIZATION_SERVICES]),
  injected(MemberSearch, [WireClient]),
];
let classes: ReturnType<typeof classesOf> | undefined;

/** Binds the ports, and the instances of the page's start. */
function bindValues(container: Container, core: StartServices, latePorts: LatePorts, settings: ClientSettings): void {
  const ports: Omit<Ports, 'lock'> = { ...core, ...latePorts };
  for (const name of Object.keys(PORTS) as (keyof typeof PORTS)[])
    if (name !== 'lock') bindValue<unknown>(container, PORT[name], ports[name]);
  const { publicToken, endpointOptions, telemetry } = settings;
  bindValue(container, RISK_SETTINGS, { ...endpointOptions, publicToken, telemetry });
  bindValue(container, ClientKeys, core.keys);
  bindValue(container, SessionStore, core.sessions);
  bindValue(container, WireClient, core.wire);
  bindValue(container, Project, core.project);
}

/**
 * The object graph of one client, loaded after the first paint. Each class is constructed when something first needs it, because most pages
 * are left before that.
 */
export function containerOf(core: StartServices, latePorts: LatePorts, settings: ClientSettings): Container {
  const container = newContainer();
  bindValues(container, core, latePorts, settings);
  for (const Class of (classes ??= classesOf())) container.bind(Class).toSelf();
  bindMade(container, AUTHORIZATION_SERVICES, (sessionExchange) => ({ ...core, sessionExchange }), [SessionExchange]);
  return container;
}

const NOT_KEPT = 'This page cannot use local storage: a session ends when the page is closed.';

const PROBE = 'portico_probe';

/** True if the page lacks Web Cryptography and the host has no adapter instead. */
const lacksCrypto = ({ window, own }: Pick<ClientSettings, 'window' | 'own'>): boolean =>
  window !== null && own.crypto === undefined && isInsecure(window.crypto);

/** The warning about cookies that the browser does not store; none without cookies, or if the host has its own adapter. */
function unkeptCookies({ cookieOptions, own, window }: ClientSettings, { cookies }: StartServices): readonly string[] {
  if (window === null || own.cookies !== undefined) return [];
  const { scope } = cookiePlace(cookieOptions, window.location.hostname);
  cookies.set(PROBE, '1', scope, null);
  let isKept = false;
  try {
    isKept = window.document.cookie.includes(`${PROBE}=1`);
  } catch {
    // A sandboxed frame has no cookies.
  }
  cookies.remove(PROBE, scope);
  const { domain, path } = scope;
  const where = `${domain === null ? '' : `the domain ${domain} and `}the path ${path}`;
  return isKept
    ? []
    : [`The browser keeps no cookie with ${where}: a reload or your server sees no session. Are cookies blocked, and are the domain and path in cookieOptions those of this page?`]; // prettier-ignore
}

/** The warnings about unencrypted connections to the server. */
function plainHttp({ origin, window }: Pick<ClientSettings, 'origin' | 'window'>): readonly string[] {
  const page = window?.location.origin ?? '';
  const isPlain = !isSecureUrl(new URL(origin));
  return [
    ...(isPlain ? [`Passwords and sessions are sent unencrypted to ${origin} (allowHttp). Use this for development only.`] : []), // prettier-ignore
    ...(isPlain && page.startsWith('https:') ? [`Browsers do not let this https page call ${origin}: the API needs https, too.`] : []), // prettier-ignore
  ];
}

/** The composition root of the code that a client loads at its first use. */
export function wireLazy(core: StartServices, settings: ClientSettings): LateServices {
  const { window, own, telemetry } = settings;
  if (window !== null && own.storage === undefined && !keepsValues(() => window.localStorage)) core.log.warn(NOT_KEPT);
  // A page without Web Cryptography does not store Secure cookies either. Its developer needs to know only the cause.
  const ofPage = lacksCrypto(settings) ? [INSECURE_PAGE] : unkeptCookies(settings, core);
  for (const warning of [...plainHttp(settings), ...ofPage]) core.log.warn(warning);
  const latePorts = lazyPorts(settings);
  // Every page needs the event log, but no page needs the container before a person acts on it.
  const eventLog = new EventLog(core.wire, core.keys, core.clock, core.storage, latePorts.outbox, core.browser);
  let instance: Container | undefined;
  const container = (): Container => (instance ??= containerOf(core, latePorts, settings));
  // So it exists before the press that needs a use case. Destroying the client ends its stream of sessions.
  const ending = new AbortController();
  for (const sign of ['pointerdown', 'keydown'])
    window?.addEventListener(sign, container, { capture: true, once: true, signal: ending.signal });
  core.sessions.session$.subscribe({ complete: () => ending.abort() });
  // ky handles the requests from the first use case on.
  let start = core.transport instanceof StartTransport ? core.transport : null;
  const methods = <T extends object>(token: Token<T>): AsyncMethods<T> =>
    methodsOf(async () => {
      if (window !== null) start?.passTo(new KyTransport(window));
      start = null;
      return container().get(token);
    });
  core.wire.shared = new SharedCalls();
  if (telemetry) eventLog.start();
  reportUserDetails(core.sessions, latePorts.webauthn);
  return {
    ...latePorts,
    magicLinks: methods(MagicLinkLogin),
    otps: methods(OtpLogin),
    passwords: methods(PasswordLogin),
    oauth: methods(OAuthLogin),
    oneTapLogin: methods(OneTapLogin),
    walletLogin: methods(WalletLogin),
    totps: methods(TotpFactor),
    secondFactor: methods(SecondFactor),
    profile: methods(UserProfile),
    passkeys: methods(PasskeyCeremonies),
    userEdits: methods(UserEdits),
    sessionExchange: methods(SessionExchange),
    ownSessions: methods(OwnSessions),
    identityProvider: methods(IdentityProvider),
    members: methods(MemberSearch),
    lastMethod: new LastMethod(core.storage, core.keys),
    eventLog,
  };
}
