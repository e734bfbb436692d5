import type { Page, Route } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import {
  askForCode,
  askForLink,
  codeField,
  emailField,
  expectSignedIn,
  heading,
  newAddress,
  sendButton,
  widget,
} from './visitor.ts';

const SEND = '**/sdk/v1/otps/email/login_or_create';
const AUTHENTICATE = '**/sdk/v1/otps/authenticate';
const NOTHING_LOADED = /Failed to load resource/;

test('an address of the wrong shape is refused where it was typed', { tag: '@soak' }, async ({ page, demoPath }) => {
  let asked = 0;
  page.on('request', (request) => (asked += request.url().endsWith('/login_or_create') ? 1 : 0));
  for (const [query, text] of [
    ['', 'Invalid email address.'],
    ['?by=link', 'Email format is invalid.'],
  ] as const) {
    await page.goto(`${demoPath}${query}`);
    for (const wrong of ['nobody', 'a@b', 'a b@example.com']) {
      await emailField(page).fill(wrong);
      await sendButton(page).click();
      await expect(widget(page).getByText(text)).toBeVisible();
      await expect(emailField(page)).toHaveAttribute('aria-invalid', 'true');
    }
  }
  expect(asked).toBe(0);
});

const replies: readonly {
  readonly name: string;
  readonly text: string;
  readonly tag?: '@soak';
  readonly answer: (route: Route) => Promise<void>;
}[] = [
  { name: 'no answer', tag: '@soak', text: 'Unable to contact our servers.', answer: (route) => route.abort() },
  {
    name: 'a reply that claims to be JSON and is not',
    tag: '@soak',
    text: 'Invalid JSON response from our servers.',
    answer: (route) => fulfil(route, 'application/json', '{"data": '),
  },
  {
    name: 'a page in place of a reply',
    tag: '@soak',
    text: 'Invalid response from our servers.',
    answer: (route) => fulfil(route, 'text/html', '<h1>502 Bad gateway</h1>', 502),
  },
  {
    name: 'a reply of the wrong shape',
    tag: '@soak',
    text: 'Invalid response from our servers.',
    answer: (route) => fulfil(route, 'application/json', '{"data":{"status_code":200,"method_id":7}}'),
  },
  {
    name: 'an empty reply',
    tag: '@soak',
    text: 'Invalid response from our servers.',
    answer: (route) => fulfil(route, 'application/json', '{}'),
  },
];

async function fulfil(route: Route, contentType: string, body: string, status = 200): Promise<void> {
  const origin = route.request().headers()['origin'] ?? '*';
  const headers = { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
  if (route.request().method() === 'OPTIONS') return route.fallback();
  await route.fulfill({ status, contentType, body, headers });
}

for (const { name, text, tag = '@react', answer } of replies) {
  test(`${name}: shows a message, and trying again works`, { tag }, async ({ page, demoPath, inbox, trap }) => {
    trap.allow(NOTHING_LOADED);
    const address = newAddress();
    await page.route(SEND, answer);
    await page.goto(demoPath);
    await emailField(page).fill(address);
    await sendButton(page).click();
    await expect(widget(page).getByText(text)).toBeVisible();
    await expect(emailField(page)).toHaveValue(address);

    await page.unroute(SEND);
    await sendButton(page).click();
    await expect(heading(page, 'Enter passcode')).toBeVisible();

    await page.route(AUTHENTICATE, answer);
    const code = await inbox.codeFor(address);
    await codeField(page).fill(code);
    await expect(widget(page).getByText(text)).toBeVisible();
    expect(await sessionOf(page)).toBeNull();
    await page.unroute(AUTHENTICATE);
    await expect(codeField(page)).toHaveValue(code);
    await widget(page).getByRole('button', { name: 'Try again' }).click();
    await expectSignedIn(page, address);
  });
}

const sessionOf = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    (window as unknown as { __demo: { client: { session: { getSync(): unknown } } } }).__demo.client.session.getSync(),
  );

test(
  'without a network the form says so, and sends the request again by itself when there is one',
  { tag: '@soak' },
  async ({ page, demoPath, trap }) => {
    trap.allow(NOTHING_LOADED);
    await page.goto(demoPath);
    await askForCode(page, newAddress());
    await widget(page).getByRole('button', { name: 'Back' }).click();
    const address = newAddress();
    await emailField(page).fill(address);
    await page.context().setOffline(true);
    await sendButton(page).click();
    await expect(widget(page).getByText('You are offline.')).toBeVisible();
    await page.context().setOffline(false);
    await expect(heading(page, 'Enter passcode')).toBeVisible();
    await expect(widget(page)).toContainText(address);
  },
);

