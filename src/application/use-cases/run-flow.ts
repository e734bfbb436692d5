import {
  concat,
  concatMap,
  defer,
  EMPTY,
  from,
  map,
  merge,
  mergeMap,
  of,
  Subject,
  switchMap,
  take,
  type Observable,
} from 'rxjs';
import { isPrivateUseUri } from '../../domain/safe-url.ts';
import { transition, type FlowTable, type LeavingEvent } from '../../domain/screens/flow-table.ts';
import type { Outcome, WidgetEvent } from '../../domain/screens/event.ts';
import type { BrowserPort } from '../ports/index.ts';

/** Runs a table: takes events, emits the resulting state, and performs its commands; a new command ends the previous one. */
export function runFlow<
  State extends { readonly at: string },
  Event extends { readonly type: string },
  Command extends object,
>(
  table: FlowTable<State, Event, Command>,
  initial: State,
  events$: Observable<Event | WidgetEvent>,
  perform: (command: Command) => Observable<Event>,
): Observable<Outcome> {
  return defer(() => {
    let state = initial;
    const commands = new Subject<Command>();
    const results = new Subject<Event>();
    return merge(
      commands.pipe(
        switchMap(perform),
        concatMap((event) => {
          results.next(event);
          return EMPTY;
        }),
      ),
      merge(results, events$).pipe(
        concatMap((event) => {
          const { state: next, outcomes = [], command } = transition(table, state, event);
          state = next;
          const performed = defer(() => {
            if (command) commands.next(command);
            return EMPTY;
          });
          return concat(from(outcomes), performed);
        }),
      ),
    );
  });
}

/** Navigates to an address in the server's reply. A native app opens beside the page, which stays. */
export function leaveFor(browser: BrowserPort, url: string): Observable<LeavingEvent> {
  try {
    browser.navigate(url);
  } catch (error) {
    return of({ type: 'unsafe', error });
  }
  if (isPrivateUseUri(url)) return of({ type: 'returned' });
  return browser.leaves$.pipe(
    take(1),
    mergeMap(() => browser.wakes$),
    take(1),
    map(() => ({ type: 'returned' })),
  );
}
