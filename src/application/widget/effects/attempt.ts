import { filter, takeUntil, type Observable } from 'rxjs';
import { toAuthError } from '../../../domain/errors.ts';
import type { EventOf, Intent, Outcome, WidgetEvent } from '../../../domain/screens/event.ts';
import { whenReady } from './when-ready.ts';

/** The events of one type. */
export function ofType<Type extends WidgetEvent['type']>(events$: Observable<WidgetEvent>, type: Type) {
  return events$.pipe(filter((event): event is EventOf<Type> => event.type === type));
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
