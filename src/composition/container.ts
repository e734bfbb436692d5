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
import * as t from './tokens.ts';

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
    container.bind<unknown>(t.PORTS[name]).toConstantValue(ports[name]);
  }
  container.bind(t.CORE_PORTS).toConstantValue(ports);
  container.bind(t.ORIGIN).toConstantValue(origin);
  container.bind(t.COOKIE_OPTIONS).toConstantValue(cookieOptions);
  container.bind(t.KEYS).toConstantValue(new ClientKeys(publicToken));

  const { storage, cookies, clock, browser, log, transport } = t.PORTS;
  t.bindClass(container, t.COOKIES, SessionCookies, [cookies, clock, browser, t.COOKIE_OPTIONS]);
  t.bindClass(container, t.SESSIONS, SessionStore, [storage, t.COOKIES, t.KEYS, clock]);
  t.bindClass(container, t.HEADERS, RequestHeaders, [t.KEYS, t.SESSIONS, t.CORE_PORTS]);
  t.bindClass(container, t.WIRE, WireClient, [transport, t.HEADERS, t.ORIGIN]);
  t.bindClass(container, t.PROJECT, Project, [t.WIRE, storage, t.KEYS, log, clock]);
  t.bindClass(container, t.AUTHENTICATED_CALL, AuthenticatedCall, [t.WIRE, t.SESSIONS]);
  t.bindClass(container, t.REFRESH_RECORD, RefreshRecord, [storage, t.KEYS]);
  const { AUTHENTICATED_CALL, SESSIONS, REFRESH_RECORD, KEYS, CORE_PORTS } = t;
  t.bindClass(container, t.REFRESHER, SessionRefresher, [
    AUTHENTICATED_CALL,
    SESSIONS,
    REFRESH_RECORD,
    KEYS,
    CORE_PORTS,
  ]);
  t.bindClass(container, t.SESSION_LIFECYCLE, SessionLifecycle, [t.WIRE, t.SESSIONS, t.AUTHENTICATED_CALL]);
  t.bindClass(container, t.USER_ACCOUNT, UserAccount, [t.WIRE, t.SESSIONS]);
  t.bindClass(container, t.ACCESS_CONTROL, AccessControl, [t.PROJECT, t.SESSIONS, log]);
  return container;
}
