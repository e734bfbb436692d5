import type { Outcome, WidgetEvent } from './event.ts';

/** The result of an event: the next state, the outcomes to report, and the command to run. */
export interface Transition<State, Command> {
  readonly state: State;
  readonly outcomes?: readonly Outcome[];
  readonly command?: Command;
}

/** A flow as a table: for each state and event, the transition. An event that a state's row does not list changes nothing. */
export type FlowTable<State extends { readonly at: string }, Event extends { readonly type: string }, Command> = {
  readonly [At in State['at']]: {
    readonly [Type in Event['type']]?: (
      state: Extract<State, { readonly at: At }>,
      event: Extract<Event, { readonly type: Type }>,
    ) => Transition<State, Command>;
  };
};

/** Looks up the transition for an event. */
export function transition<State extends { readonly at: string }, Event extends { readonly type: string }, Command>(
  table: FlowTable<State, Event, Command>,
  state: State,
  event: Event | WidgetEvent,
): Transition<State, Command> {
  const row = table[state.at as State['at']] as Readonly<Record<string, unknown>>;
  const move = Object.hasOwn(row, event.type) ? row[event.type] : undefined;
  return typeof move === 'function'
    ? (move as (state: State, event: Event | WidgetEvent) => Transition<State, Command>)(state, event)
    : { state };
}

/** The events of leaving the page: the person came back to it, or the URL was not safe to open. */
export type LeavingEvent = { readonly type: 'returned' } | { readonly type: 'unsafe'; readonly error: unknown };
