import { publicApi, type PublicApi } from '#application/client/public-api.ts';
import { codeLoad, missingFiles } from '#domain/code-loads.ts';
import { SessionClient } from '#application/client/session-client.ts';
import type { Ports } from '#application/ports/index.ts';
import type { LateServices, StartServices } from '#application/services.ts';
import { checkCookieOptions, type CookieOptions } from '#application/session/cookie-options.ts';
import { eventsTo } from '#application/telemetry/event-sink.ts';
import type { AccessControl } from '#application/use-cases/sessions/access-control.ts';
import { ProjectUpkeep } from '#application/use-cases/project/project-upkeep.ts';
import type { UserAccount } from '#application/use-cases/account/user-account.ts';
import { apiOrigin, type EndpointOptions } from '#domain/project/endpoints.ts';
import { SDKUsageError } from '#domain/errors.ts';
import { later } from '#domain/later.ts';
import { checkArguments, checkCallback, type Shape } from '#domain/shape.ts';
import { checkNames } from '#domain/widget/option-names.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';
import { browserPorts } from './browser-ports.ts';
import { PORTS, wireCore, type ClientSettings } from './core.ts';
import { positionOf, type ClientPosition } from './duplicate-clients.ts';

/** Options of a client. */
export interface ClientOptions {
  /** The names and the scope of the session's cookies. */
  readonly cookieOptions?: CookieOptions;
  /**
   * The origin of your own server, for test and live tokens alike, such as `https://auth.example.com`: the hosted service unless
   * given. Without a scheme it is https, and http for a name of this machine. A value that is undefined or not an origin throws.
   */
  readonly apiUrl?: string;
  /**
   * `true` accepts an `apiUrl` with http on other hosts than this machine, such as `http://192.168.1.20:4100`, for development. Everyone in
   * the network can then read passwords and sessions, so it needs a test token (`public-token-test-…`). It has no effect on https and on
   * this machine.
   */
  readonly allowHttp?: boolean;
  /** The hosts of the server by the wire's names. `apiUrl` replaces its first two; the others are for device telemetry. */
  readonly endpointOptions?: EndpointOptions;
  /** Your adapters; each replaces the adapter with the same name. */
  readonly adapters?: Partial<Ports>;
  /** `false` sends no event and no telemetry request at all. Default: true. */
  readonly telemetry?: boolean;
  /**
   * `true` if your site asks for the fields and terms that a login lacks: its reply then has `mfa.profile`. Ask in your own form, or send
   * the person to a page with the login widget. Without it, a login that lacks some is refused with the address of the page that asks
   * (`profile_required`). A page that shows the login widget does not need it. Default: false.
   */
  readonly asksProfile?: boolean;
}

const NO_BROWSER = 'The Portico client runs in browsers. Elsewhere it needs an adapter for every port.';

function portsFor(own: Partial<Ports>, origin: string): Pick<ClientSettings, 'ports' | 'own' | 'window'> {
  if (typeof window !== 'undefined' && typeof document !== 'undefined') {
    return { ports: browserPorts(window, own, origin), own, window };
  }
  const names = Object.keys(PORTS) as (keyof Ports)[];
  if (!names.every((name) => own[name] !== undefined)) throw new Error(NO_BROWSER);
  const atStart = names.filter((name) => PORTS[name] === 'start').map((name) => [name, own[name]]);
  return { ports: Object.fromEntries(atStart), own, window: null };
}

/** Options whose names and types are checked here; `apiOrigin` and `checkCookieOptions` check the members and the addresses. */
const SHAPE = { allowHttp: 'boolean?', telemetry: 'boolean?', asksProfile: 'boolean?' } as const satisfies Shape;
const OPTIONS: readonly (keyof ClientOptions)[] = [
  'apiUrl',
  'allowHttp',
  'cookieOptions',
  'endpointOptions',
  'adapters',
  'telemetry',
  'asksProfile',
];

/** The new values of the user and the session; a member that did not change is absent. */
export interface StateChange {
  readonly user?: User | null;
  readonly session?: Session | null;
}

/**
 * The authentication client without a user interface.
 *
 * Throws an `Error` outside a browser, unless every adapter is given, and an `SDKUsageError` for invalid options.
 */
