import { Observable } from 'rxjs';
import { checkCallback } from '#domain/shape.ts';

/**
 * Emits a part of each value of a source that does not fail, whenever that part differs from the one before. This one function is smaller
 * than RxJS's operators, which matters at the start of a page.
 *
 * @param isSame compares two values; by default their parts
 */
export function changesOf<T, Part>(
  source$: Observable<T>,
  part: (value: T) => Part,
  isSame = (a: T, b: T): boolean => part(a) === part(b),
): Observable<Part> {
  return new Observable((subscriber) => {
    let last: readonly [T] | undefined;
    return source$.subscribe({
      next: (value) => {
        if (last && isSame(last[0], value)) return;
        last = [value];
        subscriber.next(part(value));
      },
      complete: () => subscriber.complete(),
    });
  });
}

/** Calls back with every value but the present one: `onChange` of the client. Returns a function that unsubscribes. */
export function onLaterValue<T>(source$: Observable<T>, callback: (value: T) => void): () => void {
  checkCallback('onChange', callback);
  let isLater = false;
  const subscription = source$.subscribe((value) => {
    if (isLater) callback(value);
  });
  isLater = true;
  return () => subscription.unsubscribe();
}
