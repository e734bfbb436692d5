import { filter, Observable, take, takeUntil } from 'rxjs';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import { toAuthError } from '#domain/thrown.ts';
import type { EventOf, Intent, Outcome, WidgetEvent } from '#domain/screens/event.ts';
import type { EffectContext } from '../widget-store.ts';

/** The events of some types. */
export function ofType<Type extends WidgetEvent['type']>(events$: Observable<WidgetEvent>, ...types: readonly Type[]) {
  return events$.pipe(filter((event): event is EventOf<Type> => (types as readonly string[]).includes(event.type)));
}

/**
 * Runs work that emits its results as a stream and does not reject. Its signal is aborted when the stream has no subscriber;
 * later results go to `late`, if it is given.
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

/** The result of a promise that never rejects, as a stream; otherwise like `working`. */
export function whenReady<T>(begin: (signal: AbortSignal) => Promise<T>, late?: (result: T) => void): Observable<T> {
  return working(async (tell, signal) => tell(await begin(signal)), late);
}

/**
 * The outcomes of an intent, as a stream that never errors: a rejection becomes a `failed` outcome. The work can emit outcomes before
 * its last one. When the user goes back first, the outcome is dropped. When the widget is removed first, `late` receives it.
 */
export function attempt(
  events$: Observable<WidgetEvent>,
  intent: Intent,
  work: (tell: (outcome: Outcome) => void, signal: AbortSignal) => Promise<Outcome>,
  late?: EffectContext['late'],
) {
  const left$ = events$.pipe(filter(({ type }) => type === 'back'));
  const settled = (...args: Parameters<typeof work>): Promise<Outcome> =>
    work(...args).catch((error: unknown) => ({ type: 'failed', asked: intent, error: toAuthError(error) }));
  return working<Outcome>(async (tell, signal) => tell(await settled(tell, signal)), late).pipe(takeUntil(left$));
}

/** A required string of a reply. Throws when it is missing, because the client does not check replies. */
export function needed(value: unknown): string {
  if (typeof value !== 'string') throw new SDKAPIUnreachableError('invalid-response');
  return value;
}

/** Returns a function that returns true until the user starts another action. */
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
