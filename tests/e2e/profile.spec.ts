import { expect } from './fixtures.ts';
import { button, leave, proveEmail, testWith } from './mfa-host.ts';
import { pathFor } from './account-page.ts';
import { askForLink, codeField, expectSignedIn, heading, newAddress, widget } from './visitor.ts';

const PROFILE = {
  fields: [
    { field: 'first_name' },
    { field: 'company', label: { en: 'Company', de: 'Firma' } },
    { field: 'role', label: 'Role', options: ['Developer', 'Designer'] },
    { field: 'referrer', label: 'How did you hear of us?', required: false },
  ],
  terms: [{ terms_id: 'tos', version: '1', title: 'Terms of Service', url: 'https://acme.example/terms' }],
  url: 'http://localhost:3000/login',
};
const test = testWith({ profile: PROFILE });
// One site serves all of them.
test.describe.configure({ mode: 'default' });

test(
  'the first login asks for fields and terms, also after a reload, and the next one does not',
  { tag: '@every' },
  async ({ page, demoPath, inbox, axe }) => {
    const address = newAddress();
    await page.goto(demoPath);
    await proveEmail(page, inbox, address);
    await expect(heading(page, 'A few more details')).toBeVisible();
    expect(await axe(page)).toEqual([]);

    const form = widget(page);
    await button(page, 'Continue').click();
    await expect(form.getByRole('textbox', { name: 'First name' })).toBeFocused();
    await expect(form.getByText('Please fill in this field.')).toHaveCount(3);
    await expect(form.getByText('Please accept this to continue.')).toBeVisible();
    expect(await axe(page)).toEqual([]);

    // A phone may discard the tab while its owner reads the terms.
    await page.reload();
    await expect(heading(page, 'A few more details')).toBeVisible();
    await expect(form.getByRole('link', { name: 'Read Terms of Service' })).toHaveAttribute(
      'href',
      'https://acme.example/terms',
    );
    await form.getByRole('textbox', { name: 'First name' }).fill('Ada');
    await form.getByRole('textbox', { name: 'Company' }).fill('Analytical Engines');
    await form.getByRole('combobox', { name: 'Role' }).selectOption('Developer');
    await form.getByRole('checkbox', { name: 'I accept: Terms of Service' }).check();
    await form.getByRole('textbox', { name: 'Company' }).press('Enter');
    await expectSignedIn(page, address);

    await leave(page);
    await proveEmail(page, inbox, address);
    await expectSignedIn(page, address);
  },
);

test('whoever goes back starts another login, and is asked then', async ({ page, demoPath, inbox }) => {
  const address = newAddress();
  await page.goto(demoPath);
  await proveEmail(page, inbox, address);
  await expect(heading(page, 'A few more details')).toBeVisible();
  await button(page, 'Back').click();
  await expect(widget(page).getByRole('textbox', { name: 'Email' })).toBeVisible();
  await expect(codeField(page)).toHaveCount(0);
  await proveEmail(page, inbox, address);
  await expect(heading(page, 'A few more details')).toBeVisible();
});

test('whoever reads the terms for too long is told to sign in again', async ({
  page,
  demoPath,
  inbox,
  control,
  trap,
}) => {
  trap.allow(/status of 40\d/u);
  const address = newAddress();
  await page.goto(demoPath);
  await proveEmail(page, inbox, address);
  await widget(page).getByRole('textbox', { name: 'First name' }).fill('Ada');
  await widget(page).getByRole('textbox', { name: 'Company' }).fill('Analytical Engines');
  await widget(page).getByRole('combobox', { name: 'Role' }).selectOption('Designer');
  await widget(page).getByRole('checkbox').check();
  await control.clock.move({ minutes: 11 });
  await button(page, 'Continue').click();
  await expect(heading(page, 'Please sign in again')).toBeVisible();
  await button(page, 'Back to sign-in').click();
  await expect(widget(page).getByRole('textbox', { name: 'Email' })).toBeVisible();
});

test('a link that only works in the browser that asked for it is not used up by another one', async ({
  page,
  demoPath,
  inbox,
  browser,
  trap,
}) => {
  trap.allow(/status of 40\d/u);
  const address = newAddress();
  await page.goto(`${demoPath}?by=link`);
  await askForLink(page, address);
  const link = await inbox.linkFor(address);
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await other.goto(link);
  await expect(other.locator('#arrival-text')).toContainText('Open it in the browser in which you asked for it');
  await elsewhere.close();
  await page.goto(link);
  await expect(heading(page, 'A few more details')).toBeVisible();
});

test('the account begins with the stored choice, with and without React', async ({ page, demoPath, inbox }) => {
  const address = newAddress();
  await page.goto(demoPath);
  await proveEmail(page, inbox, address);
  await widget(page).getByRole('textbox', { name: 'First name' }).fill('Ada');
  await widget(page).getByRole('textbox', { name: 'Company' }).fill('Analytical Engines');
  await widget(page).getByRole('combobox', { name: 'Role' }).selectOption('Designer');
  await widget(page).getByRole('checkbox').check();
  await button(page, 'Continue').click();
  await expectSignedIn(page, address);
  for (const path of [pathFor('/'), pathFor('/standalone')]) {
    await page.goto(path);
    await button(page, 'Edit your details').click();
    await expect(widget(page).getByRole('combobox', { name: 'Role' })).toHaveValue('Designer');
    await expect(widget(page).getByRole('textbox', { name: 'Company' })).toHaveValue('Analytical Engines');
  }
});
