import type { BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WITHOUT_PKCE } from '../kit/harness.ts';
import { ClientSite, CLIENTS } from './client-site.ts';
import { driverOf } from './driver.ts';
import type { WidgetOptions } from './widget-options.ts';

const GOOGLE = 'https://accounts.google.com';
const TELEMETRY_HOST = 'https://elements.stytch.com';
const TEXTS = { products: ['otp'], config: { otpOptions: { methods: ['sms'], expirationMinutes: 5 } } };
const oneTap = (redirect: string): Partial<WidgetOptions> => ({
  products: ['oauth'],
  config: {
    oauthOptions: {
      providers: [{ type: 'google', one_tap: true, position: 'floating' }, { type: 'github' }],
      loginRedirectURL: redirect,
      signupRedirectURL: redirect,
    },
  },
});

let site: ClientSite;

beforeAll(async () => {
  const pages = CLIENTS.map((each) => `${each}-widget`);
  site = await ClientSite.start({}, pages);
});
afterAll(() => site?.close());

// In every run widgets.test.ts signs in by a widget and asks its client.
describe.each(CLIENTS)('the page of client-side services, in the frame of the client %s', (name) => {
  let context: BrowserContext;
  let page: Page;
  /** What the page asked of the provider, such as `/sdk/v1/otps/authenticate 200`. */
  let traffic: string[];
  let errors: string[];

  beforeEach(async () => {
    context = await site.newVisitor();
    page = await context.newPage();
    traffic = [];
    errors = [];
    page.on('response', (response) => {
      if (response.request().method() === 'OPTIONS') return;
      traffic.push(`${new URL(response.url()).pathname} ${response.status()}`);
    });
    page.on('pageerror', (error) => errors.push(error.message));
  });
  afterEach(() => context.close());

  const { call, lastMessage } = driverOf(
    () => page,
    () => site.provider,
  );
  const open = async (widget: Partial<WidgetOptions>): Promise<void> => {
    await page.goto(`${site.urlOf(`${name}-widget`)}?widget=${encodeURIComponent(JSON.stringify(widget))}`);
  };

  /** The stand-in of this server answers in place of Google. */
  async function pretendGoogle(): Promise<void> {
    await context.route(`${GOOGLE}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const path = pathname.startsWith('/gsi/') ? `/accounts/google${pathname}` : pathname;
      const response = await route.fetch({
        url: `${site.apiUrl}${path}${search}`,
        headers: { ...route.request().headers(), origin: site.apiUrl },
      });
      // The page may be gone by then.
      await route.fulfill({ response }).catch(() => undefined);
    });
  }

  it('formats a telephone number while it is typed, and signs in by a passcode to it', async () => {
    await open(TEXTS);
    const field = page.getByLabel('Phone number');
    const national = name === 'v5' ? '(415) 555-2671' : '(415) 555-2672';
    await field.pressSequentially(national.replaceAll(/\D/gu, ''));
    await expect.poll(() => field.inputValue()).toBe(national);
    await field.press('Enter');
    await page.getByText(national).waitFor();
    const phone = `+1${national.replaceAll(/\D/gu, '')}`;
    await page.locator('input').first().click();
    await page.keyboard.type((await lastMessage(phone)).code ?? '');
    await expect.poll(() => traffic).toContain('/sdk/v1/otps/authenticate 200');
    expect((await call('user.getSync'))['phone_numbers'][0].phone_number).toBe(phone);
    expect(traffic).toContain('/clientside-services/phone-numbers.js 200');
    expect(errors).toEqual([]);
  });

  it('refuses a number that cannot exist, before anything is sent', async () => {
    await open(TEXTS);
    const field = page.getByLabel('Phone number');
    await field.pressSequentially('4155');
    await field.press('Enter');
    await page.getByText('Phone number format is invalid').waitFor();
    expect(traffic.filter((line) => line.includes('/otps/'))).toEqual([]);
  });

  it('reads the number of another country', async () => {
    await open(TEXTS);
    await page.locator('select').selectOption('DE');
    const field = page.getByLabel('Phone number');
    const digits = name === 'v5' ? '1712345671' : '1712345672';
    await field.pressSequentially(`0${digits}`);
    // Enter before the first answer submits the number as it was formatted last.
    await expect.poll(async () => (await field.inputValue()).replaceAll(/[^ ]/gu, '')).toMatch(/^ +$/u);
    await expect.poll(async () => (await field.inputValue()).replaceAll(/\D/gu, '')).toBe(`0${digits}`);
    await field.press('Enter');
    await expect.poll(() => traffic).toContain('/sdk/v1/otps/sms/login_or_create 200');
    expect((await lastMessage(`+49${digits}`)).code).toMatch(/^\d{6}$/u);
  });

  it('is not loaded by a page of another origin', async () => {
    site.useProject({
      allow_loopback: false,
      origins: [site.url],
      redirect_urls: [`${site.url}/`],
      default_login_redirect_url: `${site.url}/`,
      default_signup_redirect_url: `${site.url}/`,
      default_reset_password_redirect_url: `${site.url}/`,
    });
    const blocked = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    const foreign = site.url.replace('localhost', '127.0.0.1');
    await page.goto(`${foreign}/${name}-widget/?widget=${encodeURIComponent(JSON.stringify(TEXTS))}`);
    await page.getByLabel('Phone number').pressSequentially('415');
    await blocked;
    expect(traffic.filter((line) => line.includes('.js') && line.startsWith('/clientside'))).toEqual([]);
    await open(TEXTS);
    await page.getByLabel('Phone number').pressSequentially('415');
    await expect.poll(() => traffic).toContain('/clientside-services/services.js 200');
  });

  it('starts One Tap, and signs in the account that was chosen', async () => {
    site.useProject(WITHOUT_PKCE);
    await pretendGoogle();
    await open(oneTap(`${site.url}/${name}-widget/`));
    const prompt = page.frameLocator('iframe#credential_picker_iframe');
    await prompt.getByLabel('Another email address').fill(`tap.${name}@example.com`);
    await prompt.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.waitForURL(/stytch_token_type=oauth/u);
    const token = new URL(page.url()).searchParams.get('token');
    const reply = await call('oauth.authenticate', token, { session_duration_minutes: 60 });
    expect(reply['user'].emails[0].email).toBe(`tap.${name}@example.com`);
    expect(errors).toEqual([]);
  });

  it.each([
    ['does not offer One Tap', { ...WITHOUT_PKCE, google_one_tap: false }],
    ['requires PKCE, which this One Tap lacks', { pkce_required_for_oauth: true }],
  ])('shows the plain button where the project %s, and loads nothing of Google', async (_, fields) => {
    site.useProject(fields);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const dropped = page.waitForEvent('response', (response) => response.url().endsWith('/services.js'));
    await open(oneTap(`${site.url}/${name}-widget/`));
    await dropped;
    await page.getByRole('button', { name: /Continue with Google/u }).waitFor();
    await expect.poll(() => asked.some((url) => url.endsWith('/events'))).toBe(true);
    expect(asked.filter((url) => url.startsWith(GOOGLE))).toEqual([]);
  });

  it('gives telemetry an id, and signs in', async () => {
    site.useProject({ dfp_protected_auth_enabled: true });
    await context.route(`${TELEMETRY_HOST}/telemetry.js`, async (route) =>
      route.fulfill({ response: await route.fetch({ url: `${site.apiUrl}/telemetry.js` }) }),
    );
    const sent = page.waitForRequest(/\/otps\/email\/login_or_create$/u);
    await open({});
    await page.locator('input[type="email"]').fill(`telemetry.${name}@example.com`);
    await page.locator('input[type="email"]').press('Enter');
    expect((await sent).postDataJSON()).toMatchObject({
      dfp_telemetry_id: expect.stringMatching(/^test-dfp-[\w-]{36}$/u),
    });
    await expect.poll(() => traffic).toContain('/sdk/v1/otps/email/login_or_create 200');
    expect(traffic).toContain('/submit 200');
    expect(errors).toEqual([]);
  });
});
