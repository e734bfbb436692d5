import { createRoot } from 'react-dom/client';
import { BehaviorSubject } from 'rxjs';
import type { WidgetModel } from '#application/widget/widget-model.ts';
import { reduce } from '#domain/screens/reduce.ts';
import { Widget } from '#presentation/Widget.tsx';
import { act, isThere } from './acts.ts';
import { NOW, type Fixture } from './fixture.ts';

/** The time of a step: the texts with a time change with each. */
const STEP_MS = 1_000;

const frame = (): Promise<void> => new Promise((resolve) => void requestAnimationFrame(() => resolve()));

/** After the effects of a change, and the changes that they made. */
export async function settled(): Promise<void> {
  await frame();
  await new Promise((resolve) => void setTimeout(resolve));
  await frame();
}

/** A widget that goes from one fixture to the other. */
export interface SteppedWidget {
  readonly container: HTMLElement;
  /** Shows the fixture, and does what somebody does in it, as far as it can be done. */
  show(fixture: Fixture): Promise<void>;
  /** Gives the widget the state of the fixture, and waits for nothing. */
  change(fixture: Fixture): void;
  close(): void;
}

export function steppedWidget(first: Fixture, place: Element | ShadowRoot): SteppedWidget {
  const container = document.createElement('div');
  place.append(container);
  const states = new BehaviorSubject(first.state);
  let now = NOW;
  const model: WidgetModel = {
    state$: states.asObservable(),
    clock: { now: () => now, after: () => () => {} },
    getState: () => states.value,
    send: (intent) => states.next(reduce(states.value, intent)),
    rules: { value: () => ({}), load: () => Promise.resolve() },
  };
  const root = createRoot(container);
  return {
    container,
    async show({ state, config, styles, strings, language, acts = [] }) {
      now += STEP_MS;
      states.next(state);
      root.render(<Widget {...{ model, config, styles, strings, language }} />);
      await settled();
      for (const next of acts) {
        if (!isThere(container, next)) continue;
        act(container, next);
        await settled();
      }
    },
    change: ({ state }) => states.next(state),
    close() {
      root.unmount();
      container.remove();
    },
  };
}
