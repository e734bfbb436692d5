import type { LateServices, StartServices } from '#application/services.ts';
import { codeLoad } from '#domain/code-loads.ts';
import type { Ports } from '#application/ports/index.ts';
import { ClientKeys } from '#application/wire/client-keys.ts';
import { cookiePlace, type CookieOptions } from '#application/session/cookie-options.ts';
import { SessionStore } from '#application/session/session-store.ts';
import { SessionWatch } from '#application/session/session-watch.ts';
import { AccessControl } from '#application/use-cases/sessions/access-control.ts';
import { Project } from '#application/use-cases/project/project.ts';
import { UserAccount } from '#application/use-cases/account/user-account.ts';
import { WireClient } from '#application/wire/wire-client.ts';
import type { EndpointOptions } from '#domain/project/endpoints.ts';
import type { SDKAPIUnreachableError } from '#domain/errors.ts';
import { later, methodsOf } from '#domain/later.ts';

/** The options that distinguish one client from another. */
export interface ClientSettings {
  readonly publicToken: string;
  /** The server's origin. */
  readonly origin: string;
  readonly cookieOptions: CookieOptions;
  readonly endpointOptions: EndpointOptions;
  readonly telemetry: boolean;
  /** The ports that a page needs at its start. */
  readonly ports: Pick<StartServices, keyof StartServices & keyof Ports>;
  /** The adapters that the host provides. */
  readonly own: Partial<Ports>;
  /** Called with the error of each request without a usable answer. */
  readonly onFailure: (error: SDKAPIUnreachableError) => void;
  /** The globals of the real adapters; null if the host provides every adapter. */
  readonly window: (Window & typeof globalThis) | null;
}

/** Every port by its public name, and when a page needs it. */
export const PORTS: {
  readonly [Name in keyof Ports]: Name extends keyof LateServices ? 'lazy' : Name extends 'lock' ? 'session' : 'start';
} = {
  transport: 'start',
  storage: 'start',
  tabStorage: 'start',
  cookies: 'start',
  clock: 'start',
  crypto: 'start',
  lock: 'session',
  browser: 'start',
  log: 'start',
  webauthn: 'lazy',
  captcha: 'lazy',
  deviceTelemetry: 'lazy',
  oneTap: 'lazy',
  outbox: 'lazy',
  phone: 'lazy',
  passwordStrength: 'lazy',
  wallet: 'lazy',
  formPost: 'lazy',
};

/**
 * The composition root of the code that is loaded with the page. Each client has its own instances: two clients on a page
 * share only what the browser stores. Code that loads later is wired in `lazy/wire-lazy.ts`; `rest` leads to it.
 */
export function wireCore(settings: ClientSettings, rest: Pick<StartServices, 'events' | 'late'>): StartServices {
  const { publicToken, origin, cookieOptions, ports, onFailure } = settings;
  const { storage, tabStorage, cookies, clock, browser, log } = ports;
  const keys = new ClientKeys(publicToken);
  const place = cookiePlace(cookieOptions, browser.hostname);
  const sessions = new SessionStore(storage, cookies, clock, keys, place);
  // A login ends the step that a reload of this tab would return to, no matter where in the app it happens.
  sessions.session$.subscribe((session) => {
    if (session !== null) tabStorage.remove(keys.storage('step'));
  });
  const wire = new WireClient(ports, keys, sessions, origin, onFailure, (isAsked) =>
    isAsked || project.lastKnown().hasSteps
      ? codeLoad(import('#application/session/login-binding.ts')).then(
          ({ LoginBinding }) =>
            new LoginBinding(
              ports,
              keys,
              place,
              () => project.lastKnown().mfa?.trusted_device_days ?? null,
              wire,
              sessions.steps$,
            ),
        )
      : null,
  );
  const project = new Project(wire, storage, keys, log, clock);
  const session = later(async () =>
    codeLoad(import('./wire-session.ts')).then(({ wireSession }) => wireSession(settings, wire, sessions, keys)),
  );
  return {
    ...ports,
    ...rest,
    keys,
    sessions,
    wire,
    project,
    refresher: new SessionWatch(session, sessions, ports),
    lifecycle: methodsOf(async () => (await session.load()).lifecycle),
    account: new UserAccount(wire, sessions),
    access: new AccessControl(project, sessions, log),
  };
}
