import { Observable, Subject, Subscription } from 'rxjs';
import { sameJson } from '#domain/json.ts';
import { changesOf } from '../../changes.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { Project } from '../../use-cases/project/project.ts';
import { isBackground } from '#domain/screens/submits.ts';
import type { WidgetState } from '#domain/screens/widget-state.ts';
import type { Effect } from '../widget-store.ts';
import type { Later } from '#domain/later.ts';
import type { Intent, WidgetEvent } from '#domain/screens/event.ts';

/**
 * Effects whose code is loaded when `wanted$` emits or at the first event that they may handle. Events that arrive before the code wait for
 * it, in order. If it cannot be loaded, the waiting intents fail, and the next event tries again.
 */
export function lazyEffects(
  code: Later<{ readonly effects: readonly Effect<WidgetEvent>[] }>,
  wanted$: Observable<void>,
): Effect<WidgetEvent> {
  return ({ events$, ...context }) =>
    new Observable<WidgetEvent>((subscriber) => {
      const running = new Subscription();
      const live = new Subject<WidgetEvent>();
      code.pass(({ effects }) => {
        for (const effect of running.closed ? [] : effects)
          running.add(effect({ ...context, events$: live }).subscribe((outcome) => subscriber.next(outcome)));
      });
      const begin = (): void => void code.load().catch(() => undefined);

      running.add(
        events$.subscribe((event) => {
          code.pass(
            () => live.next(event),
            (error) => {
              if (event.type === context.getState().pending)
                subscriber.next({ type: 'failed', asked: event as Intent, error });
            },
          );
          if (!isBackground(event.type)) begin();
        }),
      );
      running.add(wanted$.subscribe(begin));
      return running;
    });
}

/** Adopts the server's project settings, and later changes of them. The widget is shown before they arrive. */
export function bootstrapEffect(project: Project): Effect {
  return ({ getState }) =>
    new Observable((subscriber) => {
      const bring = async (): Promise<void> => {
        subscriber.next({ type: 'bootstrap/loaded', bootstrap: await project.bootstrap() });
        subscriber.add(
          project.told$.subscribe(({ bootstrap }) => {
            if (bootstrap !== null && !sameJson(bootstrap, getState().bootstrap))
              subscriber.next({ type: 'bootstrap/changed', bootstrap });
          }),
        );
      };
      void bring();
    });
}

/**
 * Detects that a user was signed in by something other than the request that is being verified here, at the latest when the host, which was
 * notified first, removes the widget. Also detects that the user was signed out.
 *
 * @param isSigningIn whether the reply of that request is on its way
 */
export function signedInEffect(sessions: SessionStore, isSigningIn: (state: WidgetState) => boolean): Effect {
  return ({ getState, leaving }) =>
    new Observable((subscriber) => {
      const isPresent = (): boolean => sessions.state().session !== null;
      let was = isPresent();
      const look = (): void => {
        const is = isPresent();
        if (is !== was && !(is && isSigningIn(getState())))
          subscriber.next({ type: is ? 'session/appeared' : 'session/gone' });
        was = is;
      };
      subscriber.add(sessions.session$.subscribe(look));
      leaving.add(look);
    });
}

/** A login of this client that lacks its second factor, in this widget or elsewhere on the page. */
export function lackingEffect({ steps$ }: Pick<SessionStore, 'steps$'>): Effect {
  return () => changesOf(steps$, (step) => ({ type: 'factor/lacking', step }));
}

/** Covers the widget while a stored session is checked for the first time. */
export function checkingEffect(checking$: Observable<boolean>): Effect {
  return () => changesOf(checking$, (checking) => ({ type: 'session/checking', checking }));
}
