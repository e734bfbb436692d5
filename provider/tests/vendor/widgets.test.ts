import type { BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PUBLIC_TOKEN } from '../kit/harness.ts';
import { ClientSite, CLIENTS } from './client-site.ts';
import { driverOf } from './driver.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const CAPTCHA = { enabled: true, siteKey: 'site-key' };
const DECIDING = { dfp_protected_auth_enabled: true, dfp_protected_auth_mode: 'DECISIONING' };
const RECAPTCHA =
  'window.grecaptcha = { enterprise: { ready: (task) => task(), execute: async () => "test-captcha-1" } };';
const TELEMETRY = 'window.GetTelemetryID = async () => "test-dfp-challenge-1";';

/** Outside of soaks the newer one. */
const NAMES = SOAK ? CLIENTS : CLIENTS.slice(-1);

let site: ClientSite;
beforeAll(async () => {
  site = await ClientSite.start({}, [...NAMES, ...NAMES.map((each) => `${each}-widget`)]);
});
afterAll(() => site?.close());

describe.each(NAMES)('the client %s of this wire, and its widget', (name) => {
  let context: BrowserContext;
  let page: Page;
  /** What the page asked of the provider, such as `POST /otps/authenticate 200`. */
  let traffic: string[];
  const address = (who: string): string => `${who}.${name}@example.com`;

  beforeEach(async () => {
    context = await site.newVisitor();
    page = await context.newPage();
    traffic = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (!pathname.startsWith('/sdk/v1') || response.request().method() === 'OPTIONS') return;
      traffic.push(`${response.request().method()} ${pathname.slice('/sdk/v1'.length)} ${response.status()}`);
    });
    await page.goto(site.urlOf(name));
  });
  afterEach(() => context.close());

  const { call, lastMessage, signIn } = driverOf(
    () => page,
    () => site.provider,
  );

  it('signs in by its widget, whose events are taken', async () => {
    const email = address('widget');
    await page.goto(site.urlOf(`${name}-widget`));
    await page.locator('input[type="email"]').fill(email);
    await page.locator('input[type="email"]').press('Enter');
    await page.locator('input[type="email"]').waitFor({ state: 'detached' });
    await page.locator('input').first().click();
    await page.keyboard.type((await lastMessage(email)).code ?? '');
    await expect.poll(() => traffic).toContain('POST /otps/authenticate 200');
    expect((await call('user.getSync'))['emails'][0].email).toBe(email);
    await expect.poll(() => traffic).toContain('POST /events 200');
  });

  soakIt.each([
    ['a captcha', { captcha_settings: CAPTCHA }, ['200']],
    [
      'its telemetry, and a captcha on top when that is in doubt',
      { captcha_settings: CAPTCHA, ...DECIDING },
      ['403', '200'],
    ],
  ])('sends %s', async (_, fields, statuses) => {
    await context.route(/^https:\/\/www\.google\.com\/recaptcha\/enterprise\.js/u, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: RECAPTCHA }),
    );
    await context.route(/\/telemetry\.js/u, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: TELEMETRY }),
    );
    site.useProject(fields);
    await page.goto(site.urlOf(name));
    await call('otps.email.loginOrCreate', address('captcha'), { expiration_minutes: 5 });
    const sends = traffic.filter((line) => line.startsWith('POST /otps/'));
    expect(sends).toEqual(statuses.map((status) => `POST /otps/email/login_or_create ${status}`));
  });

  soakIt('reads the project, and is answered by this server in all that it asks', async () => {
    await signIn(address('quiet'));
    await expect.poll(() => traffic).toContain(`GET /projects/bootstrap/${PUBLIC_TOKEN} 200`);
    expect(traffic.filter((line) => !line.endsWith(' 200'))).toEqual([]);
  });
});
