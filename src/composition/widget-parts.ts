import type { EventSink } from '../application/telemetry/event-sink.ts';
import type { WidgetParts } from '../application/widget/mounted-widget.ts';
import type { ClientContainer } from './container.ts';
import type { Late } from './late-container.ts';
import * as t from './tokens.ts';

/** What a client's widgets stand on. */
export function widgetParts(container: ClientContainer, late: () => Promise<Late>, eventLog: EventSink): WidgetParts {
  const keys = container.get(t.KEYS);
  const { storage, tabStorage, browser, clock, log } = t.PORTS;
  return {
    logins: async () => (await late()).logins,
    publicToken: keys.publicToken,
    origin: container.get(t.ORIGIN),
    keys,
    project: container.get(t.PROJECT),
    sessions: container.get(t.SESSIONS),
    lifecycle: container.get(t.SESSION_LIFECYCLE),
    account: container.get(t.USER_ACCOUNT),
    refresher: container.get(t.REFRESHER),
    eventLog,
    storage: container.get(storage),
    tabStorage: container.get(tabStorage),
    browser: container.get(browser),
    clock: container.get(clock),
    log: container.get(log),
  };
}