test('the same for a link: no answer, then it is sent', { tag: '@soak' }, async ({ page, demoPath, trap }) => {
  trap.allow(NOTHING_LOADED);
  const send = '**/sdk/v1/magic_links/email/login_or_create';
  await page.route(send, (route) => route.abort());
  await page.goto(`${demoPath}?by=link`);
  const address = newAddress();
  await emailField(page).fill(address);
  await sendButton(page).click();
  await expect(widget(page).getByText('Unable to contact our servers.')).toBeVisible();
  await page.unroute(send);
  await askForLink(page, address);
});

test(
  'a bootstrap that never comes changes nothing for the visitor',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(NOTHING_LOADED);
    await page.route('**/sdk/v1/projects/bootstrap/*', (route) => route.abort());
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    await codeField(page).fill(await inbox.codeFor(address));
    await expectSignedIn(page, address);
  },
);

test(
  'logging out without a connection keeps the session and shows a message',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(NOTHING_LOADED);
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    await codeField(page).fill(await inbox.codeFor(address));
    await expectSignedIn(page, address);
    await page.route('**/sdk/v1/sessions/revoke', (route) => route.abort());
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'You are still signed in.' })).toBeVisible();
    await page.unroute('**/sdk/v1/sessions/revoke');
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(emailField(page)).toBeVisible();
  },
);

test(
  'with cookies and storage blocked, the login holds for the page',
  { tag: '@every' },
  async ({ page, demoPath, inbox }) => {
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      };
      Object.defineProperty(window, 'localStorage', { get: refuse });
      Object.defineProperty(window, 'sessionStorage', { get: refuse });
      Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} });
    });
    const warnings: string[] = [];
    page.on('console', (message) => void (message.type() === 'warning' && warnings.push(message.text())));
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    await codeField(page).fill(await inbox.codeFor(address));
    await expectSignedIn(page, address);
    expect(warnings.filter((text) => text.includes('cannot use local storage'))).toHaveLength(1);
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(emailField(page)).toBeVisible();
  },
);

test(
  'with a full storage, the login holds for the page',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox }) => {
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('Quota exceeded.', 'QuotaExceededError');
      };
    });
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    await codeField(page).fill(await inbox.codeFor(address));
    await expectSignedIn(page, address);
  },
);

const SENDING = 'POST /sdk/v1/otps/email/login_or_create';

test(
  'too many requests are said in words, with the time to wait, and stay said',
  { tag: '@soak' },
  async ({ page, demoPath, control, trap, axe }) => {
    trap.allow(NOTHING_LOADED);
    await control.refuse(SENDING, 'too_many_requests', { retryAfterSeconds: 600 });
    await page.clock.install();
    await page.goto(demoPath);
    await emailField(page).fill(newAddress());
    await sendButton(page).click();
    await expect(widget(page).getByText('Too many requests. Please wait a little, then try again.')).toBeVisible();
    await expect(widget(page).getByText(/You can try again in \d+:\d\d\./)).toBeVisible();
    expect(await axe(page)).toEqual([]);
    await page.clock.fastForward('20:00');
    await expect(widget(page).locator('[data-part=wait-for]')).toHaveText('You can try again now.');
    await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  },
);

test(
  'a resend that is refused says how long to wait, until it is requested anew',
  { tag: '@soak' },
  async ({ page, demoPath, control, trap }) => {
    trap.allow(NOTHING_LOADED);
    await page.clock.install();
    await page.goto(demoPath);
    await askForCode(page, newAddress());
    await control.refuse(SENDING, 'too_many_requests', { retryAfterSeconds: 600 });
    await widget(page).getByRole('button', { name: 'Resend code' }).click();
    const toast = widget(page).locator('[data-part=toast]');
    await expect(toast).toContainText(/Too many requests\..* You can try again in \d+:\d\d\./);
    await expect(widget(page).getByRole('button', { name: /Resend code in \d+:\d\d/ })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await page.clock.runFor(10_000);
    await expect(toast).toBeVisible();
  },
);
