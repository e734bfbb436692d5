import { getRequestListener } from '@hono/node-server';
import { chromium, type Browser, type BrowserContext } from 'playwright';
import { checked, expectDescribed } from '#tests/openapi/checked.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';
import { createApp, type AppOptions } from '#provider/operation/app.ts';
import { systemClock } from '#provider/base/platform.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { ANY_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';
import { listen, serveClients, type PageServer } from './pages.ts';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];

/** The two clients of this wire that nobody here wrote, as a page loads them. */
export const CLIENTS = ['v5', 'v6'] as const;

/**
 * A provider, pages that hold those clients, and a browser that opens the pages. All requests and responses are compared with the OpenAPI
 * description, and `close` rejects if some do not match.
 */
export class ClientSite {
  private app: Provider['app'];

  private constructor(
    readonly provider: Provider,
    private readonly browser: Browser,
    private readonly api: PageServer,
    private readonly pages: PageServer,
  ) {
    this.app = provider.app;
  }

  /**
   * @param project the fields of the project file
   * @param pages their names, such as `v5-widget`
   */
  static async start(
    project: object,
    pages: readonly string[],
    options: Partial<AppOptions> = {},
  ): Promise<ClientSite> {
    const provider = await makeProvider(ANY_DATABASE, {
      clock: systemClock,
      limits: { ...DEFAULT_LIMITS, sendsPerAddress: { max: 100, windowMs: 60_000 } },
      project: projectFrom(project),
      ...options,
    });
    // The pages are built for the address of the API, so that it listens before there is a site.
    const proxy = checked(async (request, env) => site.app.fetch(request, env), 'open');
    const answer = getRequestListener(proxy, {
      overrideGlobalObjects: false,
    });
    const api = await listen((request, response) => void answer(request, response));
    const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
    const browser = await chromium.launch({ executablePath, args: ARGS, timeout: PATIENCE_MS });
    const site = new ClientSite(provider, browser, api, await serveClients(pages, api.url));
    return site;
  }

  /** Where the API answers. */
  get apiUrl(): string {
    return this.api.url;
  }

  /** The origin of the pages. */
  get url(): string {
    return this.pages.url;
  }

  /** The address of a page, with a slash at its end. */
  urlOf(page: string): string {
    return `${this.pages.url}/${page}/`;
  }

  /** A new visitor. Nothing leaves this machine, and the project is the provider's own again. */
  async newVisitor(): Promise<BrowserContext> {
    this.app = this.provider.app;
    const context = await this.browser.newContext();
    context.setDefaultTimeout(PATIENCE_MS);
    await context.route(/^https?:\/\/(?!localhost:|127\.0\.0\.1:)/u, (route) => route.abort());
    return context;
  }

  /** Lets a project of these fields answer, on the same database, until the next visitor comes. */
  useProject(fields: object): void {
    this.app = createApp({ ...this.provider.services, project: projectFrom(fields), loopback: true });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.api.close();
    await this.pages.close();
    await this.provider.close();
    expectDescribed();
  }
}
