import { vi } from 'vitest';
import { events, projects } from '#application/api/index.ts';
import { PorticoUIClient } from '#composition/ui-client.ts';
import type { HostEvent } from '#domain/widget/host-events.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { FakeTab } from '#kit/fake-world.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { PART_OF } from '#presentation/parts/parts.ts';
import { TestWorld, TOKEN } from '../../application/world.ts';

export const ADA = 'ada@example.com';

const pages: Page[] = [];
/** What is asked for by nobody's press. */
const BESIDE: ReadonlySet<string | null> = new Set([events.log.name, projects.bootstrap.name]);

/** Presses that the host hears of, and no server. */
const CALLS_NOBODY: ReadonlySet<string> = new Set<HostEvent['type']>(['PASSKEY_SKIP', 'PASSKEY_DONE']);

export async function loadParts(): Promise<void> {
  await Promise.all([...new Set([...Object.values(PART_OF), 'phones'] as const)].map((part) => loadPart(part)));
}

export function closePages(): void {
  for (const page of pages.splice(0)) page.client.destroy();
  document.body.replaceChildren();
}

interface Options {
  readonly world?: TestWorld;
  readonly href?: string;
  readonly prepare?: (tab: FakeTab) => void;
}

/** A widget as a host mounts it, over a browser and a server in memory: what a person sees, and what they can press. */
export class Page {
  readonly world: TestWorld;
  readonly tab: FakeTab;
  readonly client: PorticoUIClient;
  readonly heard: HostEvent[] = [];
  readonly callbacks = { onEvent: (event: HostEvent) => void this.heard.push(event) };
  private before = 0;

  constructor({ world = new TestWorld(), href = 'http://localhost:3000/', prepare }: Options = {}) {
    this.world = world;
    this.tab = world.tab(href);
    prepare?.(this.tab);
    this.client = new PorticoUIClient(TOKEN, { adapters: this.tab, telemetry: false });
    document.body.append(Object.assign(document.createElement('div'), { id: 'place' }));
    pages.push(this);
  }

  /** From now on `asked` counts. */
  mark(): void {
    this.before = this.everything().length;
  }

  /** The calls since the mark, by name, the places that the page was sent to and what the host heard of the rest. */
  asked(): readonly string[] {
    return this.everything().slice(this.before);
  }

  private everything(): readonly string[] {
    const { requests } = this.world.transport;
    const calls = requests.flatMap(({ endpoint }) => (BESIDE.has(endpoint) ? [] : [endpoint ?? 'unknown']));
    const told = this.heard.flatMap(({ type }) => (CALLS_NOBODY.has(type) ? [type] : []));
    return [...calls, ...this.tab.browser.navigations.map((url) => new URL(url).pathname), ...told];
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 2; turn += 1) {
      await new Promise<void>((done) => void setTimeout(done, 1));
      await this.world.settle();
    }
  }

  async until<T>(find: () => T | null | undefined): Promise<T> {
    return vi.waitFor(async () => {
      await this.settle();
      const found = find();
      if (found === null || found === undefined) throw new Error(`Not there: ${document.body.textContent ?? ''}`);
      return found;
    });
  }

  async shows(title: string): Promise<void> {
    await this.until(() => (document.querySelector('h1')?.textContent === title ? title : null));
  }

  /** The button that is called so, by its text or its label. */
  button(name: string): HTMLButtonElement | null {
    const all = [...document.querySelectorAll('button')];
    const named = all.find((each) => (each.getAttribute('aria-label') ?? each.textContent) === name);
    return named?.closest('[hidden]') ? null : (named ?? null);
  }

  async press(name: string): Promise<void> {
    (await this.until(() => this.button(name))).click();
    await this.settle();
  }

  async fill(type: string, text: string): Promise<void> {
    enterText(await this.until(() => field(type)), text);
    await this.settle();
    // The strength check waits for the field to rest.
    await this.world.clock.advance(600);
    await this.settle();
  }

  /** Ten presses of all kinds: five at once, and five more when the widget has drawn what came of them. */
  async tenTimes(find: () => HTMLElement | null): Promise<readonly string[]> {
    const first = await this.until(find);
    this.mark();
    for (const press of FIVE) press(first);
    await this.settle();
    for (const press of FIVE) press(find() ?? first);
    await this.settle();
    return this.asked();
  }
}

/** The field of that type or name. */
export const field = (type: string): HTMLInputElement | null =>
  document.querySelector(`input[type="${type}"]:not([readonly]), input[name="${type}"]`);

function enterText(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

const click = (element: HTMLElement): void => element.click();
/** In a field Enter submits its form, on a button it presses. */
const enter = (element: HTMLElement): void => {
  const key = { key: 'Enter', bubbles: true, cancelable: true };
  if (!element.dispatchEvent(new KeyboardEvent('keydown', key))) return;
  const form = element.closest('form');
  if (form && !(element instanceof HTMLButtonElement && element.type === 'button')) form.requestSubmit();
  else element.click();
};
const submit = (element: HTMLElement): void => {
  const form = element instanceof HTMLButtonElement && element.type === 'submit' ? element.form : null;
  if (form) form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  else element.click();
};
const FIVE = [click, enter, submit, click, enter];

/** The host's place for every widget. */
export const AT = { elementId: '#place' } as const;

export async function login(config: LoginConfig, options?: Options): Promise<Page> {
  const page = new Page(options);
  page.client.mountLogin({ ...AT, config, callbacks: page.callbacks });
  await page.until(() => document.querySelector('h1'));
  return page;
}
