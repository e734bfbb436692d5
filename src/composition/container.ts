import { Container } from 'inversify';
import type { Ports } from '../application/ports/index.ts';
import { AuthenticatedCall } from '../application/session/authenticated-call.ts';
import { ClientKeys } from '../application/session/client-keys.ts';
import { RefreshRecord } from '../application/session/refresh-record.ts';
import { SessionCookies, type CookieOptions } from '../application/session/session-cookies.ts';
import { SessionRefresher } from '../application/session/session-refresher.ts';
import { SessionStore } from '../application/session/session-store.ts';
import { AccessControl } from '../application/use-cases/access-control.ts';
import { Project } from '../application/use-cases/project.ts';
import { SessionLifecycle } from '../application/use-cases/session-lifecycle.ts';
import { UserAccount } from '../application/use-cases/user-account.ts';
import { RequestHeaders } from '../application/wire/request-headers.ts';
import { WireClient } from '../application/wire/wire-client.ts';
import type { EndpointOptions } from '../domain/endpoints.ts';
import {
  ACCESS_CONTROL,
  AUTHENTICATED_CALL,
  COOKIES,
  COOKIE_OPTIONS,
  CORE_PORTS,
  HEADERS,
  KEYS,
  ORIGIN,
  PORTS,
  PROJECT,
  REFRESHER,
  REFRESH_RECORD,
  SESSIONS,
  SESSION_LIFECYCLE,
  USER_ACCOUNT,
  WIRE,
  bindClass,
} from './tokens.ts';

/** The ports that no page needs at its start. */
export type LatePorts = Pick<
  Ports,
  'webauthn' | 'captcha' | 'deviceTelemetry' | 'oneTap' | 'outbox' | 'phone' | 'passwordStrength' | 'wallet'
>;
export type CorePorts = Omit<Ports, keyof LatePorts>;

/** The other ones. */
export function corePorts({
  transport,
  storage,
  tabStorage,
  cookies,
  clock,
  crypto,
  lock,
  browser,
  log,
}: Ports): CorePorts {
  return { transport, storage, tabStorage, cookies, clock, crypto, lock, browser, log };
}

/** What distinguishes one client from another. */
export interface ClientSettings {
  readonly publicToken: string;
  /** The server's origin. */
  readonly origin: string;
  readonly cookieOptions: CookieOptions;
  readonly endpointOptions: EndpointOptions;
  readonly telemetry: boolean;
  /** Every port that a page needs at its start. */
  readonly ports: CorePorts;
  /** What the host brought, the late ports among it. */
  readonly own: Partial<Ports>;
  /** Where the real late adapters find their globals; null where the host brought them all. */
  readonly window: (Window & typeof globalThis) | null;
}

export type ClientContainer = Container;

/** Wires one client's core: a container of its own, so that two clients on a page share nothing. */
export function createContainer({ publicToken, origin, cookieOptions, ports }: ClientSettings): ClientContainer {
  const container = new Container({ defaultScope: 'Singleton' });
  for (const name of Object.keys(ports) as (keyof CorePorts)[]) {
    container.bind<unknown>(PORTS[name]).toConstantValue(ports[name]);
  }
  container.bind(CORE_PORTS).toConstantValue(ports);
  container.bind(ORIGIN).toConstantValue(origin);
  container.bind(COOKIE_OPTIONS).toConstantValue(cookieOptions);
  container.bind(KEYS).toConstantValue(new ClientKeys(publicToken));

  const { storage, cookies, clock, browser, log, transport } = PORTS;
  bindClass(container, COOKIES, SessionCookies, [cookies, clock, browser, COOKIE_OPTIONS]);
  bindClass(container, SESSIONS, SessionStore, [storage, COOKIES, KEYS, clock]);
  bindClass(container, HEADERS, RequestHeaders, [KEYS, SESSIONS, CORE_PORTS]);
  bindClass(container, WIRE, WireClient, [transport, HEADERS, ORIGIN, SESSIONS]);
  bindClass(container, PROJECT, Project, [WIRE, storage, KEYS, log, clock]);
  bindClass(container, AUTHENTICATED_CALL, AuthenticatedCall, [WIRE, SESSIONS]);
  bindClass(container, REFRESH_RECORD, RefreshRecord, [storage, KEYS]);
  bindClass(container, REFRESHER, SessionRefresher, [AUTHENTICATED_CALL, SESSIONS, REFRESH_RECORD, KEYS, CORE_PORTS]);
  bindClass(container, SESSION_LIFECYCLE, SessionLifecycle, [WIRE, SESSIONS, AUTHENTICATED_CALL]);
  bindClass(container, USER_ACCOUNT, UserAccount, [WIRE, SESSIONS]);
  bindClass(container, ACCESS_CONTROL, AccessControl, [PROJECT, SESSIONS, log]);
  return container;
}
