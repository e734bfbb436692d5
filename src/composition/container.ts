import { Container } from 'inversify';
import type { Ports } from '../application/ports/index.ts';
import { AuthenticatedCall } from '../application/session/authenticated-call.ts';
import { ClientKeys } from '../application/session/client-keys.ts';
import { ProofKeys } from '../application/session/proof-keys.ts';
import { RefreshRecord } from '../application/session/refresh-record.ts';
import { SessionCookies, type CookieOptions } from '../application/session/session-cookies.ts';
import { SessionRefresher } from '../application/session/session-refresher.ts';
import { SessionStore } from '../application/session/session-store.ts';
import { EventLog, NO_EVENTS } from '../application/telemetry/event-log.ts';
import { MagicLinkLogin } from '../application/use-cases/magic-link-login.ts';
import { OtpLogin } from '../application/use-cases/otp-login.ts';
import { Project } from '../application/use-cases/project.ts';
import { SessionLifecycle } from '../application/use-cases/session-lifecycle.ts';
import { UserAccount } from '../application/use-cases/user-account.ts';
import { RequestHeaders } from '../application/wire/request-headers.ts';
import { WireClient } from '../application/wire/wire-client.ts';
import * as t from './tokens.ts';

/** What distinguishes one client from another. */
export interface ClientSettings {
  readonly publicToken: string;
  /** The server's origin. */
  readonly origin: string;
  readonly cookieOptions: CookieOptions;
  readonly telemetry: boolean;
  readonly ports: Ports;
}

export type ClientContainer = Container;

/** Wires one client: a container of its own, so that two clients on a page share nothing. */
export function createContainer({
  publicToken,
  origin,
  cookieOptions,
  telemetry,
  ports,
}: ClientSettings): ClientContainer {
  const container = new Container({ defaultScope: 'Singleton' });
  for (const name of Object.keys(t.PORTS) as (keyof Ports)[]) {
    container.bind<unknown>(t.PORTS[name]).toConstantValue(ports[name]);
  }
  container.bind(t.ALL_PORTS).toConstantValue(ports);
  container.bind(t.ORIGIN).toConstantValue(origin);
  container.bind(t.COOKIE_OPTIONS).toConstantValue(cookieOptions);
  container.bind(t.KEYS).toConstantValue(new ClientKeys(publicToken));

  const { storage, cookies, clock, browser, crypto, log, transport } = t.PORTS;
  t.bindClass(container, t.COOKIES, SessionCookies, [cookies, clock, browser, t.COOKIE_OPTIONS]);
  t.bindClass(container, t.SESSIONS, SessionStore, [storage, t.COOKIES, t.KEYS]);
  t.bindClass(container, t.HEADERS, RequestHeaders, [t.KEYS, t.SESSIONS, t.ALL_PORTS]);
  t.bindClass(container, t.WIRE, WireClient, [transport, t.HEADERS, t.ORIGIN]);
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
  if (telemetry) t.bindClass(container, t.EVENT_LOG, EventLog, [t.WIRE, t.HEADERS, clock, t.KEYS]);
  else container.bind(t.EVENT_LOG).toConstantValue(NO_EVENTS);

  t.bindClass(container, t.PROJECT, Project, [t.WIRE, storage, t.KEYS, log]);
  t.bindClass(container, t.MAGIC_LINK_LOGIN, MagicLinkLogin, [t.WIRE, t.SESSIONS, t.PROOF_KEYS, t.PROJECT]);
  t.bindClass(container, t.OTP_LOGIN, OtpLogin, [t.WIRE, t.SESSIONS]);
  t.bindClass(container, t.SESSION_LIFECYCLE, SessionLifecycle, [t.WIRE, t.SESSIONS, t.AUTHENTICATED_CALL]);
  t.bindClass(container, t.USER_ACCOUNT, UserAccount, [t.WIRE, t.SESSIONS]);
  return container;
}
