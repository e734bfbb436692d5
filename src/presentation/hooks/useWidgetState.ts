import { useCallback, useSyncExternalStore } from 'react';
import type { WidgetModel } from '../../application/widget/widget-model.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';

/** The widget's present state; renders again on every change. */
export function useWidgetState(model: WidgetModel): WidgetState {
  const subscribe = useCallback(
    (changed: () => void) => {
      const subscription = model.state$.subscribe(changed);
      return () => subscription.unsubscribe();
    },
    [model],
  );
  const getState = useCallback(() => model.getState(), [model]);
  return useSyncExternalStore(subscribe, getState);
}
