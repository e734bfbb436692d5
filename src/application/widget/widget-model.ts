import type { Observable } from 'rxjs';
import type { Intent } from '../../domain/screens/event.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import type { ClockPort } from '../ports/index.ts';

/** The widget as the screens see it: its state, a method to send intents, and the time. */
export interface WidgetModel {
  /** The current state, then every change. */
  readonly state$: Observable<WidgetState>;
  readonly clock: ClockPort;
  getState(): WidgetState;
  send(intent: Intent): void;
}
