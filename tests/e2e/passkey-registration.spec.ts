import type { Page } from '@playwright/test';
import { addAuthenticator } from './authenticator.ts';
import { expect, test, type Inbox } from './fixtures.ts';
import { askForCode, codeField, heading, newAddress, widget } from './visitor.ts';

const pathFor = (demoPath: string): string => (demoPath === '/' ? '/passkeys' : '/passkeys?build=standalone');
const button = (page: Page, name: string | RegExp) => widget(page).getByRole('button', { name });
const rows = (page: Page) => widget(page).getByRole('region', { name: 'Existing Passkeys' }).getByRole('listitem');
const names = (page: Page) => rows(page).locator('[data-part=passkey-name]');
const create = (page: Page) => button(page, 'Create a Passkey').click();

/** On the page for passkeys, signed in. */
async function enter(page: Page, path: string, inbox: Inbox): Promise<string> {
  const address = newAddress();
  await page.goto(path);
  await askForCode(page, address);
  await codeField(page).pressSequentially(await inbox.codeFor(address));
  await expect(heading(page, 'Set up a new Passkey')).toBeVisible();
  return address;
}

const eventsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    (window as unknown as { __demo: { events: { type: string }[] } }).__demo.events.map(({ type }) => type),
  );

test('a passkey is created, renamed and deleted, and the browser forgets it', async ({ page, demoPath, inbox }) => {
  const authenticator = await addAuthenticator(page);
  await enter(page, pathFor(demoPath), inbox);
  await create(page);
  await expect(heading(page, 'Passkey successfully created!')).toBeVisible();
  await expect(heading(page, 'Passkey successfully created!')).toBeFocused();
  await expect(rows(page)).toHaveCount(1);
  expect(await authenticator.count()).toBe(1);

  await button(page, /^Rename /).click();
  const field = widget(page).getByRole('textbox', { name: 'Name of the passkey' });
  await expect(field).toBeFocused();
  for (const name of ['Done', 'Set up another Passkey']) await expect(button(page, name)).toBeDisabled();
  await expect(button(page, /^Delete /)).toHaveCount(0);
  await field.fill('<b>My</b> laptop 💻');
  // The list says so before the server does.
  const saved = page.waitForResponse(/\/webauthn\/update\//);
  await field.press('Enter');
  await expect(names(page)).toHaveText(['<b>My</b> laptop 💻']);
  await expect(button(page, 'Rename <b>My</b> laptop 💻')).toBeFocused();
  await saved;

  await page.reload();
  await button(page, 'Skip').click();
  await expect(heading(page, 'Existing Passkeys')).toBeVisible();
  await expect(names(page)).toHaveText(['<b>My</b> laptop 💻']);

  await button(page, /^Delete /).click();
  await expect(widget(page)).toContainText('Once deleted, the passkey cannot be restored.');
  await page.keyboard.press('Escape');
  await expect(button(page, /^Delete </)).toBeFocused();
  await button(page, /^Delete </).click();
  await button(page, 'Delete').click();
  await expect(rows(page)).toHaveCount(0);
  await expect.poll(() => authenticator.count()).toBe(0);
  await page.reload();
  await button(page, 'Skip').click();
  await expect(widget(page)).toContainText('You have no passkeys yet.');
});

// The virtual authenticator goes with the first debugger session that ends, such as axe's; this one is Playwright's own.
test(
  'the passkey screens have no accessibility faults, in both schemes',
  { tag: '@soak' },
  async ({ page, context, demoPath, inbox, axe }) => {
    await context.credentials.install();
    await enter(page, pathFor(demoPath), inbox);
    const look = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // What fades in, a message in the inbox among it, has its colours at the end.
        await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === 'finished'));
        expect(await axe(page)).toEqual([]);
      }
    };
    await look();
    await create(page);
    await expect(rows(page)).toHaveCount(1);
    await look();
    await button(page, /^Delete /).click();
    await look();
    await page.keyboard.press('Escape');
    await button(page, /^Rename /).click();
    await look();
  },
);

test(
  'what stands in the way of a passkey is said, and another try is one press away',
  { tag: '@soak' },
  async ({ page, demoPath, inbox }) => {
    const authenticator = await addAuthenticator(page);
    await enter(page, pathFor(demoPath), inbox);
    await authenticator.verify(false);
    await create(page);
    await expect(widget(page).getByRole('alert').first()).toHaveText(
      'Your Passkey was not created. Click “Create a Passkey” to try again or skip without adding a Passkey.',
    );
    await authenticator.verify(true);
    await create(page);
    await expect(rows(page)).toHaveCount(1);
    await button(page, 'Set up another Passkey').click();
    await create(page);
    await expect(widget(page).getByRole('alert').first()).toHaveText(
      'The Passkey cannot be created as it seems to be already registered. It is possible this Passkey was registered on another device but has synced cross-device.',
    );
    await button(page, 'Skip').click();
    await button(page, 'Done').click();
    await expect(page.getByRole('heading', { name: 'That is all' })).toBeVisible();
    const heard = (await eventsOf(page)).filter((type) => type.startsWith('PASSKEY'));
    expect(heard).toEqual(['PASSKEY_REGISTER', 'PASSKEY_SKIP', 'PASSKEY_DONE']);
  },
);

test('a browser without passkeys offers to skip alone', { tag: '@soak' }, async ({ page, demoPath, inbox }) => {
  await page.addInitScript(() => {
    delete (window as { PublicKeyCredential?: unknown }).PublicKeyCredential;
  });
  await enter(page, pathFor(demoPath), inbox);
  await expect(widget(page)).toContainText('Passkeys cannot be created in this browser.');
  await expect(button(page, 'Create a Passkey')).toHaveCount(0);
  await button(page, 'Skip').click();
  await expect(widget(page)).toContainText('You have no passkeys yet.');
});

test(
  'another tab shows the same list, and cannot make the same passkey again',
  { tag: ['@every', '@soak'] },
  async ({ page, context, demoPath, inbox }) => {
    await context.credentials.install();
    await enter(page, pathFor(demoPath), inbox);
    const other = await context.newPage();
    await other.goto(pathFor(demoPath));
    await expect(heading(other, 'Set up a new Passkey')).toBeVisible();
    await create(page);
    await expect(rows(page)).toHaveCount(1);
    await create(other);
    await expect(widget(other).getByRole('alert').first()).toContainText('already registered');
    await button(other, 'Skip').click();
    await expect(rows(other)).toHaveCount(1);
    await button(page, /^Rename /).click();
    await widget(page).getByRole('textbox').fill('From here');
    await button(page, 'Save the name').click();
    await expect(names(other)).toHaveText(['From here']);
  },
);

test('a passkey is set up only with a session', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.goto(demoPath);
  await expect(widget(page).getByRole('button').first()).toBeVisible();
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('div'), { id: 'passkeys' }));
    const { client } = (window as unknown as { __demo: { client: { mountPasskeyRegistration(o: object): void } } })
      .__demo;
    client.mountPasskeyRegistration({ elementId: '#passkeys' });
  });
  await expect(page.locator('#passkeys')).toContainText(
    'Error: Cannot use PasskeyRegistration component without active user authenticated.',
  );
});
