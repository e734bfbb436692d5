import type { Page } from '@playwright/test';
import { hearAll } from './announcements.ts';
import { expect, test, type Inbox } from './fixtures.ts';
import { codeField, emailField, expectSignedIn, focusedTag, heading, newAddress, widget } from './visitor.ts';

/** Tabs on until the focus is where the test wants it. */
async function tabTo(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < 25; presses += 1) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab never got there');
}

const hasFocus = (page: Page, name: RegExp) => (): Promise<boolean> =>
  page.evaluate((source) => {
    let focused = document.activeElement as HTMLElement | null;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement as HTMLElement;
    const labels = (focused as HTMLInputElement | null)?.labels ?? [];
    const name = [
      focused?.getAttribute('aria-label'),
      ...[...labels].map((label) => label.textContent),
      focused?.textContent,
    ];
    return focused !== document.body && name.some((text) => text && new RegExp(source, 'i').test(text));
  }, name.source);

test('the whole login by keyboard, and the focus is never lost', async ({ page, demoPath, inbox }) => {
  const address = newAddress();
  await page.goto(demoPath);
  await expect(emailField(page)).toBeVisible();
  await tabTo(page, hasFocus(page, /^Skip to sign-in$/));
  await page.keyboard.press('Enter');
  await tabTo(page, async () => emailField(page).evaluate((field) => field === document.activeElement));
  await page.keyboard.type(address);
  await page.keyboard.press('Enter');

  await expect(heading(page, 'Enter passcode')).toBeVisible();
  await expect(codeField(page)).toBeFocused();
  expect(await focusedTag(page)).not.toBe('BODY');
  await page.keyboard.type(await inbox.codeFor(address));

  await expectSignedIn(page, address);
  await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeFocused();

  await tabTo(page, hasFocus(page, /^Log out$/));
  await page.keyboard.press('Enter');
  await expect(emailField(page)).toBeVisible();
  expect(await focusedTag(page)).not.toBe('BODY');
});

/** Signs in with what is typed as soon as the form is there. */
async function typeAtOnce(page: Page, inbox: Inbox, heard: () => Promise<string>, address = newAddress()) {
  await page.keyboard.type(address);
  await expect(emailField(page)).toHaveValue(address);
  await expect(emailField(page)).toBeFocused();
  expect(await heard()).toContain('Sign up or log in');
  await page.keyboard.press('Enter');
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type(await inbox.codeFor(address));
  return address;
}

for (const shadow of [false, true]) {
  test(
    `who presses Sign in types at once, ${shadow ? 'in' : 'without'} a shadow root; who has just arrived keeps the focus`,
    { tag: shadow ? '@soak' : [] },
    async ({ page, demoPath, inbox }) => {
      const heard = await hearAll(page);
      const query = new URLSearchParams({
        ...(demoPath === '/' ? {} : { build: 'standalone' }),
        ...(shadow ? { shadow: '1' } : {}),
      }).toString();
      await page.goto(`/account?${query}`);
      await expect(heading(page, 'You are not signed in')).toBeVisible();
      expect(await focusedTag(page)).toBe('BODY');
      await tabTo(page, hasFocus(page, /^Sign in$/));
      await page.keyboard.press('Enter');
      await typeAtOnce(page, inbox, heard);
      await expect(widget(page).getByRole('button', { name: 'Sign out' })).toBeVisible();
      await expect(heading(page, 'Your account')).toBeFocused();

      const request = {
        client_id: 'client-demo-relying-party',
        redirect_uri: `${process.env['PORTICO_APP_URL']}/callback`,
        response_type: 'code',
        scope: 'openid email',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      };
      await page.goto(`/authorize?${query}&${new URLSearchParams(request).toString()}`);
      await expect(widget(page).getByRole('button', { name: 'Use another account' })).toBeVisible();
      await tabTo(page, hasFocus(page, /^Use another account$/));
      await page.keyboard.press('Enter');
      await expect(heading(page, 'Sign up or log in')).toBeVisible();
      const second = await typeAtOnce(page, inbox, heard);
      await expect(widget(page)).toContainText(`Signed in as ${second}`);
      await expect(heading(page, 'Sign in to Weekly Planner with Portico Demo')).toBeFocused();

      await page.context().clearCookies();
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await expect(emailField(page)).toBeVisible();
      expect(await focusedTag(page)).toBe('BODY');
    },
  );
}

