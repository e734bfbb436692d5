/** Widgets that a test mounts. */
import { act, cleanup } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { PorticoUIClient } from '#composition/ui-client.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const clients: PorticoUIClient[] = [];

for (const part of ['login', 'phones', 'consent'] as const) await loadPart(part);

/** For `afterEach` of each file: the files of a worker share this module, which runs once. */
export function closeWidgets(): void {
  cleanup();
  document.body.replaceChildren();
  for (const client of clients.splice(0)) client.destroy();
}

export function open(world = new TestWorld(), href = 'http://localhost:3000/') {
  const tab = world.tab(href);
  const client = new PorticoUIClient(TOKEN, { adapters: tab, telemetry: false });
  clients.push(client);
  document.body.append(Object.assign(document.createElement('div'), { id: 'login' }));
  return { world, tab, client };
}

export const shown = (): string => document.querySelector('#login')?.textContent ?? '';

export const shows = (text: string) =>
  vi.waitFor(async () => {
    await act(() => new Promise<void>((done) => void setTimeout(done, 10)));
    expect(document.body.textContent).toContain(text);
  });
