import { publicApi } from '#application/client/public-api.ts';
import type { LateServices, StartServices } from '#application/services.ts';
import type { SessionStore } from '#application/session/session-store.ts';
import { eventsTo } from '#application/telemetry/event-sink.ts';
import '#application/widget/effects/account/account.ts';
import '#application/widget/effects/consent/consent.ts';
import '#application/widget/effects/login-effects.ts';
import '#application/widget/effects/explain-options.ts';
import '#application/widget/effects/passkeys/passkey-registration.ts';
import '#application/widget/widget-rules.ts';
import { loginWidget, type MountedWidget } from '#application/widget/widgets.ts';
import type { WidgetOptions } from '#application/widget/widget-options.ts';
import { wireCore } from '#composition/core.ts';
import { wireLazy } from '#composition/lazy/wire-lazy.ts';
import { ProjectUpkeep } from '#application/use-cases/project/project-upkeep.ts';
import { later } from '#domain/later.ts';
import type { AuthError } from '#domain/errors.ts';
import type { HostEvent } from '#domain/widget/host-events.ts';
import type { FakeTab } from '#kit/fake-world.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { TestWorld, TOKEN } from './world.ts';

interface Settings {
  readonly world?: TestWorld;
  readonly telemetry?: boolean;
  /** The tab that loads its page again; a new one unless given. */
  readonly tab?: FakeTab;
  /** The address of the page. */
  readonly href?: string;
  /** What the host listens to before it shows the widget. */
  readonly before?: (sessions: SessionStore) => void;
  /** How the rest of the client is loaded; at once unless given. Nothing asks for it then but what happens in the widget. */
  readonly load?: (there: LateServices) => Promise<LateServices>;
  /** The server's origin. */
  readonly origin?: string;
}

/** One widget without its looks, over fakes and the server in memory. What the server says is set in its world before. */
export function openWidget<Widget extends MountedWidget>(
  make: (services: StartServices, options: WidgetOptions) => Widget,
  config: LoginConfig,
  {
    world = new TestWorld(),
    telemetry = true,
    href = 'http://localhost:3000/',
    origin = 'https://test.example',
    before,
    load,
    tab,
  }: Settings = {},
) {
  const ports = tab ?? world.tab(href);
  const settings = {
    publicToken: TOKEN,
    origin,
    cookieOptions: {},
    endpointOptions: {},
    onFailure: () => undefined,
    telemetry,
    ports,
    own: ports,
    window: null,
  };
  const rest = later<LateServices>(async () => {
    const there = wireLazy(services, settings);
    return load ? load(there) : there;
  });
  const services = wireCore(settings, {
    events: telemetry ? eventsTo(rest) : null,
    late: async () => rest.load(),
  });
  services.refresher.start();
  new ProjectUpkeep(services.project, ports.browser, ports.clock).start();
  const heard: HostEvent[] = [];
  const errors: AuthError[] = [];
  const callbacks = {
    onEvent: (event: HostEvent) => void heard.push(event),
    onError: (error: AuthError) => void errors.push(error),
  };
  before?.(services.sessions);
  const widget = make(services, { config, callbacks });
  // As in a page that has been idle.
  if (load === undefined) widget.prepare();
  const { store } = widget;
  return {
    world,
    ports,
    services,
    widget,
    store,
    heard,
    errors,
    api: publicApi(services.late),
    screen: () => store.getState().screen,
    sessions: services.sessions,
  };
}

export function openLogin(config: LoginConfig, settings?: Settings) {
  return openWidget((services, options) => loginWidget(services, options), config, settings);
}
