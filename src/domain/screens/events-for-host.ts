import type { HostEvent } from '../widget/host-events.ts';
import type { WidgetEvent } from './event.ts';
import { rowOf } from './events.ts';
import { COMPLETE } from './first-state.ts';
import type { ScreenName } from './screen.ts';

/** The part of a login's reply that decides whether the login is complete. */
interface LoginReply {
  readonly session?: unknown;
  readonly intermediate_session_token?: unknown;
}

/** The host events for a widget event, in order. `screen` is the screen after the event. */
export function hostEvents(event: WidgetEvent, screen: ScreenName): readonly HostEvent[] {
  const { host, login } = rowOf(event.type);
  if (host === undefined) return [];
  if (typeof host === 'function') return host(event as never, screen);
  const data: LoginReply = 'reply' in event ? event.reply : {};
  // A login is complete unless the server requires another factor.
  const isComplete = login && (data.session || !data.intermediate_session_token);
  return isComplete ? [{ type: host, data }, COMPLETE] : [{ type: host, data }];
}
