import { Observable } from 'rxjs';
import { expect, it } from 'vitest';
import { widgetRules } from '#application/widget/widget-rules.ts';
import { WidgetStore, type Effect } from '#application/widget/widget-store.ts';
import { later } from '#domain/later.ts';
import { INITIAL_STATE } from '#domain/screens/widget-state.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';

it('leaves once, for each effect, when a listener of the last outcomes destroys the widget again', async () => {
  const rules = later(async () => widgetRules);
  await rules.load();
  const store = new WidgetStore(new VirtualClock(), INITIAL_STATE, rules);
  const farewells: string[] = [];
  const effect =
    (name: string): Effect =>
    ({ leaving }) =>
      new Observable((subscriber) =>
        leaving.add(() => {
          farewells.push(name);
          subscriber.next({ type: 'session/gone' });
        }),
      );
  store.run([effect('first'), effect('second')]);
  const outcomes: string[] = [];
  store.step$.subscribe(({ event }) => {
    outcomes.push(event.type);
    if (outcomes.length < 9) store.destroy();
  });
  store.destroy();
  store.destroy();
  expect(farewells).toEqual(['first', 'second']);
  expect(outcomes).toEqual(['session/gone', 'session/gone']);
});
