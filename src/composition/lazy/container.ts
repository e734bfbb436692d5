import type { Container } from 'inversify';
import type { CorePorts } from '../core.ts';
import type { Ports } from '../../application/ports/index.ts';
import type { AuthenticatedCall } from '../../application/session/authenticated-call.ts';
import type { ClientKeys } from '../../application/session/client-keys.ts';
import type { RefreshRecord } from '../../application/session/refresh-record.ts';
import type { CookieOptions, SessionCookies } from '../../application/session/session-cookies.ts';
import type { SessionRefresher } from '../../application/session/session-refresher.ts';
import type { SessionStore } from '../../application/session/session-store.ts';
import type { AccessControl } from '../../application/use-cases/access-control.ts';
import type { Project } from '../../application/use-cases/project.ts';
import type { SessionLifecycle } from '../../application/use-cases/session-lifecycle.ts';
import type { UserAccount } from '../../application/use-cases/user-account.ts';
import type { RequestHeaders } from '../../application/wire/request-headers.ts';
import type { WireClient } from '../../application/wire/wire-client.ts';

/** A name under which the container holds a `T`; the constructor type makes `container.get` infer it. */
export type Token<T> = symbol & (abstract new (...args: never[]) => T);

export const token = <T>(name: string): Token<T> => Symbol(name) as Token<T>;

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

export const PROJECT = token<Project>('project');
export const SESSION_LIFECYCLE = token<SessionLifecycle>('sessionLifecycle');
export const USER_ACCOUNT = token<UserAccount>('userAccount');
export const ACCESS_CONTROL = token<AccessControl>('accessControl');

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
