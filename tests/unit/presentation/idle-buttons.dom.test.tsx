import { act, cleanup, render } from '@testing-library/react';
import { BehaviorSubject } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import type { WidgetModel } from '#application/widget/widget-model.ts';
import { ACCOUNT_TABLE } from '#domain/screens/account-flow.ts';
import type { Intent } from '#domain/screens/event.ts';
import { isHeldBack } from '#domain/screens/events.ts';
import { transition } from '#domain/screens/flow-table.ts';
import type { WidgetState } from '#domain/screens/widget-state.ts';
import { Widget } from '#presentation/Widget.tsx';
import { NOW } from '../../gallery/fixture.ts';
import { byScreen, FIXTURES, type Fixture } from '../../gallery/fixtures.ts';
import { loadAll } from '../../gallery/load-all.ts';

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

/** These are heard during every change, beside the table. */
const BESIDE: ReadonlySet<string> = new Set(['account/retried']);

/** Whether the intent does something in this state. */
function isHeard(state: WidgetState, intent: Intent): boolean {
  if (isHeldBack(state, intent)) return false;
  if (!intent.type.startsWith('account/') || BESIDE.has(intent.type)) return true;
  const { state: after, command } = transition(ACCOUNT_TABLE, state.account, intent);
  return after !== state.account || command !== undefined;
}

/** The buttons that look as if they could be pressed, and whose press does nothing. */
async function deafButtons({ id, state, config, styles, strings, language }: Fixture): Promise<readonly string[]> {
  let sent: Intent[] = [];
  const model: WidgetModel = {
    state$: new BehaviorSubject(state).asObservable(),
    clock: { now: () => NOW, after: () => () => {} },
    getState: () => state,
    send: (intent) => void sent.push(intent),
    rules: { value: () => ({}), load: () => Promise.resolve() },
  };
  const { container, unmount } = render(<Widget {...{ model, config, styles, strings, language }} />);
  const deaf: string[] = [];
  for (const button of container.querySelectorAll<HTMLElement>(
    'button:not([aria-disabled], [aria-busy], [hidden] *)',
  )) {
    if (!button.isConnected) continue;
    sent = [];
    // oxlint-disable-next-line no-await-in-loop -- one press after the other
    await act(async () => button.click());
    for (const intent of sent) {
      const name = (button.getAttribute('aria-label') ?? button.textContent).trim();
      if (!isHeard(state, intent)) deaf.push(`${id}, ${name}: ${JSON.stringify(intent)}`);
    }
  }
  unmount();
  return deaf;
}

describe('A button that looks as if it could be pressed', () => {
  it.each([...byScreen(FIXTURES)])('does something: %s', async (_, fixtures) => {
    await loadAll(fixtures);
    const deaf: string[] = [];
    // oxlint-disable-next-line no-await-in-loop -- one widget after the other
    for (const fixture of fixtures) deaf.push(...(await deafButtons(fixture)));
    expect(deaf).toEqual([]);
  });
});
