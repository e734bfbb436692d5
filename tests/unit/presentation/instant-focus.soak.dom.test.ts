import { afterEach, describe, expect, it } from 'vitest';
import { act, isThere } from '../../gallery/acts.ts';
import { byScreen, FIXTURES, type Fixture } from '../../gallery/fixtures.ts';
import { loadAll } from '../../gallery/load-all.ts';
import { settled, steppedWidget, type SteppedWidget } from '../../gallery/stepped.tsx';

const open: SteppedWidget[] = [];

afterEach(() => {
  for (const widget of open.splice(0)) widget.close();
  document.body.replaceChildren();
});

/** The change is rendered, and no frame has passed: a person has seen nothing of it. */
async function rendered(): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- renderers queue their work more than once
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Where the next key goes, and what it replaces. */
function focus({ container }: SteppedWidget) {
  const active = document.activeElement;
  const field = active instanceof HTMLInputElement ? active : null;
  return {
    at: active === document.body ? null : (active?.outerHTML ?? null),
    from: field?.selectionStart ?? null,
    to: field?.selectionEnd ?? null,
    texts: [...container.querySelectorAll('input')].map(({ value }) => value),
  };
}

/** The changes after which an effect moved the focus, selected or wrote, when a person could have typed already. */
async function lateMoves(fixtures: readonly Fixture[]): Promise<readonly string[]> {
  const found: string[] = [];
  const compare = async (what: string, widget: SteppedWidget): Promise<void> => {
    await rendered();
    const before = focus(widget);
    await settled();
    const after = focus(widget);
    if (JSON.stringify(after) !== JSON.stringify(before)) found.push(`${what}: ${before.at} → ${after.at}`);
  };
  for (const fixture of fixtures) {
    const widget = steppedWidget(fixture, document.body);
    open.push(widget);
    // oxlint-disable no-await-in-loop -- one after the other
    await widget.show({ ...fixture, acts: [] });
    for (const step of fixture.acts ?? []) {
      if (!isThere(widget.container, step)) continue;
      act(widget.container, step);
      await compare(`${fixture.id}, ${JSON.stringify(step)}`, widget);
    }
    for (const next of fixtures) {
      widget.container.querySelector<HTMLElement>('input:not([readonly]), button')?.focus();
      widget.change(next);
      await compare(`${fixture.id}, ${next.id}`, widget);
    }
    // oxlint-enable no-await-in-loop
    widget.close();
    open.pop();
  }
  return found;
}

describe('The focus, and what is selected', () => {
  it.each([...byScreen(FIXTURES)])('are at their place with the change: %s', async (_, fixtures) => {
    await loadAll(fixtures);
    // The first and the last are the furthest from each other; one in between has an error.
    const some = [fixtures[0], fixtures[Math.floor(fixtures.length / 2)], fixtures.at(-1)];
    expect(await lateMoves(some.flatMap((one) => one ?? []))).toEqual([]);
  });
});
