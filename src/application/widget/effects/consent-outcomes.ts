import { from, map, mergeMap, of, take, type Observable } from 'rxjs';
import type { Consent } from '../../../domain/consent.ts';
import { toAuthError } from '../../../domain/errors.ts';
import { isPrivateUseUri } from '../../../domain/safe-url.ts';
import type { Outcome } from '../../../domain/screens/event.ts';
import type { BrowserPort } from '../../ports/index.ts';

export const stands = (consent: Consent): Outcome => ({ type: 'consent/changed', consent });

/** The host hears of it. */
export const reported = (thrown: unknown): Outcome => ({ type: 'reported', error: toAuthError(thrown) });

/** The error screen with what the server said, and the host hears of it. */
export function failedWith(thrown: unknown, canRetry: boolean): readonly Outcome[] {
  const error = toAuthError(thrown);
  return [stands({ status: 'error', error, canRetry }), { type: 'reported', error }];
}

/**
 * Leaves for an address of the server's reply. Where that is not one to go to, the error screen shows. Who comes back to
 * this very page, as the back button does, finds it at `after`: what was decided is not to be decided again.
 */
export function leaveFor(browser: BrowserPort, url: string, after: Consent): Observable<Outcome> {
  try {
    browser.navigate(url);
  } catch (error) {
    return from([stands({ status: 'error', error: null, canRetry: false }), reported(error)]);
  }
  // An app opens beside the page, which stays.
  if (isPrivateUseUri(url)) return of(stands(after));
  return browser.leaves$.pipe(
    take(1),
    mergeMap(() => browser.wakes$),
    take(1),
    map(() => stands(after)),
  );
}
