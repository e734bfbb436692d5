import type { Observable } from 'rxjs';
import type { Intent } from '../../domain/screens/event.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import type { ClockPort } from '../ports/index.ts';

/** What the screens see of a widget: its state, a way to say what the person asked for, and the time. */
export interface WidgetModel {
  /** The present state at once, then every change. */
  readonly state$: Observable<WidgetState>;
  readonly clock: ClockPort;
  getState(): WidgetState;
  send(intent: Intent): void;
}
