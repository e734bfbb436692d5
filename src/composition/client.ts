import { RBACClient } from '../application/client/rbac-client.ts';
import type { EventSink } from '../application/telemetry/event-sink.ts';
import { SessionClient } from '../application/client/session-client.ts';
import { UserClient } from '../application/client/user-client.ts';
import { checkCookieOptions, type CookieOptions } from '../application/session/session-cookies.ts';
import type { Ports } from '../application/ports/index.ts';
import { apiOrigin, type EndpointOptions } from '../domain/endpoints.ts';
import { SDKUsageError } from '../domain/errors.ts';
import type { Session } from '../domain/session.ts';
import type { User } from '../domain/user.ts';
import { browserPorts } from './browser-ports.ts';
import { corePorts, createContainer, type ClientContainer, type ClientSettings } from './core.ts';
import type { Late } from './lazy/wire-lazy.ts';
import {
  onDemandClients,
  onDemandEvents,
  publicLogins,
  type OnDemandClients,
  type PublicLogins,
} from '../application/client/public-api.ts';
import { once } from './once.ts';
import { placeOf, type Place } from './one-of-its-token.ts';
import {
  ACCESS_CONTROL,
  PORTS,
  PROJECT,
  REFRESHER,
  SESSIONS,
  SESSION_LIFECYCLE,
  USER_ACCOUNT,
} from './lazy/container.ts';

/** How a client differs from the ordinary. */
export interface ClientOptions {
  readonly cookieOptions?: CookieOptions;
  readonly endpointOptions?: EndpointOptions;
  /** Adapters of your own, each in place of the one with the same name. */
  readonly adapters?: Partial<Ports>;
  /** `false` sends no event and no telemetry request at all. */
  readonly telemetry?: boolean;
}

const NO_BROWSER =
  'The Portico client runs in browsers. Elsewhere, construct it with an adapter for every port, such as those of portico/testing.';

function portsFor(own: Partial<Ports>): Pick<ClientSettings, 'ports' | 'own' | 'window'> {
  if (typeof window !== 'undefined' && typeof document !== 'undefined') {
    return { ports: browserPorts(window, own), own, window };
  }
  const complete = Object.keys(PORTS).every((name) => own[name as keyof Ports] !== undefined);
  if (!complete) throw new Error(NO_BROWSER);
  return { ports: corePorts(own as Ports), own, window: null };
}

/** What both streams hold, as far as it changed. */
export interface StateChange {
  readonly user?: User | null;
  readonly session?: Session | null;
}

/**
 * The authentication client without a user interface.
 *
 * Throws an `Error` outside a browser, unless every adapter is given, and an `SDKUsageError` for options that cannot be.
 */
export class PorticoClient {
  readonly user: UserClient & OnDemandClients['userEdits'];
  readonly session: SessionClient & OnDemandClients['sessionExchange'];
  readonly magicLinks: PublicLogins['magicLinks'];
  readonly otps: PublicLogins['otps'];
  readonly oauth: PublicLogins['oauth'];
  readonly passwords: OnDemandClients['passwords'];
  readonly totps: OnDemandClients['totps'];
  readonly webauthn: OnDemandClients['webauthn'];
  readonly cryptoWallets: OnDemandClients['cryptoWallets'];
  readonly impersonation: OnDemandClients['impersonation'];
  readonly rbac: RBACClient;
  readonly idp: OnDemandClients['idp'];
  readonly b2b: OnDemandClients['b2b'];
  /** The wiring; not part of the public surface. */
  protected readonly container: ClientContainer;
  /** Loads what a page does not need at its start. */
  protected readonly late: () => Promise<Late>;
  protected readonly events: EventSink;
  private readonly place: Place;

  /** @param publicToken the project's public token, such as `public-token-test-…` */
  constructor(publicToken: string, options: ClientOptions = {}) {
    if (typeof publicToken !== 'string') throw new SDKUsageError('PorticoClient', 'publicToken must be a string');
    const { cookieOptions = {}, endpointOptions = {}, adapters = {}, telemetry = true } = options;
    checkCookieOptions(cookieOptions);
    const found = portsFor(adapters);
    const { log, browser, clock } = found.ports;
    const { origin, problem } = apiOrigin(publicToken, endpointOptions);
    if (problem !== null) log.warn(problem);
    if (!publicToken.startsWith('public-token-')) log.warn('A public token starts with "public-token-".');
    this.place = placeOf(publicToken, browser, log);

    const settings = { publicToken, origin, cookieOptions, endpointOptions, telemetry, ...found };
    const container = createContainer(settings);
    this.container = container;
    const late = once(async () => (await import('./lazy/wire-lazy.ts')).wireLate(container, settings));
    this.late = () => {
      this.place.used();
      return late();
    };
    // What was logged goes out by itself: nobody need use the client for that.
    this.events = onDemandEvents(late, clock, telemetry);
    const sessions = container.get(SESSIONS);
    const parts = onDemandClients(this.late);
    const logins = publicLogins(parts);
    this.user = Object.assign(new UserClient(container.get(USER_ACCOUNT), sessions), parts.userEdits);
    this.session = Object.assign(new SessionClient(container.get(SESSION_LIFECYCLE), sessions), parts.sessionExchange);
    this.magicLinks = logins.magicLinks;
    this.otps = logins.otps;
    this.oauth = logins.oauth;
    this.passwords = parts.passwords;
    this.totps = parts.totps;
    this.webauthn = parts.webauthn;
    this.cryptoWallets = parts.cryptoWallets;
    this.impersonation = parts.impersonation;
    this.rbac = new RBACClient(container.get(ACCESS_CONTROL));
    this.idp = parts.idp;
    this.b2b = parts.b2b;

    void container.get(PROJECT).bootstrap();
    container.get(REFRESHER).start();
    this.events.start();
  }

  /** Calls back with what changed of user and session, from now on. Answers a function that ends it. */
  onStateChange(callback: (change: StateChange) => void): () => void {
    const ends = [
      this.user.onChange((user) => callback({ user })),
      this.session.onChange((session) => callback({ session })),
    ];
    return () => ends.forEach((end) => end());
  }

  /** Stops everything that this client started. The session stays. */
  destroy(): void {
    this.container.get(REFRESHER).stop();
    this.events.stop();
    this.container.get(PROJECT).destroy();
    this.container.get(SESSIONS).destroy();
    this.place.giveUp();
  }
}
