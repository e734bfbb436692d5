/**
 * A client of WebDriver (https://www.w3.org/TR/webdriver2/) with what the walks in WebKit need: Playwright drives its own build of WebKit
 * alone.
 *
 * Elements are found by a selector and their name or text, also within open shadow roots. A command waits until its element is there.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { PATIENCE_MS } from '../patience-ms.ts';

/** The key of a reference to an element (WebDriver, section 12.2). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** How long a reply of the driver can take. A look at a page takes a few milliseconds. */
const LOST_MS = 15_000;

export const ENTER = '\uE007';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly httpOnly?: boolean;
}

/** Runs in the page. Finds the first visible element that matches, and whose label or text contains `name`. */
const FIND = `
  const [selector, name] = arguments;
  const nameOf = (one) =>
    [one.getAttribute('aria-label'), ...[...(one.labels ?? [])].map((label) => label.textContent), one.textContent].join(' ');
  const search = (root) => {
    for (const one of root.querySelectorAll('*')) {
      const isIt = one.matches(selector) && (name === null || nameOf(one).replace(/\\s+/g, ' ').toLowerCase().includes(name.toLowerCase()));
      if (isIt && one.getClientRects().length > 0 && getComputedStyle(one).visibility !== 'hidden') return one;
      const inner = one.shadowRoot === null ? null : search(one.shadowRoot);
      if (inner !== null) return inner;
    }
    return null;
  };
  return search(document);`;

/** A browser with a profile that nothing else uses, and that is gone when it closes. */
export class Browser {
  private constructor(private readonly root: string) {}

  /**
   * @param driver the address of WebKitWebDriver, which starts MiniBrowser, one at a time
   * @param flags of MiniBrowser, such as `--dark-mode`
   */
  static async open(driver: string, flags: readonly string[] = []): Promise<Browser> {
    const options = { args: ['--automation', ...flags] };
    // Pages whose script is held back never finish loading.
    const wanted = { pageLoadStrategy: 'none', 'webkitgtk:browserOptions': options };
    const body = { capabilities: { alwaysMatch: wanted } };
    const { sessionId } = await send<{ sessionId: string }>('POST', `${driver}/session`, body);
    return new Browser(`${driver}/session/${sessionId}`);
  }

  async close(): Promise<void> {
    await send('DELETE', this.root);
  }

  async goto(url: string): Promise<void> {
    await this.leave('url', { url });
  }

  async back(): Promise<void> {
    await this.leave('back');
  }

  async reload(): Promise<void> {
    await this.leave('refresh');
  }

  /** Resolves when another document is there. It may still be loading. */
  private async leave(command: string, body: object = {}): Promise<void> {
    const leaving = randomUUID();
    await this.run('window.leaving = arguments[0]', leaving);
    await this.post(command, body);
    await this.until(command, 'return window.leaving !== arguments[0] && document.body !== null', leaving);
  }

  async url(): Promise<string> {
    return this.get('url');
  }

  /** Opens a tab and goes to it; returns the one before and the new one. */
  async newTab(): Promise<readonly [string, string]> {
    const before = await this.get<string>('window');
    const { handle } = await this.post<{ handle: string }>('window/new', { type: 'tab' });
    await this.toTab(handle);
    return [before, handle];
  }

  async toTab(handle: string): Promise<void> {
    await this.post('window', { handle });
  }

  /** The size of the page, in CSS pixels. */
  async resize(width: number, height: number): Promise<void> {
    const sizes = 'return [outerWidth - innerWidth, outerHeight - innerHeight]';
    await this.post('window/rect', { width, height });
    const [besides = 0, above = 0] = await this.run<readonly number[]>(sizes);
    await this.post('window/rect', { width: width + besides, height: height + above });
  }

  /** Runs the body of a function in the page. */
  async run<Value>(script: string, ...args: readonly unknown[]): Promise<Value> {
    return this.post<Value>('execute/sync', { script, args });
  }

  /** Waits until the function's body returns something true in the page, and returns it. @throws {Error} that names `what` */
  async until<Value>(what: string, script: string, ...args: readonly unknown[]): Promise<NonNullable<Value>> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      // The driver never replies to some commands that meet a navigation, so another one is sent.
      const value = await Promise.race([
        this.run<Value | null>(script, ...args).catch(ignoreNavigation),
        after(LOST_MS, null, { ref: false }),
      ]);
      if (value) return value;
      if (performance.now() > end) {
        throw new Error(
          `WebKit: ${what} did not come. ${await this.url()}: ${await this.run<string>('return document.body.innerText')}`,
        );
      }
      await after(30);
    }
  }

  async see(selector: string, name: string | null = null): Promise<string> {
    const found = await this.until<Readonly<Record<string, string>>>(
      `${selector} “${name ?? ''}”`,
      FIND,
      selector,
      name,
    );
    return found[ELEMENT] ?? '';
  }

  /** Clicks as soon as the element can be hit: a screen that moves in is not at rest at once. */
  async click(selector: string, name: string | null = null): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await this.post(`element/${await this.see(selector, name)}/click`);
      } catch (error) {
        const mayPass = error instanceof Error && /not interactable|intercepted|stale/u.test(error.message);
        if (!mayPass || performance.now() > end) throw error;
        await after(30);
      }
    }
  }

  /** Types keys into the element, after what it contains. */
  async type(selector: string, text: string, name: string | null = null): Promise<void> {
    await this.post(`element/${await this.see(selector, name)}/value`, { text });
  }

  async clear(selector: string, name: string | null = null): Promise<void> {
    await this.post(`element/${await this.see(selector, name)}/clear`);
  }

  async cookies(): Promise<readonly Cookie[]> {
    return this.get('cookie');
  }

  /** A PNG of the window. */
  async screenshot(): Promise<Buffer> {
    return Buffer.from(await this.get<string>('screenshot'), 'base64');
  }

  private async get<Value>(path: string): Promise<Value> {
    return send<Value>('GET', `${this.root}/${path}`);
  }

  private async post<Value>(path: string, body: object = {}): Promise<Value> {
    return send<Value>('POST', `${this.root}/${path}`, body);
  }
}

/** While a page leaves, a script cannot run in it. */
function ignoreNavigation(error: unknown): null {
  if (
    error instanceof Error &&
    /stale element|javascript error|no such window|no such frame|unknown error/u.test(error.message)
  )
    return null;
  throw error;
}

/** @throws {Error} with the driver's error code and message */
async function send<Value>(method: string, url: string, body?: object): Promise<Value> {
  const reply = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { value } = (await reply.json()) as { value: Value };
  if (reply.ok) return value;
  const { error, message } = value as { error?: string; message?: string };
  throw new Error(`WebDriver ${method} ${new URL(url).pathname}: ${error ?? reply.status}: ${message ?? ''}`);
}
