import { Observable, Subject, Subscription } from 'rxjs';
import { toAuthError } from '../../../domain/errors.ts';
import type { Intent, Outcome, WidgetEvent } from '../../../domain/screens/event.ts';
import type { Effect } from '../widget-store.ts';

/**
 * Effects whose code is loaded beside the form: what happens before it is there waits for it, in order. When it cannot
 * be loaded, what waits has failed, and the next event tries again.
 */
export function lateEffects(load: () => Promise<readonly Effect[]>): Effect {
  return ({ events$, ...context }) =>
    new Observable<Outcome>((subscriber) => {
      const running = new Subscription();
      const live = new Subject<WidgetEvent>();
      let waiting: WidgetEvent[] | null = [];
      let loading = false;

      const begin = async (): Promise<void> => {
        loading = true;
        try {
          const effects = await load();
          if (running.closed) return;
          for (const effect of effects) {
            running.add(effect({ ...context, events$: live }).subscribe((outcome) => subscriber.next(outcome)));
          }
          const early = waiting ?? [];
          waiting = null;
          for (const event of early) live.next(event);
        } catch (thrown) {
          const failed = waiting ?? [];
          waiting = [];
          loading = false;
          const error = toAuthError(thrown);
          for (const asked of failed) {
            if (asked.type === context.getState().pending)
              subscriber.next({ type: 'failed', asked: asked as Intent, error });
          }
        }
      };

      running.add(
        events$.subscribe((event) => {
          if (waiting === null) {
            live.next(event);
            return;
          }
          waiting.push(event);
          if (!loading) void begin();
        }),
      );
      void begin();
      return running;
    });
}
