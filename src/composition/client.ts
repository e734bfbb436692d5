import { CryptoWalletsClient } from '../application/client/crypto-wallets-client.ts';
import { IDPClient } from '../application/client/idp-client.ts';
import { ImpersonationClient } from '../application/client/impersonation-client.ts';
import { OAuthClient } from '../application/client/oauth-client.ts';
import { PasswordsClient } from '../application/client/passwords-client.ts';
import { RBACClient } from '../application/client/rbac-client.ts';
import { TOTPsClient } from '../application/client/totps-client.ts';
import { WebauthnClient } from '../application/client/webauthn-client.ts';
import { MagicLinksClient } from '../application/client/magic-links-client.ts';
import { OtpsClient } from '../application/client/otps-client.ts';
import { SessionClient } from '../application/client/session-client.ts';
import { UserClient } from '../application/client/user-client.ts';
import { checkCookieOptions, type CookieOptions } from '../application/session/session-cookies.ts';
import type { Ports } from '../application/ports/index.ts';
import { apiOrigin, telemetryOrigins, type EndpointOptions } from '../domain/endpoints.ts';
import { SDKUsageError } from '../domain/errors.ts';
import type { Session } from '../domain/session.ts';
import type { User } from '../domain/user.ts';
import { browserPorts } from './browser-ports.ts';
import { createContainer, type ClientContainer } from './container.ts';
import type { LazySettings } from './lazy-ports.ts';
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

function portsFor(own: Partial<Ports>, settings: LazySettings): Ports {
  if (typeof window !== 'undefined' && typeof document !== 'undefined') return browserPorts(window, own, settings);
  const complete = Object.keys(t.PORTS).every((name) => own[name as keyof Ports] !== undefined);
  if (!complete) throw new Error(NO_BROWSER);
  return own as Ports;
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
  readonly user: UserClient;
  readonly session: SessionClient;
  readonly magicLinks: MagicLinksClient;
  readonly otps: OtpsClient;
  readonly oauth: ReturnType<typeof OAuthClient.create>;
  readonly passwords: PasswordsClient;
  readonly totps: TOTPsClient;
  readonly webauthn: WebauthnClient;
  readonly cryptoWallets: CryptoWalletsClient;
  readonly impersonation: ImpersonationClient;
  readonly rbac: RBACClient;
  readonly idp: IDPClient;
  /** The wiring; not part of the public surface. */
  protected readonly container: ClientContainer;
  private readonly giveUpToken: (() => void) | null;

  /** @param publicToken the project's public token, such as `public-token-test-…` */
  constructor(publicToken: string, options: ClientOptions = {}) {
    if (typeof publicToken !== 'string') throw new SDKUsageError('PorticoClient', 'publicToken must be a string');
    const { cookieOptions = {}, endpointOptions = {}, adapters = {}, telemetry = true } = options;
    checkCookieOptions(cookieOptions);
    const ports = portsFor(adapters, { publicToken, cdnOrigin: telemetryOrigins(endpointOptions).cdn });
    const { origin, problem } = apiOrigin(publicToken, endpointOptions);
    if (problem !== null) ports.log.warn(problem);
    if (!publicToken.startsWith('public-token-')) ports.log.warn('A public token starts with "public-token-".');
    this.giveUpToken = ports.browser.claim(publicToken);
    if (this.giveUpToken === null)
      ports.log.warn('Another client on this page has the same public token; one is enough.');

    const container = createContainer({ publicToken, origin, cookieOptions, endpointOptions, telemetry, ports });
    this.container = container;
    const sessions = container.get(t.SESSIONS);
    const lifecycle = container.get(t.SESSION_LIFECYCLE);
    this.user = new UserClient(container.get(t.USER_ACCOUNT), sessions);
    this.session = new SessionClient(lifecycle, sessions);
    this.magicLinks = new MagicLinksClient(container.get(t.MAGIC_LINK_LOGIN));
    this.otps = new OtpsClient(container.get(t.OTP_LOGIN));
    this.oauth = OAuthClient.create(container.get(t.OAUTH_LOGIN), container.get(t.ONE_TAP_LOGIN));
    this.passwords = new PasswordsClient(container.get(t.PASSWORD_LOGIN));
    this.totps = new TOTPsClient(container.get(t.TOTP_FACTOR));
    this.webauthn = new WebauthnClient(container.get(t.PASSKEY_CEREMONIES));
    this.cryptoWallets = new CryptoWalletsClient(container.get(t.WALLET_LOGIN));
    this.impersonation = new ImpersonationClient(lifecycle);
    this.rbac = new RBACClient(container.get(t.ACCESS_CONTROL));
    this.idp = new IDPClient(container.get(t.IDENTITY_PROVIDER));

    void container.get(t.PROJECT).bootstrap();
    container.get(t.REFRESHER).start();
    container.get(t.EVENT_LOG).start();
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
    this.container.get(t.REFRESHER).stop();
    this.container.get(t.EVENT_LOG).stop();
    this.container.get(t.SESSIONS).destroy();
    this.giveUpToken?.();
  }
}
