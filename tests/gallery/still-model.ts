import { BehaviorSubject } from 'rxjs';
import type { WidgetModel } from '#application/widget/widget-model.ts';
import type { Intent } from '#domain/screens/event.ts';
import { later } from '#domain/later.ts';
import { reduce } from '#domain/screens/reduce.ts';
import type { WidgetState } from '#domain/screens/widget-state.ts';

/**
 * A widget whose time stands still and whose server never answers; what somebody asks for is taken in by the reducer. What
 * the first state knows of a password holds for every one that is typed.
 */
export function stillModel(initial: WidgetState, now: number): WidgetModel {
  const states = new BehaviorSubject(initial);
  const take = (intent: Intent): WidgetState => {
    const next = reduce(states.value, intent);
    if (intent.type !== 'password/edited' || initial.strength === null) return next;
    return { ...next, strength: { ...initial.strength, check: intent.check } };
  };
  return {
    state$: states.asObservable(),
    clock: { now: () => now, after: () => () => {} },
    getState: () => states.value,
    send: (intent) => states.next(take(intent)),
    rules: later(async () => ({})),
  };
}
