import { BehaviorSubject, Subject, Subscription, type Observable } from 'rxjs';
import type { Intent, Outcome, WidgetEvent } from '../../domain/screens/event.ts';
import { rowOf } from '../../domain/screens/events.ts';
import { INITIAL_STATE, reduce, type WidgetState } from '../../domain/screens/widget-state.ts';
import type { ClockPort } from '../ports/index.ts';
import type { WidgetModel } from './widget-model.ts';

/** The context of an effect: the events, after the state has processed them. */
export interface EffectContext {
  readonly events$: Observable<WidgetEvent>;
  readonly getState: () => WidgetState;
  /** Emits once, just before the widget is destroyed: the last moment at which an effect can emit. */
  readonly leaves$: Observable<void>;
  /** Reports an outcome that arrived after the widget was destroyed: the host still receives it. */
  readonly late: (outcome: Outcome) => void;
}

/** Turns intents into outcomes through use cases. Its stream neither errors nor needs to end. */
export type Effect = (context: EffectContext) => Observable<Outcome>;

/** An event, and the states before and after it. */
export interface Step {
  readonly event: WidgetEvent;
  readonly before: WidgetState;
  readonly after: WidgetState;
}

/** One mounted widget: intents in, states out. */
export class WidgetStore implements WidgetModel {
  private readonly events = new Subject<WidgetEvent>();
  private readonly states: BehaviorSubject<WidgetState>;
  private readonly steps = new Subject<Step>();
  private readonly leaving = new Subject<void>();
  private readonly running = new Subscription();

  readonly state$: Observable<WidgetState>;
  /** Every event, after the state has processed it. */
  readonly step$: Observable<Step> = this.steps.asObservable();

  constructor(
    readonly clock: ClockPort,
    initial: WidgetState = INITIAL_STATE,
  ) {
    this.states = new BehaviorSubject(initial);
    this.state$ = this.states.asObservable();
    this.running.add(
      this.events.subscribe((event) => {
        const before = this.getState();
        const after = reduce(before, event);
        if (after !== before) this.states.next(after);
        this.steps.next({ event, before, after });
      }),
    );
  }

  /** Starts the effects; the reducer is already listening, so none of them sees a state older than its event. */
  run(effects: readonly Effect[]): void {
    const context: EffectContext = {
      events$: this.events,
      getState: () => this.getState(),
      leaves$: this.leaving,
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
    if (!isHeldBack(this.getState(), intent)) this.events.next(intent);
  }

  /**
   * Ends every effect and the state stream. A host often removes a login as soon as there is a session, so the reply to a
   * login that is still on its way is reported after that (`EffectContext.late`).
   */
  destroy(): void {
    this.leaving.next();
    this.running.unsubscribe();
    this.states.complete();
  }
}

/** True when the intent must be dropped: it would interrupt a pending request, or it comes too late. */
export function isHeldBack(state: WidgetState, intent: Intent): boolean {
  const { submits, leaves, isStale } = rowOf(intent.type);
  return Boolean((state.pending && (submits ?? leaves)) || isStale?.(state, intent as never));
}
