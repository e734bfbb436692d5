import { within } from '@testing-library/dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { insideOf } from '#composition/inspector/inspected-client.ts';
import { inspect, type InspectOptions } from '#composition/inspector.ts';
import { PorticoUIClient } from '#composition/ui-client.ts';
import { EventType } from '#domain/widget/host-events.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const ADA = 'ada@example.com';
const CONFIG = { products: ['otp'], otpOptions: { methods: ['email'] } } as const;

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
  document.body.replaceChildren();
  localStorage.clear();
});

function open(options?: InspectOptions) {
  const world = new TestWorld();
  const client = new PorticoUIClient(TOKEN, { adapters: world.tab('http://localhost:3000/') });
  const inspector = inspect(client, options);
  ended.push(
    () => inspector.close(),
    () => client.destroy(),
  );
  const root = document.querySelector('portico-inspector')?.shadowRoot;
  if (!root) throw new Error('There is no inspector.');
  return { world, client, inspector, panel: within(root as unknown as HTMLElement), root };
}

/** The login widget, and what its host hears. */
async function openLogin(options?: InspectOptions) {
  const opened = open(options);
  const heard: string[] = [];
  document.body.append(Object.assign(document.createElement('div'), { id: 'login' }));
  const widget = opened.client.mountLogin({
    elementId: '#login',
    config: CONFIG,
    callbacks: { onEvent: ({ type }) => heard.push(type) },
  });
  const store = [...(insideOf(opened.client).widgets ?? [])][0]?.store;
  if (store === undefined) throw new Error('There is no widget.');
  const settled = () =>
    vi.waitFor(async () => {
      await opened.world.settle();
      expect(store.getState().pending).toBeNull();
    });
  return { ...opened, widget, store, heard, settled };
}

describe('the panel of the inspector', () => {
  it('adds no heading to the outline of the page, and names its groups', () => {
    const { root, panel } = open({ element: document.body });
    expect(root.querySelectorAll('h1, h2, h3, h4, h5, h6')).toHaveLength(0);
    const names = ['Screen', 'Session', 'Try', 'Move the clock', 'Trace'];
    for (const name of names) expect(panel.getByRole('group', { name })).toBeTruthy();
  });

  it('shows the screen, the possible events, and the past ones in the order in which the host receives them', async () => {
    const { store, settled, inspector, heard, world, widget, panel, root } = await openLogin({
      element: document.body,
    });
    await vi.waitFor(() => expect(panel.getByText('Main', { selector: 'strong' })).toBeTruthy());
    store.send({ type: 'otp/requested', method: 'email', destination: ADA });
    store.send({ type: 'otp/requested', method: 'email', destination: ADA });
    await settled();
    store.send({ type: 'otp/codeEntered', code: world.server.codeFor(ADA) ?? '' });
    await settled();
    widget.unmount();
    const { entries } = inspector.trace();
    const events = entries.flatMap((entry) => (entry.kind === 'event' ? [entry.type] : []));
    expect(heard).toEqual([EventType.OTPLoginOrCreate, EventType.OTPAuthenticate, EventType.AuthenticateFlowComplete]);
    expect(events).toEqual(heard);
    const steps = entries.flatMap((entry) =>
      entry.kind === 'intent' || entry.kind === 'outcome' ? [`${entry.kind} ${entry.type} ${entry.effect}`] : [],
    );
    expect(steps.filter((step) => step.includes('otp/'))).toEqual([
      'intent otp/requested changed',
      'intent otp/requested held back',
      'outcome otp/sent moved',
      'intent otp/codeEntered changed',
      'outcome otp/verified moved',
    ]);
    expect(entries.flatMap((entry) => (entry.kind === 'widget' ? [entry.change] : []))).toEqual([
      'mounted',
      'unmounted',
    ]);
    await vi.waitFor(() => expect(panel.getByText('otp by email', { selector: 'dd' })).toBeTruthy());
    await vi.waitFor(() => expect(root.querySelector('.now')?.textContent).toBe('No widget is mounted.'));
    expect(inspector.export()).not.toContain(ADA);
  });

  it('floats closed over the page, and opens where it was the last time', () => {
    const { panel, inspector } = open();
    expect(panel.queryByRole('region')).toBeNull();
    panel.getByRole('button', { name: 'Open the Portico inspector' }).click();
    expect(panel.getByRole('region', { name: 'Portico inspector' })).toBeTruthy();
    panel.getByRole('button', { name: 'Dock at the bottom' }).click();
    inspector.close();
    expect(open().panel.getByRole('button', { name: 'Dock at the right' })).toBeTruthy();
  });

  it('explains why a button is disabled, also when it is pressed', async () => {
    const { panel } = open({ element: document.body });
    const button = panel.getByRole('button', { name: 'Rate-limit me' });
    const reason = 'This needs a provider on this machine that was started with --dev.';
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(button.title).toBe(reason);
    button.click();
    await vi.waitFor(() =>
      expect(panel.getAllByRole('status').map(({ textContent }) => textContent)).toContain(reason),
    );
  });

  it('shows a trace from a file, says what is wrong with another file, and goes back to the live one', async () => {
    const { panel, root, inspector } = open({ element: document.body });
    const file = root.querySelector<HTMLInputElement>('input[type=file]');
    const choose = (text: string) => {
      Object.defineProperty(file, 'files', { configurable: true, value: [new File([text], 'trace.json')] });
      file?.dispatchEvent(new Event('change'));
    };
    choose('{}');
    await vi.waitFor(() => expect(panel.getByText(/the text is not a trace/u)).toBeTruthy());
    const entry = { n: 1, at: 5, kind: 'refresh', by: 'another tab' };
    choose(JSON.stringify({ ...inspector.trace(), entries: [entry] }));
    await vi.waitFor(() => expect(panel.getByText('refresh by another tab')).toBeTruthy());
    panel.getByRole('button', { name: 'Back to live' }).click();
    expect(panel.queryByText('refresh by another tab')).toBeNull();
  });

  it('is one for each client, and leaves nothing behind', async () => {
    const { client, inspector, widget, store } = await openLogin();
    const { core, widgets } = insideOf(client);
    expect(inspect(client)).toBe(inspector);
    inspector.close();
    expect(document.querySelector('portico-inspector')).toBeNull();
    for (const object of [core.wire, widgets, store]) {
      expect(['call', 'add', 'send'].filter((name) => Object.hasOwn(object ?? {}, name))).toEqual([]);
    }
    expect(inspect(client)).not.toBe(inspector);
    inspect(client).close();
    widget.unmount();
  });

  it('closes with its client', () => {
    const { client } = open();
    client.destroy();
    expect(document.querySelector('portico-inspector')).toBeNull();
  });

  it('sends nothing to a provider that is not on this machine', () => {
    const fetch = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('unexpected'));
    open();
    expect(fetch).not.toHaveBeenCalled();
    const client = new PorticoUIClient(TOKEN, { adapters: new TestWorld().tab() });
    for (const control of ['https://auth.example.com', 'localhost:4100', 'http://localhost:4100/dev', '']) {
      expect(() => inspect(client, { control })).toThrow('control must be an origin of this machine');
    }
    client.destroy();
    expect(document.querySelectorAll('portico-inspector')).toHaveLength(1);
  });
});
