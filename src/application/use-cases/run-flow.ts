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
import { isPrivateUseUri } from '#domain/safe-url.ts';
import { transition, type FlowTable, type LeavingEvent } from '#domain/screens/flow-table.ts';
import type { Outcome, WidgetEvent } from '#domain/screens/event.ts';
import type { BrowserPort } from '../ports/index.ts';

/** The place of a flow's state. */
export interface FlowPlace<State> {
  readonly read: () => State;
  /** Writes the next state. A widget's store does nothing here: the returned outcomes write its state. */
  readonly write: (next: State) => readonly Outcome[];
}

/** A place outside a widget's store, for the flows of consent, because an authorization can also run without a widget. */
export function ownPlace<State>(initial: State): FlowPlace<State> {
  let state = initial;
  return {
    read: () => state,
    write: (next) => {
      state = next;
      return [];
    },
  };
}

/** Runs a table: reads events, writes the resulting state, and performs its commands. A new command ends the previous one. */
export function runFlow<
  State extends { readonly at: string },
  Event extends { readonly type: string },
  Command extends object,
>(
  table: FlowTable<State, Event, Command>,
  place: FlowPlace<State>,
  events$: Observable<Event | WidgetEvent>,
  perform: (command: Command) => Observable<Event>,
): Observable<Outcome> {
  return defer(() => {
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
          const state = place.read();
          const { state: next, outcomes = [], command } = transition(table, state, event);
          const stateOutcomes = next === state ? [] : place.write(next);
          const performed = defer(() => {
            if (command) commands.next(command);
            return EMPTY;
          });
          return concat(from([...stateOutcomes, ...outcomes]), performed);
        }),
      ),
    );
  });
}

/** Navigates to the URL in the server's reply. A native app opens in addition to the page, which stays. */
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
