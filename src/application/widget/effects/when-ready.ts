import { Observable } from 'rxjs';

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
