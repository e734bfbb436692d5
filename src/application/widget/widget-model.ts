import type { Observable } from 'rxjs';
import type { Later } from '#domain/later.ts';
import type { Intent } from '#domain/screens/event.ts';
import type { WidgetState } from '#domain/screens/widget-state.ts';
import type { ClockPort } from '../ports/index.ts';

/** The widget as the screens see it: its state, a method to send intents, and the time. */
export interface WidgetModel {
  /** The current state, then every change. */
  readonly state$: Observable<WidgetState>;
  readonly clock: ClockPort;
  /** The code that every screen but the first needs. */
  readonly rules: Pick<Later<unknown>, 'value' | 'load'>;
  getState(): WidgetState;
  send(intent: Intent): void;
}
