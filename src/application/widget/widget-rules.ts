import { isHeldBack, isSigningIn, loggable } from '#domain/screens/events.ts';
import { hostEvents } from '#domain/screens/events-for-host.ts';
import { reduce } from '#domain/screens/reduce.ts';
import type { HostEvent } from '#domain/widget/host-events.ts';
import type { Services } from '../services.ts';
import type { WidgetOptions } from './widget-options.ts';
import type { Step } from './widget-store.ts';

/**
 * Reports the events of a widget, except errors, to the event log and the host.
 *
 * @param tell notifies the host
 */
function hostReporter(
  { events }: Services<'events'>,
  options: () => WidgetOptions,
  tell: (event: HostEvent) => void,
): (step: Step) => void {
  return ({ event, before, after }) => {
    const logged = loggable(event);
    if (logged) events?.note(logged, before.screen, options().config);
    for (const hostEvent of hostEvents(event, after.screen.name)) tell(hostEvent);
  };
}

/** Handles all events of a widget. It loads with the effects; until then `firstState` suffices. */
export const widgetRules = { reduce, isHeldBack, isSigningIn, hostReporter } as const;
export type WidgetRules = typeof widgetRules;
