import { expect } from './fixtures.ts';
import { button, leave, proveEmail, testWith } from './mfa-host.ts';
import { codeField, expectSignedIn, heading, newAddress, widget } from './visitor.ts';

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
