import { BehaviorSubject, Subject, Subscription, type Observable } from 'rxjs';
import type { Intent, Outcome, WidgetEvent } from '#domain/screens/event.ts';
import { firstState } from '#domain/screens/first-state.ts';
import { interrupts } from '#domain/screens/submits.ts';
import type { Later } from '#domain/later.ts';
import type { isHeldBack } from '#domain/screens/events.ts';
import type { reduce } from '#domain/screens/reduce.ts';
import type { WidgetState } from '#domain/screens/widget-state.ts';
import type { ClockPort } from '../ports/index.ts';
import type { WidgetModel } from './widget-model.ts';

/** The context of an effect: the events, after the state has processed them. */
export interface EffectContext {
  readonly events$: Observable<WidgetEvent>;
  readonly getState: () => WidgetState;
  /** Runs what is added once, just before the widget is destroyed: the last moment at which an effect can emit. */
  readonly leaving: Pick<Subscription, 'add'>;
  /** Reports an outcome that arrived after the widget was destroyed: the host still receives it. */
  readonly late: (outcome: Outcome) => void;
}

/** Turns intents into outcomes through use cases, or sends an intent again. Its stream neither errors nor needs to end. */
export type Effect<Sent extends WidgetEvent = Outcome> = (context: EffectContext) => Observable<Sent>;

/** An event, and the states before and after it. */
export interface Step {
  readonly event: WidgetEvent;
  readonly before: WidgetState;
  readonly after: WidgetState;
}

/** The function that handles every event. */
export interface Rules {
  readonly reduce: typeof reduce;
  readonly isHeldBack: typeof isHeldBack;
}

/** One mounted widget: intents in, states out. */
export class WidgetStore implements WidgetModel {
  private readonly events = new Subject<WidgetEvent>();
  /** The events, after the state has processed them. */
  private readonly processed = new Subject<WidgetEvent>();
  private readonly states: BehaviorSubject<WidgetState>;
  private readonly steps = new Subject<Step>();
  private readonly leaving = new Subscription();
  private readonly running = new Subscription();

  readonly state$: Observable<WidgetState>;
  /** Every event, after the state has processed it. */
  readonly step$: Observable<Step> = this.steps.asObservable();

  /** @param rules loaded with the first event that `firstState` cannot handle */
  constructor(
    readonly clock: ClockPort,
    initial: WidgetState,
    readonly rules: Later<Rules>,
  ) {
    this.states = new BehaviorSubject(initial);
    this.state$ = this.states.asObservable();
    this.running.add(this.events.subscribe((event) => this.receive(event)));
  }

  /** Starts the effects. They receive an event after the state, so none of them sees a state older than its event. */
  run(effects: readonly Effect<WidgetEvent>[]): void {
    const context: EffectContext = {
      events$: this.processed,
      getState: () => this.getState(),
      leaving: this.leaving,
      late: (event) => {
        const after = this.getState();
        if (this.running.closed && event.type !== 'failed') this.steps.next({ event, before: after, after });
      },
    };
    for (const effect of effects) this.running.add(effect(context).subscribe((outcome) => this.events.next(outcome)));
  }

  getState(): WidgetState {
    return this.states.value;
  }

  send(intent: Intent): void {
    const state = this.getState();
    const rules = this.rules.value();
    const isDropped = rules?.isHeldBack(state, intent) ?? (state.pending !== null && interrupts(intent.type));
    if (!isDropped) this.events.next(intent);
  }

  /**
   * Ends every effect and the state stream. A host often removes a login as soon as there is a session, so the reply to a pending login is
   * reported after that (`EffectContext.late`).
   */
  destroy(): void {
    // A host that hears of the last outcomes may destroy the widget again.
    if (this.leaving.closed) return;
    this.leaving.unsubscribe();
    this.running.unsubscribe();
    this.states.complete();
  }

  /** An event that `firstState` cannot handle waits for the rules, in order. By then it may be too late. */
  private receive(event: WidgetEvent): void {
    const state = this.getState();
    const first = this.rules.value() === null ? firstState(state, event) : null;
    if (first !== null) {
      this.process(event, state, first);
      return;
    }
    this.rules.pass(
      (rules) => {
        const before = this.getState();
        if (!rules.isHeldBack(before, event)) this.process(event, before, rules.reduce(before, event));
      },
      () => undefined,
    );
    if (this.rules.value() === null) this.rules.load().catch(() => undefined);
  }

  private process(event: WidgetEvent, before: WidgetState, after: WidgetState): void {
    if (after !== before) this.states.next(after);
    this.steps.next({ event, before, after });
    this.processed.next(event);
  }
}
