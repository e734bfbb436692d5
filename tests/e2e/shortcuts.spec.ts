/** Pages that hear the keys of the widget: shortcuts of one key, a focus trap, and a dialog that Escape closes. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { codeField, emailField, expectSignedIn, heading, newAddress, sendButton, widget } from './visitor.ts';
import { InputMethod } from './input-method.ts';

interface HostWindow {
  readonly shortcuts: string[];
  readonly ends: string[];
}

/** The page takes each key that is typed outside of a field for a shortcut, as pages of mail and video do. */
const addShortcuts = (page: Page) =>
  page.addInitScript(() => {
    const heard: HostWindow = { shortcuts: [], ends: [] };
    Object.assign(window, heard);
    const isField = ({ target }: Event): boolean => target instanceof Element && target.matches('input, textarea');
    document.addEventListener('keydown', (event) => {
      const { key, ctrlKey, altKey, metaKey } = event;
      if (isField(event) || ctrlKey || altKey || metaKey || !/^(?:.|Backspace|Delete|Enter)$/u.test(key)) return;
      heard.shortcuts.push(key);
      event.preventDefault();
    });
    document.addEventListener('keyup', (event) => isField(event) || heard.ends.push(event.key));
  });
const heard = (page: Page, what: keyof HostWindow) =>
  page.evaluate((name) => (window as unknown as HostWindow)[name], what);

for (const build of ['/', '/standalone']) {
  for (const shadow of ['', '?shadow=1']) {
    test(`a page with shortcuts takes no letter of the login at ${build}${shadow}`, async ({ page, inbox }) => {
      await addShortcuts(page);
      await page.goto(`${build}${shadow}`);
      const address = `sfp-${newAddress()}`;
      await emailField(page).click();
      await page.keyboard.type(`${address}x`);
      await page.keyboard.press('Backspace');
      await expect(emailField(page)).toHaveValue(address);
      await page.keyboard.press('Enter');
      await expect(heading(page, 'Enter passcode')).toBeVisible();
      expect(await heard(page, 'shortcuts')).toEqual([]);
      await codeField(page).pressSequentially(await inbox.codeFor(address));
      await expectSignedIn(page, address);
      expect(await heard(page, 'shortcuts')).toEqual([]);
      await page.locator('body').press('j');
      expect(await heard(page, 'shortcuts')).toEqual(['j']);
    });
  }

  test(`a page hears the end of each key whose beginning it heard, at ${build}`, async ({ page }) => {
    await addShortcuts(page);
    await page.goto(`${build}?shadow=1`);
    await emailField(page).click();
    await page.keyboard.type('ab');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.down('Control');
    await page.keyboard.down('b');
    await page.keyboard.up('Control');
    await page.keyboard.up('b');
    expect(await heard(page, 'ends')).toEqual(['a', 'Control', 'ArrowLeft', 'Control', 'b']);
  });
}

for (const shadow of ['', '?shadow=1']) {
  test(`a focus trap and a dialog of the page work at /${shadow}`, async ({ page }) => {
    await page.goto(`/${shadow}`);
    await expect(sendButton(page)).toBeVisible();
    await widget(page).evaluate((place) => {
      const first = Object.assign(document.createElement('button'), { id: 'first', textContent: 'First' });
      const dialog = document.createElement('div');
      dialog.role = 'dialog';
      dialog.id = 'dialog';
      place.before(dialog);
      dialog.append(first, place);
      document.addEventListener('keydown', (event) => {
        if (event.key === 'Escape') dialog.hidden = true;
        if (event.key !== 'Tab' || !event.composedPath().includes(place)) return;
        event.preventDefault();
        first.focus();
      });
    });
    await emailField(page).click();
    await page.keyboard.type('ada');
    await page.keyboard.press('Tab');
    await expect(page.locator('#first')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.locator('#first')).not.toBeFocused();
    await emailField(page).click();
    const method = await InputMethod.of(page);
    await method.compose('あ');
    await page.keyboard.press('Escape');
    await expect(page.locator('#dialog')).toBeVisible();
    await method.commit('');
    await page.keyboard.press('Escape');
    await expect(page.locator('#dialog')).toBeHidden();
  });
}
