import { loggable } from '../../../domain/screens/events.ts';
import { hostEvents } from '../../../domain/screens/events-for-host.ts';
import type { Session } from '../../../domain/sessions/session.ts';
import type { Services } from '../../services.ts';
import type { WidgetOptions } from '../widget-options.ts';
import type { HostEvent } from '../host-event.ts';
import type { Step } from '../widget-store.ts';

/** The sessions whose beginning a widget has already reported to its host. */
const completed = new WeakSet<Session>();

/** Tells the event log and the host what has happened in a widget. */
export function makeHostReporter(
  { sessions, events, log }: Services<'sessions' | 'events' | 'log'>,
  options: () => WidgetOptions,
  isGone: () => boolean,
): (step: Step) => void {
  /** Calls the host back. An exception is logged and goes no further. */
  const safely = (callback: () => void): void => {
    try {
      callback();
    } catch (error) {
      log.error('A callback of the widget threw.', error);
    }
  };

  return ({ event, before, after }) => {
    const { callbacks, config } = options();
    const logged = loggable(event);
    if (logged) events?.note(logged, before.screen, config);
    const isLate = isGone();
    const { session } = sessions.state();
    for (const hostEvent of hostEvents(event, after.screen.name)) {
      if (hostEvent.type === 'AUTHENTICATE_FLOW_COMPLETE' && session !== null) {
        // The widget that replaced this one has already reported the session.
        if (isLate && completed.has(session)) continue;
        completed.add(session);
      }
      safely(() => callbacks.onEvent?.(hostEvent as HostEvent));
    }
    if (event.type === 'failed' || event.type === 'reported') safely(() => callbacks.onError?.(event.error));
  };
}
