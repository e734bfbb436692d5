import { BehaviorSubject } from 'rxjs';
import type { WidgetModel } from '../../src/application/widget/widget-model.ts';
import { reduce, type WidgetState } from '../../src/domain/screens/widget-state.ts';

/** A widget whose time stands still and whose server never answers; what somebody asks for is taken in by the reducer. */
export function stillModel(initial: WidgetState, now: number): WidgetModel {
  const states = new BehaviorSubject(initial);
  return {
    state$: states.asObservable(),
    clock: { now: () => now, after: () => () => {} },
    getState: () => states.value,
    send: (intent) => states.next(reduce(states.value, intent)),
  };
}
