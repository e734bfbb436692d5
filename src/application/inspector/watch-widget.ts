import { isHeldBack } from '#domain/screens/events.ts';
import { hostEvents } from '#domain/screens/events-for-host.ts';
import type { Intent, WidgetEvent } from '#domain/screens/event.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { Step, WidgetStore } from '../widget/widget-store.ts';
import { override } from './override.ts';
import { shownError } from './shown-error.ts';
import { redactedFields, type RedactedValue } from './redacted-value.ts';
import type { StepRecord, TraceLog, WidgetName } from './trace.ts';

const EFFECT = (before: Step['before'], after: Step['after']): StepRecord['effect'] => {
  if (before.screen.name !== after.screen.name) return 'moved';
  return before === after ? 'ignored' : 'changed';
};

function shownEvent(event: WidgetEvent): { readonly [field: string]: RedactedValue } {
  if (event.type === 'failed') return { asked: event.asked.type, error: shownError(event.error) };
  if (event.type === 'reported') return { error: shownError(event.error) };
  const { type: _, ...data } = event;
  return redactedFields(data);
}

/** The recording state that all widgets of a client share. */
export interface RecordingContext {
  readonly log: TraceLog;
  readonly session: () => Session | null;
  /** The sessions that have been reported to the host. */
  readonly completed: WeakSet<Session>;
}

/** Records the events that a widget receives, and its reports to the host. Returns a function that stops the recording. */
export function watchWidget(
  store: WidgetStore,
  widget: WidgetName,
  { log, session, completed }: RecordingContext,
): () => void {
  const intents = new WeakSet<WidgetEvent>();
  let isGone = false;
  /** The type of the last intent. */
  let last: WidgetEvent['type'] | null = null;
  /** One entry per key would reveal the length of a password and the rhythm of typing. */
  const isTyping = (event: WidgetEvent): boolean => event.type === 'password/edited' && last === event.type;
  const add = (
    event: WidgetEvent,
    kind: StepRecord['kind'],
    from: Step['before'],
    to: Step['after'],
    heldBack = false,
  ) =>
    log.add({
      kind,
      widget,
      type: event.type,
      from: from.screen.name,
      to: to.screen.name,
      effect: heldBack ? 'held back' : EFFECT(from, to),
      data: shownEvent(event),
    });

  const endSend = override(store, 'send', (below) => (intent: Intent) => {
    const state = store.getState();
    if (isHeldBack(state, intent) && !isTyping(intent)) add(intent, 'intent', state, state, true);
    intents.add(intent);
    below().call(store, intent);
    last = intent.type;
  });
  const steps = store.step$.subscribe(({ event, before, after }) => {
    const kind = intents.has(event) ? 'intent' : 'outcome';
    if (kind === 'outcome' || !isTyping(event)) add(event, kind, before, after);
    for (const { type, data } of hostEvents(event, after.screen.name)) {
      const currentSession = session();
      if (type === 'AUTHENTICATE_FLOW_COMPLETE' && currentSession !== null) {
        if (isGone && completed.has(currentSession)) continue;
        completed.add(currentSession);
      }
      log.add({ kind: 'event', widget, type, data: redactedFields(data) });
    }
    if (event.type === 'failed' || event.type === 'reported') {
      log.add({ kind: 'event', widget, type: 'onError', data: shownError(event.error) });
    }
  });
  log.add({ kind: 'widget', widget, change: 'mounted', screen: store.getState().screen.name });
  const states = store.state$.subscribe({
    complete: () => {
      isGone = true;
      log.add({ kind: 'widget', widget, change: 'unmounted', screen: store.getState().screen.name });
    },
  });
  return () => {
    endSend();
    steps.unsubscribe();
    states.unsubscribe();
  };
}
