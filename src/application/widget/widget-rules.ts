import { isHeldBack, isSigningIn } from '#domain/screens/events.ts';
import { reduce } from '#domain/screens/reduce.ts';
import { hostReporter } from './effects/host-reports.ts';

/** Handles all events of a widget. It loads with the effects; until then `firstState` suffices. */
export const widgetRules = { reduce, isHeldBack, isSigningIn, hostReporter } as const;
export type WidgetRules = typeof widgetRules;