test('the success screen takes the focus', { tag: '@soak' }, async ({ page, demoPath, inbox }) => {
  const address = newAddress();
  await page.goto(`${demoPath}?stay=1`);
  await emailField(page).fill(address);
  await page.keyboard.press('Enter');
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type(await inbox.codeFor(address));
  await expect(heading(page, 'Success!')).toBeFocused();
});

interface HostWindow {
  readonly __demo: {
    readonly client: {
      readonly session: { onChange(callback: (session: unknown) => void): unknown };
      mountLogin(options: object): { unmount(): void };
      mountPasskeyRegistration(options: object): unknown;
    };
  };
}

const SWAPS = [
  { name: 'without a shadow root', enableShadowDOM: false, pause: 0, tag: ['@every', '@soak'] },
  { name: 'in a shadow root', enableShadowDOM: true, pause: 0, tag: ['@every', '@soak'] },
  // The last screen has replaced the field, and nothing has been painted since; or not even its effects have run.
  {
    name: 'where the host replaces it a moment after its last screen',
    enableShadowDOM: false,
    pause: 2,
    tag: ['@every', '@soak'],
  },
  {
    name: 'where the host replaces it in a microtask',
    enableShadowDOM: false,
    pause: null,
    tag: ['@every', '@smoke'],
  },
];

for (const { name, enableShadowDOM, pause, tag } of SWAPS) {
  test(`the widget that follows another takes over the focus, ${name}`, { tag }, async ({ page, demoPath, inbox }) => {
    const address = newAddress();
    await page.goto(`${demoPath}?stay=1`);
    await expect(emailField(page)).toBeVisible();
    // A host that offers a passkey to who has just signed in.
    await page.evaluate(
      ({ enableShadowDOM: shadow, pause: wait }) => {
        const { client } = (window as unknown as HostWindow).__demo;
        const place = { elementId: '#widget' };
        const otpOptions = { methods: ['email'], expirationMinutes: 5 };
        const replace = (): void => {
          login.unmount();
          client.mountPasskeyRegistration({ ...place, config: { products: ['passkeys'], enableShadowDOM: shadow } });
        };
        const onEvent = ({ type }: { readonly type: string }): void => {
          if (wait === null && type === 'AUTHENTICATE_FLOW_COMPLETE') queueMicrotask(replace);
        };
        const login = client.mountLogin({
          ...place,
          config: { products: ['otp'], otpOptions, enableShadowDOM: shadow },
          callbacks: { onEvent },
        });
        client.session.onChange((session) => {
          if (session === null || wait === null) return;
          if (wait === 0) replace();
          else setTimeout(replace, wait);
        });
      },
      { enableShadowDOM, pause },
    );
    await emailField(page).fill(address);
    await page.keyboard.press('Enter');
    await expect(codeField(page)).toBeFocused();
    await page.keyboard.type(await inbox.codeFor(address));
    await expect(heading(page, 'Set up a new Passkey')).toBeFocused();
  });
}

test(
  'Back by keyboard returns to Main with the address, and the focus with it',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    const address = newAddress();
    await page.goto(demoPath);
    await emailField(page).focus();
    await page.keyboard.type(address);
    await page.keyboard.press('Enter');
    await expect(codeField(page)).toBeFocused();

    await page.keyboard.press('Shift+Tab');
    await expect(widget(page).getByRole('button', { name: /back/i })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(heading(page, 'Sign up or log in')).toBeVisible();
    await expect(emailField(page)).toHaveValue(address);
    await expect(emailField(page)).toBeFocused();
  },
);

test('by pointer the focus goes to the new screen', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.goto(demoPath);
  await emailField(page).fill(newAddress());
  await widget(page)
    .getByRole('button', { name: /continue/i })
    .click();
  await expect(heading(page, 'Enter passcode')).toBeVisible();
  const inWidget = () => page.evaluate(() => document.querySelector('#widget')?.contains(document.activeElement));
  await expect.poll(inWidget).toBe(true);
});
