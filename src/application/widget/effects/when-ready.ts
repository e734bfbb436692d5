import { Observable } from 'rxjs';

/** What a promise that never rejects brings, as a stream. Once nobody listens, `late` gets it, if that is given. */
export function whenReady<T>(begin: () => Promise<T>, late?: (brought: T) => void): Observable<T> {
  return new Observable((subscriber) => {
    const bring = async (): Promise<void> => {
      const brought = await begin();
      if (subscriber.closed) late?.(brought);
      subscriber.next(brought);
      subscriber.complete();
    };
    void bring();
  });
}