export class PorticoClient {
  declare readonly user: UserAccount & PublicApi['user'];
  declare readonly session: SessionClient & PublicApi['session'];
  declare readonly magicLinks: PublicApi['magicLinks'];
  declare readonly otps: PublicApi['otps'];
  declare readonly oauth: PublicApi['oauth'];
  declare readonly passwords: PublicApi['passwords'];
  declare readonly totps: PublicApi['totps'];
  /** The second factor of a login, and the browsers that need none. Not in the reference client. */
  declare readonly mfa: PublicApi['mfa'];
  /** The fields and terms that the project asks its users for. Not in the reference client. */
  declare readonly profile: PublicApi['profile'];
  declare readonly webauthn: PublicApi['webauthn'];
  declare readonly cryptoWallets: PublicApi['cryptoWallets'];
  declare readonly impersonation: PublicApi['impersonation'];
  declare readonly rbac: AccessControl;
  declare readonly idp: PublicApi['idp'];
  declare readonly b2b: PublicApi['b2b'];
  /** The wiring; not part of the public surface. */
  protected readonly core: StartServices;
  protected readonly place: ClientPosition;

  /** @param publicToken the project's public token, such as `public-token-test-…` */
  constructor(publicToken: string, options: ClientOptions = {}) {
    checkNames('options:', options, OPTIONS);
    checkArguments('PorticoClient', SHAPE, options);
    const { cookieOptions = {}, endpointOptions = {}, adapters = {}, telemetry = true, asksProfile } = options;
    checkNames('adapters:', adapters, Object.keys(PORTS));
    for (const [name, adapter] of Object.entries(adapters)) {
      if (typeof (adapter ?? {}) !== 'object')
        throw new SDKUsageError('PorticoClient', `adapters.${name} must be an object`);
    }
    checkCookieOptions(cookieOptions);
    // A blank often comes with pasting.
    const token = typeof publicToken === 'string' ? publicToken.trim() : publicToken;
    const origin = apiOrigin(token, options);
    const found = portsFor(adapters, origin);
    const { log, browser, clock } = found.ports;
    missingFiles.log = log;
    if (!token.startsWith('public-token-')) {
      codeLoad(import('./lazy/explain-token.ts'))
        .then(({ sentenceForForm }) => log.warn(sentenceForForm(token)))
        .catch(() => undefined);
    }
    this.place = positionOf(token, browser, log);

    /**
     * Logs the cause of a failed request for the developer; the caller has the error. If its file cannot be loaded, there is no
     * explanation.
     */
    const onFailure = (cause: unknown): void => {
      codeLoad(import('./lazy/explain-failure.ts'))
        .then(({ explainFailure }) => explainFailure(cause, settings))
        .catch(() => undefined);
    };
    const settings: ClientSettings = {
      publicToken: token,
      origin,
      cookieOptions,
      endpointOptions,
      telemetry,
      onFailure,
      ...found,
    };
    const rest = later<LateServices>(async () => {
      const { wireLazy } = await codeLoad(import('./lazy/wire-lazy.ts'));
      return wireLazy(core, settings);
    });
    const late = (): Promise<LateServices> => {
      this.place.used();
      return rest.load();
    };
    const core = wireCore(settings, { events: telemetry ? eventsTo(rest) : null, late });
    this.core = core;
    core.wire.asksProfile = asksProfile;

    const api = publicApi(late);
    Object.assign(this, api, {
      user: Object.assign(core.account, api.user),
      session: Object.assign(new SessionClient(core.lifecycle, core.sessions), api.session),
      rbac: core.access,
    });

    new ProjectUpkeep(core.project, browser, clock).start();
    core.project.told$.subscribe(({ error }) => {
      if (error) onFailure(error);
    });
    void core.project.bootstrap();
    core.refresher.start();
  }

  /** Calls back with every later change of user and session. Returns a function that unsubscribes. */
  onStateChange(callback: (change: StateChange) => void): () => void {
    checkCallback('onStateChange', callback);
    const ends = [
      this.user.onChange((user) => callback({ user })),
      this.session.onChange((session) => callback({ session })),
    ];
    return () => ends.forEach((end) => end());
  }

  /** Stops all activity of this client. The session stays. */
  destroy(): void {
    this.core.refresher.stop();
    this.core.events?.stop();
    this.core.project.destroy();
    this.core.sessions.destroy();
    this.place.giveUp();
  }
}
