import { chromium, type Browser, type BrowserContext, type CDPSession, type Page, type Route } from 'playwright';
import { BROWSER_ARGS, ensureBrowser } from '#scripts/lib/browsers.ts';
import type { Delivery, Operation, Operations, Request } from './bridge.ts';
import { bundlePage } from './bundle.ts';
import { Origin } from './origin.ts';
import type { Contracts } from './page.ts';
import { SCRIPTS } from './script-suites.ts';

type Handlers = { readonly [Name in Operation]: (...args: never[]) => unknown };

const SCRIPT = { contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' } };

const AUTHENTICATOR = {
  protocol: 'ctap2',
  ctap2Version: 'ctap2_1',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

/** A real browser with two tabs of one origin, and what their page may ask for. */
export class Chromium {
  private readonly deliveries = new Map<string, Delivery>();
  /** Requests for scripts that have had no answer. */
  private unanswered: { readonly script: string; readonly route: Route }[] = [];
  private navigations: string[] = [];
  private posted: { url: string; fields: Record<string, string> }[] = [];
  private authenticatorId = '';

  private constructor(
    private readonly browser: Browser,
    private readonly context: BrowserContext,
    readonly origin: Origin,
    private readonly here: Tab,
    private readonly elsewhere: Tab,
  ) {}

  static async start(): Promise<Chromium> {
    let operations: Handlers | null = null;
    const handle = async ({ name, args }: Request): Promise<unknown> => operations?.[name](...(args as never[]));
    const [script, browser] = await Promise.all([
      bundlePage(),
      chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_ARGS }),
    ]);
    const origin = await Origin.start(script, handle);
    const context = await browser.newContext();
    const tabs = await Promise.all([Tab.open(context, origin.url), Tab.open(context, origin.url)]);
    const started = new Chromium(browser, context, origin, ...tabs);
    operations = started.operations();
    await started.route();
    await tabs[0].cdp.send('WebAuthn.enable', { enableUI: false });
    await tabs[0].page.bringToFront();
    return started;
  }

  /** What went wrong in a case, or null. */
  async run(index: number): Promise<string | null> {
    return this.here.call('run', index);
  }

  async violations(): Promise<readonly string[]> {
    return this.here.call('violations');
  }

  /** One more tab. */
  async open(): Promise<Tab> {
    return Tab.open(this.context, this.origin.url);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.origin.stop();
  }

  /** No answer leads anywhere, so that a page stays when it is sent away. */
  private async route(): Promise<void> {
    for (const away of ['https://elsewhere.example/**', 'http://localhost:3000/**']) {
      await this.context.route(away, async (route) => {
        const request = route.request();
        if (request.method() === 'POST') {
          const fields = Object.fromEntries(new URLSearchParams(request.postData() ?? ''));
          this.posted.push({ url: request.url(), fields });
        } else this.navigations.push(request.url());
        await route.fulfill({ status: 204 });
      });
    }
    for (const script of SCRIPTS) {
      await this.context.route(`${script}*`, async (route) => {
        this.unanswered.push({ script, route });
        await this.answer(script);
      });
    }
  }

  /** Answers what has been asked for; a browser does not ask again while a request for the same URL is open. */
  private async answer(script: string): Promise<void> {
    const delivery = this.deliveries.get(script) ?? 'comes';
    if (delivery === 'does not answer') return;
    const routes = this.unanswered.filter((one) => one.script === script);
    this.unanswered = this.unanswered.filter((one) => one.script !== script);
    for (const { route } of routes) {
      if (delivery === 'is blocked') await route.abort();
      else await route.fulfill({ ...SCRIPT, body: `served(${JSON.stringify(script)})` });
    }
  }

  private operations(): Handlers {
    const { here, elsewhere, origin } = this;
    return {
      storage: async (...args: Parameters<Operations['storage']>) => elsewhere.call('storage', ...args),
      add: async (...args: Parameters<Operations['add']>) => elsewhere.call('add', ...args),
      take: async (...args: Parameters<Operations['take']>) => elsewhere.call('take', ...args),
      authenticator: async (action: Parameters<Operations['authenticator']>[0]) => this.authenticator(action),
      passkeyNames: async () => this.passkeyNames(),
      cookies: async (action: 'clear' | 'block' | 'unblock' | 'age', ms = 0) => {
        if (action === 'clear') await this.context.clearCookies();
        else if (action === 'age') await this.age(ms);
        else await here.cdp.send('Emulation.setDocumentCookieDisabled', { disabled: action === 'block' });
      },
      deliver: async (script: string, delivery: Delivery) => {
        this.deliveries.set(script, delivery);
        await this.answer(script);
      },
      left: () => ({ navigations: this.navigations, posted: this.posted }),
      forget: () => {
        origin.received = [];
        this.navigations = [];
        this.posted = [];
      },
      serve: (answer: Parameters<Operations['serve']>[0]) => void (origin.answer = answer),
      received: () => origin.received,
    };
  }

  private async authenticator(action: 'fresh' | 'hold' | 'refuse' | 'count'): Promise<number> {
    const { cdp } = this.here;
    const { authenticatorId } = this;
    if (action === 'fresh') {
      if (authenticatorId !== '') await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
      const added = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR });
      this.authenticatorId = added.authenticatorId;
      return 0;
    }
    if (action === 'hold') {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    }
    if (action === 'refuse') await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    return (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
  }

  private async passkeyNames(): Promise<ReturnType<Operations['passkeyNames']>> {
    const { authenticatorId } = this;
    const { credentials } = await this.here.cdp.send('WebAuthn.getCredentials', { authenticatorId });
    return credentials.map(({ userName: name = '', userDisplayName: displayName = '' }) => ({ name, displayName }));
  }

  /** Lets every cookie end that much sooner. */
  private async age(ms: number): Promise<void> {
    for (const cookie of await this.context.cookies()) {
      if (cookie.expires === -1) continue;
      const expires = cookie.expires - ms / 1000;
      const { name, domain, path } = cookie;
      if (expires <= Date.now() / 1000) await this.context.clearCookies({ name, domain, path });
      else await this.context.addCookies([{ ...cookie, expires }]);
    }
  }
}

/** A tab with the page in it. */
export class Tab {
  private constructor(
    readonly page: Page,
    readonly cdp: CDPSession,
  ) {}

  static async open(context: BrowserContext, url: string): Promise<Tab> {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'load' });
    return new Tab(page, await context.newCDPSession(page));
  }

  /** Calls what the page offers. Not through `page.evaluate`, which the page's policy would hear of. */
  async call<Name extends keyof Contracts>(
    name: Name,
    ...args: Parameters<Contracts[Name]>
  ): Promise<Awaited<ReturnType<Contracts[Name]>>> {
    const expression = `contracts.${name}(...${JSON.stringify(args)})`;
    const { result, exceptionDetails } = await this.cdp.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value as Awaited<ReturnType<Contracts[Name]>>;
  }
}
