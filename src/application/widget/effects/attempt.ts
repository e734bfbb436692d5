import { filter, takeUntil, type Observable } from 'rxjs';
import { toAuthError } from '../../../domain/errors.ts';
import type { EventOf, Intent, Outcome, WidgetEvent } from '../../../domain/screens/event.ts';
import type { EffectContext } from '../widget-store.ts';
import { whenReady } from './when-ready.ts';

/** The events of one type. */
export function ofType<Type extends WidgetEvent['type']>(events$: Observable<WidgetEvent>, type: Type) {
  return events$.pipe(filter((event): event is EventOf<Type> => event.type === type));
}

/**
 * What comes of an intent, as a stream that never errors: a rejection becomes a `failed` outcome. When the person goes
 * back first, nothing comes of it any more; when the widget is taken away first, `late` gets what came of it.
 */
export function attempt(
  events$: Observable<WidgetEvent>,
  asked: Intent,
  work: () => Promise<Outcome>,
  late?: EffectContext['late'],
) {
  const left$ = events$.pipe(filter(({ type }) => type === 'back'));
  const settled = (): Promise<Outcome> =>
    work().catch((thrown: unknown) => ({ type: 'failed', asked, error: toAuthError(thrown) }));
  return whenReady(settled, late).pipe(takeUntil(left$));
}
