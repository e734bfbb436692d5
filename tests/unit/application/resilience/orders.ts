import { events, projects } from '#application/api/index.ts';
import type { openLogin } from '../open-widget.ts';
import { Traps } from './traps.ts';

export type OpenLogin = ReturnType<typeof openLogin>;

/** Every order of that many things. */
export function orders(count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  return orders(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, at) => [...order.slice(0, at), count - 1, ...order.slice(at)]),
  );
}

/** What a person sees of the widget in the end. */
export function seen({ store }: OpenLogin) {
  const { screen, pending, error, toasts, strength, phone, loading } = store.getState();
  return { screen, pending, error, toasts, strength, phone, loading };
}

/**
 * Does all the acts while no answer comes, then lets the answers come in the given order, and whatever those lead to
 * behind them. Answers how many there were to put in order, and what nobody should ever see.
 */
export async function impatiently(
  opened: OpenLogin,
  acts: readonly ((opened: OpenLogin) => unknown)[],
  order: readonly number[],
) {
  const traps = new Traps();
  const { world } = opened;
  const gate = world.transport.hold();
  for (const act of acts) {
    await act(opened);
    await world.settle();
  }
  const held = [...gate.waiting];
  for (const index of order) {
    const at = gate.waiting.indexOf(held[index]!);
    if (at >= 0) gate.release(at);
    await world.settle();
  }
  gate.release();
  await world.settle();
  const asked = held.filter(({ endpoint }) => endpoint !== events.log.name && endpoint !== projects.bootstrap.name);
  return { asked: asked.map(({ endpoint }) => endpoint), caught: await traps.close() };
}
