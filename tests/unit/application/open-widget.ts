import type { SessionStore } from '../../../src/application/session/session-store.ts';
import { NO_EVENTS } from '../../../src/application/telemetry/event-sink.ts';
import '../../../src/application/widget/effects/consent.ts';
import '../../../src/application/widget/effects/login-effects.ts';
import '../../../src/application/widget/effects/passkey-registration.ts';
import '../../../src/application/widget/effects/telling.ts';
import { LoginWidget } from '../../../src/application/widget/login-widget.ts';
import type { MountedWidget, WidgetOptions, WidgetParts } from '../../../src/application/widget/mounted-widget.ts';
import { corePorts, createContainer } from '../../../src/composition/core.ts';
import { wireLate } from '../../../src/composition/lazy/wire-lazy.ts';
import * as t from '../../../src/composition/lazy/container.ts';
import { widgetParts } from '../../../src/composition/widget-parts.ts';
import type { AuthError } from '../../../src/domain/errors.ts';
import type { HostEvent } from '../../../src/domain/host-events.ts';
import type { LoginConfig } from '../../../src/domain/widget-config.ts';
import { TestWorld, TOKEN } from './world.ts';

interface Settings {
  readonly world?: TestWorld;
  readonly telemetry?: boolean;
  /** The address of the page. */
  readonly href?: string;
  /** What the host listens to before it shows the widget. */
  readonly before?: (sessions: SessionStore) => void;
  /** The server's origin. */
  readonly origin?: string;
}

/** One widget without its looks, over fakes and the server in memory. What the server says is set in its world before. */
export function openWidget<Widget extends MountedWidget>(
  make: (parts: WidgetParts, options: WidgetOptions) => Widget,
  config: LoginConfig,
  {
    world = new TestWorld(),
    telemetry = true,
    href = 'http://localhost:3000/',
    origin = 'https://test.example',
    before,
  }: Settings = {},
) {
  const ports = world.tab(href);
  const settings = {
    publicToken: TOKEN,
    origin,
    cookieOptions: {},
    endpointOptions: {},
    telemetry,
    ports: corePorts(ports),
    own: ports,
    window: null,
  };
  const container = createContainer(settings);
  const late = wireLate(container, settings);
  container.get(t.REFRESHER).start();
  const heard: HostEvent[] = [];
  const errors: AuthError[] = [];
  const callbacks = {
    onEvent: (event: HostEvent) => void heard.push(event),
    onError: (error: AuthError) => void errors.push(error),
  };
  before?.(container.get(t.SESSIONS));
  const parts = widgetParts(container, async () => late, telemetry ? late.eventLog : NO_EVENTS);
  const widget = make(parts, { config, callbacks });
  const { store } = widget;
  return {
    world,
    ports,
    parts,
    widget,
    store,
    heard,
    errors,
    clients: late.clients,
    screen: () => store.getState().screen,
    sessions: container.get(t.SESSIONS),
  };
}

export function openLogin(config: LoginConfig, settings?: Settings) {
  return openWidget((parts, options) => new LoginWidget(parts, options), config, settings);
}
