import type { EventSink } from '../application/telemetry/event-sink.ts';
import type { WidgetParts } from '../application/widget/mounted-widget.ts';
import type { ClientContainer } from './core.ts';
import type { Late } from './lazy/wire-lazy.ts';
import {
  KEYS,
  ORIGIN,
  PORTS,
  PROJECT,
  REFRESHER,
  SESSIONS,
  SESSION_LIFECYCLE,
  USER_ACCOUNT,
} from './lazy/container.ts';

/** What a client's widgets stand on. */
export function widgetParts(container: ClientContainer, late: () => Promise<Late>, eventLog: EventSink): WidgetParts {
  const keys = container.get(KEYS);
  const { storage, tabStorage, browser, clock, log } = PORTS;
  return {
    logins: async () => (await late()).logins,
    publicToken: keys.publicToken,
    origin: container.get(ORIGIN),
    keys,
    project: container.get(PROJECT),
    sessions: container.get(SESSIONS),
    lifecycle: container.get(SESSION_LIFECYCLE),
    account: container.get(USER_ACCOUNT),
    refresher: container.get(REFRESHER),
    eventLog,
    storage: container.get(storage),
    tabStorage: container.get(tabStorage),
    browser: container.get(browser),
    clock: container.get(clock),
    log: container.get(log),
  };
}
