import { MagicLinksClient } from '../application/client/magic-links-client.ts';
import { OtpsClient } from '../application/client/otps-client.ts';
import { SessionClient } from '../application/client/session-client.ts';
import { UserClient } from '../application/client/user-client.ts';
import { checkCookieOptions, type CookieOptions } from '../application/session/session-cookies.ts';
import type { Ports } from '../application/ports/index.ts';
import { apiOrigin, type EndpointOptions } from '../domain/endpoints.ts';
import { SDKUsageError } from '../domain/errors.ts';
import { browserPorts } from './browser-ports.ts';
import { createContainer, type ClientContainer } from './container.ts';
import * as t from './tokens.ts';

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

function portsFor(own: Partial<Ports>): Ports {
  if (typeof window !== 'undefined' && typeof document !== 'undefined') return browserPorts(window, own);
  const complete = Object.keys(t.PORTS).every((name) => own[name as keyof Ports] !== undefined);
  if (!complete) throw new Error(NO_BROWSER);
  return own as Ports;
}

/**
 * The authentication client without a user interface.
 *
 * Throws an `Error` outside a browser, unless every adapter is given, and an `SDKUsageError` for options that cannot be.
 */
export class PorticoClient {
  readonly magicLinks: MagicLinksClient;
  readonly otps: OtpsClient;
  readonly session: SessionClient;
  readonly user: UserClient;
  /** The wiring; not part of the public surface. */
  protected readonly container: ClientContainer;

  /** @param publicToken the project's public token, such as `public-token-test-…` */
  constructor(publicToken: string, options: ClientOptions = {}) {
    if (typeof publicToken !== 'string') throw new SDKUsageError('PorticoClient', 'publicToken must be a string');
    const { cookieOptions = {}, endpointOptions, adapters = {} } = options;
    checkCookieOptions(cookieOptions);
    const ports = portsFor(adapters);
    const { origin, problem } = apiOrigin(publicToken, endpointOptions);
    if (problem !== null) ports.log.warn(problem);
    if (!publicToken.startsWith('public-token-')) ports.log.warn('A public token starts with "public-token-".');

    const telemetry = options.telemetry !== false;
    this.container = createContainer({ publicToken, origin, cookieOptions, telemetry, ports });
    const sessions = this.container.get(t.SESSIONS);
    this.magicLinks = new MagicLinksClient(this.container.get(t.MAGIC_LINK_LOGIN));
    this.otps = new OtpsClient(this.container.get(t.OTP_LOGIN));
    this.session = new SessionClient(this.container.get(t.SESSION_LIFECYCLE), sessions);
    this.user = new UserClient(this.container.get(t.USER_ACCOUNT), sessions);
    void this.container.get(t.PROJECT).bootstrap();
    this.container.get(t.REFRESHER).start();
  }

  /** Stops everything that this client started. The session stays. */
  destroy(): void {
    this.container.get(t.REFRESHER).stop();
    this.container.get(t.EVENT_LOG).flush();
    this.container.get(t.SESSIONS).destroy();
  }
}
