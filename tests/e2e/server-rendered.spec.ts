import { oneOf } from '../soak.ts';
import { expect } from './fixtures.ts';
import { test, type ServedLogin } from './react-server.ts';
import { isTaken, looksTheSame, taken, watch } from './takeover.ts';
import { newAddress } from './visitor.ts';

const OTP = { products: ['otp'], otpOptions: { methods: ['email'] } } as const;
const TABS = { products: ['otp', 'passkeys'], otpOptions: { methods: ['sms', 'email'] } } as const;

test(
  'the first HTML of a React server has the form, without what is inline',
  { tag: '@soak' },
  async ({ app, request }) => {
    const html = await (await request.get(app.show({ config: OTP, language: 'fr' }))).text();
    expect(html).toMatch(/<form [^>]*method="dialog">.*type="email"/u);
    expect(html).toMatch(/<head>.*<link rel="stylesheet" href="\/login\.css\?login=0"[^>]*>.*<\/head>/u);
    expect(html).not.toMatch(/<style|\sstyle=|<script(?![^>]* src=)/u);
  },
);

test(
  'what a person typed and pressed before the script of a React page is kept',
  { tag: '@soak' },
  async ({ app, page, inbox }) => {
    const noticed = await watch(page);
    const address = newAddress();
    await page.goto(app.show({ config: OTP }), { waitUntil: 'commit' });
    const email = page.getByRole('textbox', { name: /email/i });
    await email.pressSequentially(address);
    await email.evaluate((field) => Object.assign(window, { typed: field }));
    expect(await isTaken(page)).toBe(false);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /continue/i })).toHaveAttribute('aria-busy', 'true');
    app.release();
    await expect(page.getByRole('heading', { name: 'Enter passcode' })).toBeVisible();
    expect(await inbox.messagesTo(address)).toHaveLength(1);
    expect(await noticed()).toMatchObject({ gaps: 0 });
  },
);

test(
  'React gives the form to the widget as it is: the element, its text, the caret and the focus',
  { tag: '@soak' },
  async ({ app, page }) => {
    const noticed = await watch(page);
    await page.goto(app.show({ config: TABS }), { waitUntil: 'commit' });
    await page.getByRole('tab', { name: 'Email' }).click();
    const email = page.getByRole('textbox', { name: /email/i });
    await email.pressSequentially('ada@exam');
    await email.evaluate((field) => Object.assign(window, { typed: field }));
    app.release();
    await taken(page);
    await expect(email).toBeFocused();
    await page.keyboard.type('ple.com');
    await expect(email).toHaveValue('ada@example.com');
    expect(await email.evaluate((field) => (window as unknown as { typed: unknown }).typed === field)).toBe(true);
    await expect(page.locator('link[rel=stylesheet]')).toHaveCount(1);
    expect((await noticed()).gaps).toBe(0);
  },
);

const WIDGETS = [
  ['reset', 'Reset your password'],
  ['passkeys', 'Set up a new Passkey'],
  ['consent', 'One moment…'],
  ['account', 'Your account'],
] as const;

test(
  'React renders the other widgets on a server, and gives each to its widget as it is',
  { tag: '@soak' },
  async ({ app, page }) => {
    const noticed = await watch(page);
    // What the provider answers changes the screens.
    await page.route('**/sdk/v1/**', () => undefined);
    for (const [widget, text] of oneOf(3, WIDGETS)) {
      await page.goto(app.show({}, widget), { waitUntil: 'commit' });
      const card = page.locator('[data-portico] [data-part=container]');
      await expect(card.getByText(text)).toBeVisible();
      await card.evaluate((element) => Object.assign(window, { rendered: element }));
      app.release();
      await taken(page);
      const isKept = await card.evaluate(
        (element) => (window as unknown as { rendered: unknown }).rendered === element,
      );
      // Without a session, the page for passkeys then says that there is none.
      expect({ widget, isKept, shift: (await noticed()).shift }).toEqual({ widget, isKept: true, shift: 0 });
    }
  },
);

const LOOKS: Readonly<Record<string, ServedLogin & { readonly accepts?: string }>> = {
  'the language that the browser prefers, from right to left': {
    config: TABS,
    language: 'accepted',
    accepts: 'nl, ar-EG;q=0.8, de;q=0.5',
  },
  'a preset and own colours': {
    config: TABS,
    styles: { preset: 'soft', container: { backgroundColor: '#101820' }, colors: { primary: '#ffd166' } },
  },
  'a shadow root, own texts': {
    config: { ...OTP, enableShadowDOM: true },
    strings: { 'main.title': 'Welcome back' },
  },
};

for (const [name, { accepts = 'en', ...login }] of Object.entries(LOOKS)) {
  test(
    `the first frame of a React page is the frame of the widget: ${name}`,
    // prerendered.spec.ts compares the same frames of a page without React.
    { tag: '@soak' },
    async ({ app, page }) => {
      // A page that is never idle: what the login loads for its use adds flags and marks to the form.
      await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
      await page.setExtraHTTPHeaders({ 'accept-language': accepts });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.mouse.move(1, 700);
      const noticed = await watch(page);
      await page.goto(app.show(login), { waitUntil: 'commit' });
      const screen = page.locator('[data-part=screen]');
      await expect(page.locator('[data-part=announcer]')).toBeAttached();
      const before = await screen.screenshot({ animations: 'disabled' });
      app.release();
      await taken(page);
      expect(await looksTheSame(page, before, await screen.screenshot({ animations: 'disabled' }))).toBe(true);
      expect(await noticed()).toMatchObject({ shift: 0, gaps: 0 });
    },
  );
}
