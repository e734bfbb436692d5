import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { askForCode, codeField, emailField, newAddress, sendButton, widget } from './visitor.ts';

interface Handle {
  unmount(): void;
}
interface HostWindow {
  readonly __demo: {
    readonly client: {
      readonly session: { onChange(callback: (session: unknown) => void): unknown; getSync(): object | null };
      readonly user: { onChange(callback: (user: unknown) => void): unknown };
      mountLogin(options: object): Handle;
    };
  };
  heard: string[];
}

const CODE = { products: ['otp'], otpOptions: { methods: ['email'], expirationMinutes: 5 } };
const PASSWORD = { products: ['passwords'] };

/** When the host takes the widget away. */
const ORDERS = ['hears of the session', 'hears of the user', 'is called back', 'finds time for it'] as const;

/** Mounts the login as a host would that shows it only to who is not signed in. */
const host = (page: Page, config: object, order: (typeof ORDERS)[number]): Promise<void> =>
  page.evaluate(
    ([config, order]) => {
      const at = window as unknown as HostWindow;
      const { client } = at.__demo;
      at.heard = [];
      let handle: Handle | null = null;
      const leave = (): void => handle?.unmount();
      if (order === 'hears of the session') client.session.onChange((session) => session !== null && leave());
      if (order === 'hears of the user') client.user.onChange((user) => user !== null && leave());
      if (order === 'finds time for it') client.session.onChange(() => void Promise.resolve().then(leave));
      const onEvent = ({ type, data }: { type: string; data: { user_id?: string } }): void => {
        const signedIn = client.session.getSync() !== null;
        at.heard.push(`${type}${data.user_id === undefined ? '' : ' of a user'}${signedIn ? ', signed in' : ''}`);
        if (order === 'is called back' && signedIn) leave();
      };
      handle = client.mountLogin({ elementId: '#widget', config, callbacks: { onEvent } });
    },
    [config, order] as const,
  );
const heard = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as HostWindow).heard);

for (const order of ORDERS) {
  test(
    `a host that takes the login away as it ${order} hears all of a login by code`,
    { tag: order === ORDERS[0] ? ['@every', '@soak'] : '@soak' },
    async ({ page, demoPath, inbox }) => {
      const address = newAddress();
      await page.goto(`${demoPath}?stay=1`);
      await expect(emailField(page)).toBeVisible();
      await host(page, CODE, order);
      await askForCode(page, address);
      await codeField(page).pressSequentially(await inbox.codeFor(address));
      await expect
        .poll(async () => (await heard(page)).slice(1))
        .toEqual(['OTP_AUTHENTICATE of a user, signed in', 'AUTHENTICATE_FLOW_COMPLETE, signed in']);
      await expect(widget(page).locator('[data-portico]')).toHaveCount(0);
    },
  );
}

test(
  'a host that unmounts the login at the session’s event receives all events of a new password',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.goto(`${demoPath}?stay=1`);
    await expect(emailField(page)).toBeVisible();
    await host(page, PASSWORD, 'hears of the session');
    await emailField(page).fill(newAddress());
    await sendButton(page).click();
    const field = widget(page).locator('input[type=password]');
    await field.fill('a rather long and winding road 47');
    await expect(
      widget(page)
        .getByRole('button', { name: /continue|create/i })
        .first(),
    ).toBeEnabled();
    await field.press('Enter');
    await expect
      .poll(() => heard(page))
      .toEqual(['PASSWORD_CREATE of a user, signed in', 'AUTHENTICATE_FLOW_COMPLETE, signed in']);
  },
);
