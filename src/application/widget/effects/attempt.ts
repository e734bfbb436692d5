import { filter, Observable, takeUntil } from 'rxjs';
import { toAuthError } from '../../../domain/errors.ts';
import type { EventOf, Intent, Outcome, WidgetEvent } from '../../../domain/screens/event.ts';

/** The events of one type. */
export function ofType<Type extends WidgetEvent['type']>(events$: Observable<WidgetEvent>, type: Type) {
  return events$.pipe(filter((event): event is EventOf<Type> => event.type === type));
}

/** What a promise that never rejects brings, as a stream: nothing more once nobody listens. */
export function whenReady<T>(begin: () => Promise<T>): Observable<T> {
  return new Observable((subscriber) => {
    const bring = async (): Promise<void> => {
      subscriber.next(await begin());
      subscriber.complete();
    };
    void bring();
  });
}

/**
 * What comes of an intent, as a stream that never errors: a rejection becomes a `failed` outcome. When the person goes
 * back first, nothing comes of it any more.
 */
export function attempt(events$: Observable<WidgetEvent>, asked: Intent, work: () => Promise<Outcome>) {
  const left$ = events$.pipe(filter(({ type }) => type === 'back'));
  const settled = (): Promise<Outcome> =>
    work().catch((thrown: unknown) => ({ type: 'failed', asked, error: toAuthError(thrown) }));
  return whenReady(settled).pipe(takeUntil(left$));
}
