import { Container } from 'inversify';
import type { BrowserPort, LogPort, Ports } from '../application/ports/index.ts';
import { AuthenticatedCall } from '../application/session/authenticated-call.ts';
import { ClientKeys } from '../application/session/client-keys.ts';
import { ProofKeys } from '../application/session/proof-keys.ts';
import { RefreshRecord } from '../application/session/refresh-record.ts';
import { SessionCookies, type CookieOptions } from '../application/session/session-cookies.ts';
import { SessionRefresher } from '../application/session/session-refresher.ts';
import { SessionStore } from '../application/session/session-store.ts';
import { EventLog, NO_EVENTS } from '../application/telemetry/event-log.ts';
import { AccessControl } from '../application/use-cases/access-control.ts';
import { IdentityProvider } from '../application/use-cases/identity-provider.ts';
import { MagicLinkLogin } from '../application/use-cases/magic-link-login.ts';
import { OAuthLogin } from '../application/use-cases/oauth-login.ts';
import { OneTapLogin } from '../application/use-cases/one-tap-login.ts';
import { OtpLogin } from '../application/use-cases/otp-login.ts';
import { PasskeyCeremonies } from '../application/use-cases/passkey-ceremonies.ts';
import { PasswordLogin } from '../application/use-cases/password-login.ts';
import { Project } from '../application/use-cases/project.ts';
import { SessionLifecycle } from '../application/use-cases/session-lifecycle.ts';
import { TotpFactor } from '../application/use-cases/totp-factor.ts';
import { UserAccount } from '../application/use-cases/user-account.ts';
import { WalletLogin } from '../application/use-cases/wallet-login.ts';
import { RiskSignals } from '../application/wire/risk-signals.ts';
import { RiskyCall } from '../application/wire/risky-call.ts';
import { RequestHeaders } from '../application/wire/request-headers.ts';
import type { EndpointOptions } from '../domain/endpoints.ts';
import { WireClient } from '../application/wire/wire-client.ts';
import * as t from './tokens.ts';

/** What distinguishes one client from another. */
export interface ClientSettings {
  readonly publicToken: string;
  /** The server's origin. */
  readonly origin: string;
  readonly cookieOptions: CookieOptions;
  readonly endpointOptions: EndpointOptions;
  readonly telemetry: boolean;
  readonly ports: Ports;
}

export type ClientContainer = Container;

/** Wires one client: a container of its own, so that two clients on a page share nothing. */
export function createContainer(settings: ClientSettings): ClientContainer {
  const { publicToken, origin, cookieOptions, endpointOptions, telemetry, ports } = settings;
  const container = new Container({ defaultScope: 'Singleton' });
  for (const name of Object.keys(t.PORTS) as (keyof Ports)[]) {
    container.bind<unknown>(t.PORTS[name]).toConstantValue(ports[name]);
  }
  container.bind(t.ALL_PORTS).toConstantValue(ports);
  container.bind(t.ORIGIN).toConstantValue(origin);
  container.bind(t.COOKIE_OPTIONS).toConstantValue(cookieOptions);
  container.bind(t.RISK_SETTINGS).toConstantValue({ ...endpointOptions, publicToken, telemetry });
  container.bind(t.KEYS).toConstantValue(new ClientKeys(publicToken));

  const { storage, cookies, clock, browser, crypto, log, transport } = t.PORTS;
  t.bindClass(container, t.COOKIES, SessionCookies, [cookies, clock, browser, t.COOKIE_OPTIONS]);
  t.bindClass(container, t.SESSIONS, SessionStore, [storage, t.COOKIES, t.KEYS]);
  t.bindClass(container, t.HEADERS, RequestHeaders, [t.KEYS, t.SESSIONS, t.ALL_PORTS]);
  t.bindClass(container, t.WIRE, WireClient, [transport, t.HEADERS, t.ORIGIN, browser]);
  t.bindClass(container, t.PROJECT, Project, [t.WIRE, storage, t.KEYS, log]);
  t.bindClass(container, t.RISK_SIGNALS, RiskSignals, [
    t.PROJECT,
    t.PORTS.captcha,
    t.PORTS.deviceTelemetry,
    t.RISK_SETTINGS,
  ]);
  t.bindClass(container, t.RISKY, RiskyCall, [t.WIRE, t.RISK_SIGNALS]);
  t.bindClass(container, t.AUTHENTICATED_CALL, AuthenticatedCall, [t.WIRE, t.SESSIONS]);
  t.bindClass(container, t.REFRESH_RECORD, RefreshRecord, [storage, t.KEYS]);
  t.bindClass(container, t.REFRESHER, SessionRefresher, [
    t.AUTHENTICATED_CALL,
    t.SESSIONS,
    t.REFRESH_RECORD,
    t.KEYS,
    t.ALL_PORTS,
  ]);
  t.bindClass(container, t.PROOF_KEYS, ProofKeys, [storage, crypto, t.KEYS]);
  if (telemetry) t.bindClass(container, t.EVENT_LOG, EventLog, [t.WIRE, t.HEADERS, t.KEYS, t.ALL_PORTS]);
  else container.bind(t.EVENT_LOG).toConstantValue(NO_EVENTS);
  bindUseCases(container);
  return container;
}

function bindUseCases(container: Container): void {
  const { browser, log, webauthn, oneTap } = t.PORTS;
  container.bind(t.OAUTH_SURROUNDINGS).toResolvedValue(
    (...[page, said, keys, project]: [BrowserPort, LogPort, ClientKeys, Project]) => ({
      browser: page,
      log: said,
      keys,
      project,
    }),
    [browser, log, t.KEYS, t.PROJECT],
  );
  t.bindClass(container, t.MAGIC_LINK_LOGIN, MagicLinkLogin, [t.RISKY, t.SESSIONS, t.PROOF_KEYS, t.PROJECT]);
  t.bindClass(container, t.OTP_LOGIN, OtpLogin, [t.RISKY, t.SESSIONS]);
  t.bindClass(container, t.PASSWORD_LOGIN, PasswordLogin, [t.RISKY, t.SESSIONS, t.PROOF_KEYS, t.PROJECT]);
  t.bindClass(container, t.OAUTH_LOGIN, OAuthLogin, [t.WIRE, t.SESSIONS, t.PROOF_KEYS, t.OAUTH_SURROUNDINGS]);
  t.bindClass(container, t.ONE_TAP_LOGIN, OneTapLogin, [t.WIRE, oneTap, t.PROOF_KEYS, t.OAUTH_SURROUNDINGS]);
  t.bindClass(container, t.WALLET_LOGIN, WalletLogin, [t.RISKY, t.SESSIONS, t.PROJECT, browser]);
  t.bindClass(container, t.TOTP_FACTOR, TotpFactor, [t.WIRE, t.SESSIONS]);
  t.bindClass(container, t.PASSKEY_CEREMONIES, PasskeyCeremonies, [t.RISKY, t.SESSIONS, webauthn, browser]);
  t.bindClass(container, t.SESSION_LIFECYCLE, SessionLifecycle, [t.WIRE, t.SESSIONS, t.AUTHENTICATED_CALL]);
  t.bindClass(container, t.USER_ACCOUNT, UserAccount, [t.WIRE, t.SESSIONS, t.RISKY]);
  t.bindClass(container, t.ACCESS_CONTROL, AccessControl, [t.PROJECT, t.SESSIONS, log]);
  t.bindClass(container, t.IDENTITY_PROVIDER, IdentityProvider, [t.WIRE]);
}
