import { filter, Observable, take, takeUntil } from 'rxjs';
import { SDKAPIUnreachableError, toAuthError } from '../../../domain/errors.ts';
import type { EventOf, Intent, Outcome, WidgetEvent } from '../../../domain/screens/event.ts';
import type { EffectContext } from '../widget-store.ts';

/** The events of some types. */
export function ofType<Type extends WidgetEvent['type']>(events$: Observable<WidgetEvent>, ...types: readonly Type[]) {
  return events$.pipe(filter((event): event is EventOf<Type> => (types as readonly string[]).includes(event.type)));
}

/**
 * Work whose results come as a stream, and which does not reject. Its signal is aborted once nobody listens; what it tells
 * after that goes to `late`, if that is given.
 */
export function working<T>(
  work: (tell: (result: T) => void, signal: AbortSignal) => Promise<void>,
  late?: (result: T) => void,
): Observable<T> {
  return new Observable((subscriber) => {
    const unwanted = new AbortController();
    const run = async (): Promise<void> => {
      await work((result) => (subscriber.closed ? late?.(result) : subscriber.next(result)), unwanted.signal);
      subscriber.complete();
    };
    void run();
    return () => unwanted.abort();
  });
}

/** What a promise that never rejects brings, as a stream; otherwise as `working`. */
export function whenReady<T>(begin: (signal: AbortSignal) => Promise<T>, late?: (result: T) => void): Observable<T> {
  return working(async (tell, signal) => tell(await begin(signal)), late);
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

/** A text that the widget needs of a reply. Throws when it is missing: the client itself does not check it. */
export function needed(value: unknown): string {
  if (typeof value !== 'string') throw new SDKAPIUnreachableError('invalid-response');
  return value;
}

/** Returns a function that tells whether the person has started nothing else since this call. */
export function lastAct({ events$, getState }: EffectContext): () => boolean {
  let isLast = true;
  events$
    .pipe(
      filter(({ type }) => type === getState().pending),
      take(1),
    )
    .subscribe(() => {
      isLast = false;
    });
  return () => isLast;
}
