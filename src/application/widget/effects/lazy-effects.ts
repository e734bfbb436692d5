import { Observable, Subject, Subscription } from 'rxjs';
import { SDKAPIUnreachableError } from '../../../domain/errors.ts';
import type { Intent, Outcome, WidgetEvent } from '../../../domain/screens/event.ts';
import type { Effect } from '../widget-store.ts';

/** What happens by itself, and asks for nothing. */
const ASKS_FOR_NOTHING: ReadonlySet<WidgetEvent['type']> = new Set<WidgetEvent['type']>([
  'bootstrap/loaded',
  'bootstrap/changed',
  'session/checking',
  'failed',
]);

/**
 * Effects whose code is loaded when `wanted$` emits or when something happens that they may have to answer, whichever is
 * first. What happens before it is there waits for it, in order. When it cannot be loaded, what waits has failed, and the
 * next event tries again.
 */
export function lazyEffects(load: () => Promise<readonly Effect[]>, wanted$: Observable<void>): Effect {
  return ({ events$, ...context }) =>
    new Observable<Outcome>((subscriber) => {
      const running = new Subscription();
      const live = new Subject<WidgetEvent>();
      let waiting: WidgetEvent[] | null = [];
      let hasBegun = false;

      const begin = async (): Promise<void> => {
        if (hasBegun) return;
        hasBegun = true;
        try {
          const effects = await load();
          if (running.closed) return;
          for (const effect of effects) {
            running.add(effect({ ...context, events$: live }).subscribe((outcome) => subscriber.next(outcome)));
          }
          const early = waiting ?? [];
          waiting = null;
          for (const event of early) live.next(event);
        } catch (cause) {
          const failed = waiting ?? [];
          waiting = [];
          hasBegun = false;
          const error = new SDKAPIUnreachableError('network');
          error.cause = cause;
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
          if (!ASKS_FOR_NOTHING.has(event.type)) void begin();
        }),
      );
      running.add(wanted$.subscribe(() => void begin()));
      return running;
    });
}
