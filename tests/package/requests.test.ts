import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostPages, type BuiltPage } from '../../bench/peers/host-pages.ts';
import { serve, type Servers } from '../../bench/peers/servers.ts';
import { launchForTiming } from '../../bench/peers/timed-visit.ts';
import { visit } from '../../bench/peers/visit.ts';
import { BROWSER_ARGS, ensureBrowser } from '#scripts/lib/browsers.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { oneOf } from '../soak.ts';

/** Each page by its name, and the budget that it is held to. */
const BUDGET_OF = { 'React host': 'widget', standalone: 'standalone', 'script tag': 'standalone' } as const;
const HELD = oneOf(3, Object.entries(BUDGET_OF));
const PRERENDERED = oneOf(2, ['standalone, prerendered', 'React host, prerendered']);

/** A busy machine may show the field late, so requests are counted from then on. */
const UNTHROTTLED = { cpu: 1, countedAfter: 'field' } as const;

interface Budget {
  readonly requests: number;
  readonly receivedKiB: number;
}
const budgets = JSON.parse(readFileSync(join(ROOT, 'bench/budgets.json'), 'utf8')) as Readonly<Record<string, Budget>>;

const out = mkdtempSync(join(tmpdir(), 'portico-requests-'));
let pages: readonly BuiltPage[];
let servers: Servers;
let browser: Browser;

beforeAll(async () => {
  pages = await hostPages(out, [...HELD.map(([name]) => name), ...PRERENDERED]);
  servers = await serve(pages);
  browser = await chromium.launch({ executablePath: ensureBrowser(), args: BROWSER_ARGS });
});

afterAll(async () => {
  await browser?.close();
  servers?.close();
  rmSync(out, { recursive: true, force: true });
});

describe.each(HELD)('a page that shows the login and is left alone: %s', (name, budget) => {
  it('stays within the requests and the KiB of its budget', async () => {
    const page = pages.find((one) => one.name === name)!;
    const { requests, received, log } = await visit(
      browser,
      { blank: servers.blank, page: servers.urlOf(page) },
      UNTHROTTLED,
    );
    const limit = budgets[budget]!;
    expect(requests, log.join('\n')).toBeLessThanOrEqual(limit.requests);
    expect(received, log.join('\n')).toBeLessThanOrEqual(limit.receivedKiB);
    // A page that asked for nothing would be within every budget.
    expect(log.join('\n')).toContain('/projects/bootstrap/');
  });
});

describe('a timed visit', () => {
  it('sees the field, and the time that the page computed for it', async () => {
    const timing = launchForTiming(ensureBrowser(), BROWSER_ARGS);
    try {
      const page = pages.find(({ name }) => name === HELD[0]?.[0])!;
      const urls = { blank: servers.blank, page: servers.urlOf(page) };
      const { visible, script, layout } = await timing.visit(urls, { cpu: 1, countedAfter: 'navigation' });
      for (const time of [visible, script, layout]) expect(time).toBeGreaterThan(0);
    } finally {
      await timing.close();
    }
  });
});

/** The document of a prerendered page has the form, its style sheet and its early script: 5.3 KiB in Brotli. */
const DOCUMENT_KIB = 5.75;

describe('a prerendered page', () => {
  it.each(PRERENDERED)(
    'shows its field with no other byte than its document, while its script is already asked for: %s',
    async (name) => {
      const site = await serve(pages, new Promise(() => undefined));
      try {
        const page = pages.find((one) => one.name === name)!;
        const { receivedAtStart, received, log } = await visit(
          browser,
          { blank: site.blank, page: site.urlOf(page) },
          UNTHROTTLED,
        );
        expect(receivedAtStart, log.join('\n')).toBeGreaterThan(0);
        expect(received, log.join('\n')).toBe(receivedAtStart);
        expect(received, log.join('\n')).toBeLessThanOrEqual(DOCUMENT_KIB);
        expect(log.join('\n')).toMatch(/GET \S+\/assets\/index-[\w-]+\.js 0 B/u);
      } finally {
        site.close();
      }
    },
  );
});
